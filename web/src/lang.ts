// The reader's language. What the coach says comes as the id of a sentence and its values (`told`);
// every other text is looked up as it is drawn, patterns cover those with numbers.
// Used by `h`, notices and announcements; a catalogue is a JSON file of English, or @id, and
// translation.
import type { Sentence } from "./wire";

export const LANGUAGES: [string, string][] = [
  ["en", "English"],
  ["de", "Deutsch"],
  ["fr", "Français"],
  ["pl", "Polski"],
];

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

const SUIT = "spades|hearts|diamonds|clubs|♠|♥|♦|♣";
const HOLES: Record<string, string> = {
  n: "[−+-]?\\d[\\d.,]*",
  m: "\\d+",
  q: "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|none",
  s: SUIT,
  w: "North|East|South|West",
  r: "ace|king|queen|jack|ten|nine|eight|seven|six|five|four|three|two|[2-9TJQKA](?:–[2-9TJQKA])?",
  c: `[♠♥♦♣](?:10|[2-9TJQKA])|(?:ace|king|queen|jack|\\d+) of (?:${SUIT})`,
};

function use(next: Catalogue): void {
  texts = next;
  known = new Map();
  made = new Set();
  missing.clear();
  patterns = Object.entries(next)
    .filter(([key]) => key.includes("{"))
    // The longest fixed text first: it is the most particular pattern.
    .sort(([a], [b]) => fixed(b) - fixed(a))
    .map(([key, words]) => {
      const names = [...key.matchAll(/\{(\w+)\}/g)].map((m) => m[1]!);
      const source = key.split(/\{\w+\}/).map(escaped);
      const body = source
        .map((part, i) => part + (names[i] ? `(${HOLES[names[i]![0]!] ?? ".+?"})` : ""))
        .join("");
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
  if (!text) return text;
  const notrump = /^([1-7])NT(X{0,2}(?:[=+−-]\d*)?)$/.exec(text);
  if (notrump) return `${notrump[1]}${texts.NT ?? "NT"}${notrump[2]}`;
  const plain = texts[text] ?? matched(text) ?? pieces(text);
  if (plain !== null) return plain;
  const small = text[0]!.toLowerCase() + text.slice(1);
  const lower = small === text ? null : (texts[small] ?? matched(small) ?? pieces(small));
  if (lower !== null) return lower[0]!.toUpperCase() + lower.slice(1);
  if (!text.endsWith(".")) return null;
  const bare = translated(text.slice(0, -1));
  return bare === null ? null : `${bare}.`;
}

function matched(text: string): string | null {
  for (const [pattern, names, words] of patterns) {
    const match = pattern.exec(text);
    if (!match) continue;
    const values = names.map((_, i) =>
      /\p{L}{2}/u.test(match[i + 1]!) ? translated(match[i + 1]!) : match[i + 1]!,
    );
    if (values.some((v) => v === null)) continue;
    const found = new Map(names.map((name, i) => [name, values[i]!]));
    return words.replace(/\{(\w+)\}/g, (_, name: string) => found.get(name) ?? "");
  }
  return null;
}

const MARKS: [RegExp, string][] = [
  [/(?<=[.!?]) /, " "],
  [/; or /, "; or "],
  [/; /, "; "],
  [/: /, ": "],
  [/, /, ", "],
];

/** Explanations are lists of statements: each is looked up for itself. */
function pieces(text: string): string | null {
  for (const [cut, mark] of MARKS) {
    const parts = text.split(cut);
    if (parts.length < 2) continue;
    const found = parts.map((part) => (/\p{L}{2}/u.test(part) ? translated(part) : part));
    if (found.every((part) => part !== null))
      return found.join(mark === "; or " ? `; ${texts.or ?? "or"} ` : mark);
  }
  return null;
}

type Value = string | number | string[];

/** The sentence in the reader's language; old ones are only text. */
export function told(sentence: Sentence | string): string {
  if (typeof sentence === "string") return say(sentence);
  const words = texts[`@${sentence.id}`];
  if (language === "en" || words === undefined) return say(sentence.text);
  const made = words.replace(/\{(\w+)(:\w+)?\}/g, (_, name: string, form?: string) =>
    shown(sentence.args[name] ?? "", form),
  );
  return settled(made[0]!.toUpperCase() + made.slice(1));
}

/** Sentences one after the other. */
export const toldAll = (sentences: (Sentence | string)[]): string =>
  settled(sentences.map(told).join(" "));

/**
 * A value in the form its sentence asks for: `:or` between the parts of a list, or a form of a
 * word that the catalogue has beside the word, such as `one:tricks` with its noun, gender and
 * case.
 */
function shown(value: Value, form?: string): string {
  if (typeof value === "string") return texts[`${value}${form}`] ?? say(value);
  if (typeof value === "number")
    return new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value);
  return new Intl.ListFormat(language, {
    type: form === ":or" ? "disjunction" : "conjunction",
  }).format(value.map(say));
}

/** Part of a text that has been translated as a whole: it is not looked up again. */
export function settled(part: string): string {
  if (language !== "en") made.add(part);
  return part;
}
