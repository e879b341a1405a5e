// What one has learned: every position of a lesson in one of six boxes, asked again when it is due.
// Used by lessons and the practice page; kept in this browser.

interface Known {
  box: number;
  due: number;
  right: number;
  wrong: number;
}

/** The lessons in the order in which they lead on. */
export const COURSE = [
  "opening",
  "responses",
  "competition",
  "slam",
  "leads",
  "declarer",
  "defence",
  "technique-declarer",
  "technique-defender",
];

const KEY = "overtrick.lessons";
const DAY = 86_400_000;
const WAIT = [10 * 60_000, DAY, 3 * DAY, 7 * DAY, 16 * DAY, 35 * DAY];

function all(): Record<string, Known> {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof found === "object" && found ? found : {};
  } catch {
    return {};
  }
}

/** Right moves a position one box up, wrong back to the first. */
export function answered(name: string, right: boolean, now = Date.now()): void {
  const kept = all();
  const old = kept[name] ?? { box: 0, due: 0, right: 0, wrong: 0 };
  const box = right ? Math.min(WAIT.length - 1, old.box + 1) : 0;
  kept[name] = {
    box,
    due: now + WAIT[box]!,
    right: old.right + Number(right),
    wrong: old.wrong + Number(!right),
  };
  localStorage.setItem(KEY, JSON.stringify(kept));
}

/** The place of the position to ask now: what is due first, then what is new; -1 when none is. */
export function next(names: string[], now = Date.now()): number {
  const kept = all();
  const due = names
    .map((n, i) => ({ i, due: kept[n]?.due ?? Infinity }))
    .filter((p) => p.due <= now)
    .sort((a, b) => a.due - b.due)[0];
  return due ? due.i : names.findIndex((n) => !kept[n]);
}

export interface Standing {
  seen: number;
  known: number;
  due: number;
  right: number;
  wrong: number;
  soonest: number;
}

export function standing(names: string[], now = Date.now()): Standing {
  const kept = all();
  const found = names.flatMap((n) => (kept[n] ? [kept[n]!] : []));
  return {
    seen: found.length,
    known: found.filter((k) => k.box >= 2).length,
    due: found.filter((k) => k.due <= now).length,
    right: found.reduce((s, k) => s + k.right, 0),
    wrong: found.reduce((s, k) => s + k.wrong, 0),
    soonest: Math.min(...found.map((k) => k.due)),
  };
}

export function forgetAll(names: string[]): void {
  const kept = all();
  for (const n of names) delete kept[n];
  localStorage.setItem(KEY, JSON.stringify(kept));
}
