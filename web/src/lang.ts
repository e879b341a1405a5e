// The reader's language: every text is looked up as it is drawn; patterns cover texts with numbers.
// Used by `h`, notices and announcements; a catalogue is a JSON file of English and translation.

export const LANGUAGES: [string, string][] = [["en", "English"], ["de", "Deutsch"], ["fr", "Français"], ["pl", "Polski"]];

type Catalogue = Record<string, string>;

let language = "en";
let texts: Catalogue = {};
let patterns: [RegExp, string[], string][] = [];
let known = new Map<string, string>();
let made = new Set<string>();
/** Texts without a translation, for whoever completes a catalogue. */
export const missing = new Set<string>();

export const lang = (): string => language;

/** Load a catalogue before the first page is drawn; English needs none. */
export async function speak(wanted: string): Promise<void> {
  const found = LANGUAGES.some(([code]) => code === wanted) ? wanted : "en";
  let next: Catalogue = {};
  if (found !== "en") {
    try {
      next = (await (await fetch(`/static/${found}.json`)).json()) as Catalogue;
    } catch {
      return;
    }
  }
  language = found;
  use(next);
  document.documentElement.lang = found;
}

function use(next: Catalogue): void {
  texts = next;
  known = new Map();
  made = new Set();
  missing.clear();
  patterns = Object.entries(next).filter(([key]) => key.includes("{"))
    // The longest fixed text first: it is the most particular pattern.
    .sort(([a], [b]) => fixed(b) - fixed(a))
    .map(([key, words]) => {
      const names = [...key.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!);
      const source = key.split(/\{\w+\}/).map(escaped);
      const holes = names.map((n) => (/^n\d*$/.test(n) ? "([−+-]?[\\d.,]+)" : "(.+?)"));
      const body = source.map((part, i) => part + (holes[i] ?? "")).join("");
      return [new RegExp(`^${body}$`, "s"), names, words];
    });
}

const fixed = (key: string): number => key.replace(/\{\w+\}/g, "").length;
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A text in the reader's language; spaces around it stay, unknown texts stay English. */
export function say(text: string): string {
  if (language === "en" || !/\p{L}{2}|[a-z]/u.test(text)) return text;
  const found = known.get(text);
  if (found !== undefined) return found;
  if (made.has(text)) return text;
  const [, before, body, after] = /^(\s*)(.*?)(\s*)$/s.exec(text)!;
  const words = translated(body!);
  const out = words === null ? text : before! + words + after!;
  if (words === null) missing.add(body!);
  if (known.size > 5000) known.clear();
  known.set(text, out);
  made.add(out);
  return out;
}

function translated(text: string): string | null {
  const plain = texts[text];
  if (plain !== undefined) return plain;
  const lower = texts[text[0]!.toLowerCase() + text.slice(1)];
  if (lower !== undefined) return lower[0]!.toUpperCase() + lower.slice(1);
  for (const [pattern, names, words] of patterns) {
    const match = pattern.exec(text);
    if (!match) continue;
    const values = new Map(names.map((name, i) => [name, say(match[i + 1]!)]));
    return words.replace(/\{(\w+)\}/g, (_, name: string) => values.get(name) ?? "");
  }
  return pieces(text);
}

/** Explanations are lists of statements: each is looked up for itself. */
function pieces(text: string): string | null {
  for (const mark of ["; ", ". ", ", "]) {
    if (!text.includes(mark)) continue;
    const parts = text.split(mark).map((part) => translated(part.trim()) ?? (/\p{L}{2}/u.test(part) ? null : part));
    if (parts.every((part) => part !== null)) return parts.join(mark);
  }
  return null;
}
