// The two things of a browser that modules without a page need.
const kept = new Map<string, string>();

export function freshBrowser(): void {
  kept.clear();
}

Object.assign(globalThis, {
  localStorage: {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  },
  document: { documentElement: {}, querySelector: () => null, addEventListener: () => {} },
});
