// What a person prefers: theme, card size, confirmation, pace, suit letters; kept in this browser.
// Used by every page; the choices are classes on the root element, the style sheet does the rest.
import { h, type VNode } from "./dom";
import { lang, LANGUAGES, speak } from "./lang";

export interface Prefs {
  theme: "auto" | "light" | "dark";
  big: boolean;
  letters: boolean;
  guide: boolean; // sentences beside the table for who is new
  met: boolean; // has somebody answered the questions of the start page?
  closes: boolean; // does a hand close up over a card that was played?
  confirm: "auto" | "on" | "off";
  pace: "quick" | "normal" | "slow";
  sounds: boolean;
  language: string;
  name: string;
}

const KEY = "overtrick.prefs";
const DEFAULTS: Prefs = {
  theme: "auto",
  big: false,
  letters: false,
  guide: false,
  met: false,
  closes: false,
  confirm: "auto",
  pace: "normal",
  sounds: false,
  language: "",
  name: "",
};

export function prefs(): Prefs {
  try {
    return { ...DEFAULTS, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...DEFAULTS };
  }
}

/** The language somebody chose, else the browser's own where we speak it. */
export function language(): string {
  const wish = prefs().language || navigator.language.slice(0, 2);
  return LANGUAGES.some(([code]) => code === wish) ? wish : "en";
}

export const myName = (): string => prefs().name.trim().slice(0, 24);

export function apply(): void {
  const now = prefs();
  const root = document.documentElement;
  root.classList.toggle("dark", now.theme === "dark");
  root.classList.toggle("light", now.theme === "light");
  root.classList.toggle("big", now.big);
  root.classList.toggle("letters", now.letters);
  root.classList.toggle("closes", now.closes);
}

export function change(part: Partial<Prefs>): void {
  localStorage.setItem(KEY, JSON.stringify({ ...prefs(), ...part }));
  apply();
}

/** Two taps for a call or card: on touch screens unless somebody said otherwise. */
export function confirms(): boolean {
  const wish = prefs().confirm;
  return wish === "on" || (wish === "auto" && matchMedia("(pointer: coarse)").matches);
}

/** Milliseconds to look at a card, and at a finished trick. */
export function pace(): [number, number] {
  const found = { quick: [40, 120], normal: [320, 1100], slow: [650, 2000] } as const;
  const [card, trick] = found[prefs().pace];
  return [card, trick];
}

export function panel(update: () => void): VNode {
  const now = prefs();
  const pick = (name: keyof Prefs, label: string, choices: [string, string][]): VNode =>
    h(
      "label",
      { class: "field" },
      h("span", null, label),
      h(
        "select",
        {
          value: String(now[name]),
          onchange: (e: Event) => {
            const value = (e.target as HTMLSelectElement).value;
            const wanted = value === "true" ? true : value === "false" ? false : value;
            change({ [name]: wanted } as Partial<Prefs>);
            update();
          },
        },
        choices.map(([value, words]) => h("option", { value }, words)),
      ),
    );
  return h(
    "div",
    { class: "fields" },
    h(
      "label",
      { class: "field" },
      h("span", null, "Your name, as others see it"),
      h("input", {
        value: now.name,
        maxlength: "24",
        autocomplete: "nickname",
        onchange: (e: Event) => {
          change({ name: (e.target as HTMLInputElement).value });
          update();
        },
      }),
    ),
    h(
      "label",
      { class: "field" },
      h("span", null, "Language"),
      h(
        "select",
        {
          value: lang(),
          onchange: (e: Event) => {
            change({ language: (e.target as HTMLSelectElement).value });
            void speak(language()).then(update);
          },
        },
        LANGUAGES.map(([code, name]) => h("option", { value: code, translate: "no" }, name)),
      ),
    ),
    pick("theme", "Light or dark", [
      ["auto", "as the system"],
      ["light", "light"],
      ["dark", "dark"],
    ]),
    pick("big", "Cards", [
      ["false", "normal"],
      ["true", "big"],
    ]),
    pick("closes", "Your hand", [
      ["false", "keeps every card in its place"],
      ["true", "closes up after each card"],
    ]),
    pick("guide", "Guide at the table", [
      ["false", "off"],
      ["true", "explains things as they come"],
    ]),
    pick("letters", "Suits", [
      ["false", "symbols"],
      ["true", "symbols and letters"],
    ]),
    pick("confirm", "Confirm each tap", [
      ["auto", "on touch screens"],
      ["on", "always"],
      ["off", "never"],
    ]),
    pick("pace", "Pace of the play", [
      ["quick", "quick"],
      ["normal", "normal"],
      ["slow", "slow"],
    ]),
    pick("sounds", "Sounds", [
      ["false", "off"],
      ["true", "on"],
    ]),
  );
}
