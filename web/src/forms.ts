// Small pieces of forms and text that several pages share: fields, choices, hands in one line.
// Used by the start page, the review and the tools.
import { h, type Child, type VNode } from "./dom";
import { lang } from "./lang";
import { bySuit, cardWords, pip, rankOf, shownRank } from "./words";
import type { EngineOffer as Offer } from "./wire";

export function field(label: Child, input: VNode, note = ""): VNode {
  return h(
    "label",
    { class: "field" },
    h("span", null, label),
    input,
    note ? h("small", { class: "soft" }, note) : null,
  );
}

export function textField(
  label: string,
  value: string,
  change: (v: string) => void,
  more: Record<string, unknown> = {},
): VNode {
  return field(
    label,
    h("input", {
      value,
      spellcheck: "false",
      autocomplete: "off",
      ...more,
      oninput: (e: Event) => change((e.target as HTMLInputElement).value),
    }),
  );
}

export function area(
  label: string,
  value: string,
  change: (v: string) => void,
  more: Record<string, unknown> = {},
): VNode {
  return field(
    label,
    h("textarea", {
      rows: 6,
      spellcheck: "false",
      value,
      ...more,
      oninput: (e: Event) => change((e.target as HTMLTextAreaElement).value),
    }),
  );
}

export function choice(
  label: string,
  value: string,
  choices: [string, string][],
  change: (v: string) => void,
): VNode {
  return field(
    label,
    h(
      "select",
      { value, onchange: (e: Event) => change((e.target as HTMLSelectElement).value) },
      choices.length
        ? choices.map(([v, words]) => h("option", { value: v }, words))
        : h("option", { value: "" }, "…"),
    ),
  );
}

export function offerChoice(
  label: string,
  value: string,
  offers: Offer[],
  change: (v: string) => void,
): VNode {
  return choice(
    label,
    value || offers[0]?.spec || "",
    offers.map((o) => [o.spec, nameOf(o)]),
    change,
  );
}

export function check(label: string, on: boolean, change: (v: boolean) => void): VNode {
  return h(
    "label",
    { class: "check" },
    h("input", {
      type: "checkbox",
      checked: on,
      onchange: (e: Event) => change((e.target as HTMLInputElement).checked),
    }),
    h("span", null, label),
  );
}

export function tabs<T extends string>(
  name: string,
  value: T,
  choices: [T, string][],
  change: (v: T) => void,
): VNode {
  return h(
    "div",
    { class: "tabs", role: "radiogroup", "aria-label": name },
    choices.map(([v, words]) =>
      h(
        "label",
        { class: "tab" },
        h("input", {
          type: "radio",
          name,
          value: v,
          checked: value === v,
          onchange: () => change(v),
        }),
        h("span", null, words),
      ),
    ),
  );
}

export function fileButton(words: string, accept: string, read: (text: string) => void): VNode {
  return h(
    "label",
    { class: "button file" },
    words,
    h("input", {
      type: "file",
      accept,
      class: "sr-only",
      onchange: (e: Event) => {
        const input = e.target as HTMLInputElement;
        const file = input.files?.[0];
        if (file) void file.text().then(read);
        input.value = "";
      },
    }),
  );
}

/** A hand in one line: ♠AQ3 ♥K42 … */
export function handLine(cards: string[]): VNode {
  const held = new Map(bySuit(cards));
  const words = cards.map(cardWords).join(", ");
  return h(
    "span",
    { class: "hand-line", role: "img", "aria-label": words },
    ["S", "H", "D", "C"].map((suit) =>
      h(
        "span",
        { class: "held" },
        pip(suit),
        (held.get(suit) ?? []).map((c) => shownRank(rankOf(c))).join("") || "–",
      ),
    ),
  );
}

/** "1 board", "8 boards". */
export const counted = (n: number, word: string): string => `${n} ${word}${n === 1 ? "" : "s"}`;

const asDate = (day: string): Date => new Date(`${day}T12:00:00`);

/** A day as people say it, from 2026-11-16. */
export const dayWords = (day: string): string =>
  asDate(day).toLocaleDateString(lang(), { weekday: "long", day: "numeric", month: "long" });
export const dayShort = (day: string): string => asDate(day).toLocaleDateString(lang());

export const percent = (share: number, digits = 0): string => `${(100 * share).toFixed(digits)} %`;

export function nameOf(o: Offer): string {
  const system = /system=\W?([\w-]+)/.exec(o.spec)?.[1];
  if (system || o.spec === "partner") return o.words;
  const plain: Record<string, string> = {
    points: "Points and length",
    pass: "Always pass",
    "pimc(worlds=20)": "Club player, quick",
    pimc: "Club player",
    alphamu: "Expert, slower",
    exact: "Expert with exact endings",
    highest: "Beginner: the highest card",
    random: "Beginner: any card",
    policy: "Quick, by a network",
    bandit: "Learned by itself, first kind",
    penetrative: "Learned by itself, second kind",
    relay: "Learned by itself, third kind",
    pidm: "Two over one, thinking ahead",
    planner: "Club player who plans suits",
  };
  if (o.spec.startsWith("pragma")) return "SAYC, thinking ahead together";
  if (o.spec.startsWith("bmcs")) return "By a network that thinks ahead";
  return plain[o.spec] ?? o.spec;
}
