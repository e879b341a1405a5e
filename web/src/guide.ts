// For who is new here: two questions on the start page, and a sentence beside each thing when it
// comes.
// Used by the start page and the table; the guide ends with the first board, or in the settings.
import { h, type Child, type VNode } from "./dom";
import { change, confirms, prefs } from "./prefs";
import { link } from "./shell";
import { side } from "./words";
import type { State } from "./wire";

/** What the page says beside the table, by what is going on. */
export function guided(now: State): Child {
  if (!prefs().guide || now.watching) return null;
  const words = tip(now);
  return words ? h("p", { class: "guide", key: words }, words) : null;
}

function tip(now: State): string {
  if (now.phase === "auction") {
    if (!now.mine) return "The others call in turn. Choose a call of theirs to see what it showed.";
    return confirms()
      ? "Your call: tap a bid to read what it tells partner, again to make it. You may always " +
          "pass; " +
          "the lamp helps."
      : "Your call: point at a bid to read what it tells partner, click to make it. You may " +
          "always " +
          "pass; the lamp helps.";
  }
  if (now.phase === "over") return "";
  const contract = now.contract!;
  const ours = side(contract.declarer) === side(now.seat);
  if (now.play!.cards === 0 && !ours)
    return "Partner and you defend. The first card is led before dummy is seen.";
  if (ours)
    return (
      "Your side plays the contract: dummy's cards lie open, and you play both hands. Follow " +
      "suit if you can."
    );
  return (
    "You defend with partner, whose cards you do not see. Follow suit if you can; dummy is " +
    "open to all."
  );
}

/** The first board is over: from here on the page is quiet. */
export function learned(now: State): void {
  if (now.phase === "over" && prefs().guide) change({ guide: false });
}

const QUESTIONS: [string, [string, string][]][] = [
  [
    "Have you played bridge before?",
    [
      ["new", "No, or long ago"],
      ["plays", "Now and then"],
      ["club", "Often"],
    ],
  ],
  [
    "What should the page do at your first board?",
    [
      ["guide", "Explain things as they come"],
      ["quiet", "Stay quiet"],
    ],
  ],
];

/** Two questions, and what follows from the answers. */
export class Newcomer {
  private readonly answers: string[] = [];

  constructor(
    private readonly changed: () => void,
    private readonly play: () => void,
  ) {}

  /** Has somebody begun to answer? */
  get answering(): boolean {
    return this.answers.length > 0;
  }

  view(): VNode {
    const next = this.answers.length;
    const question = QUESTIONS[next];
    if (!question) return this.done();
    const [words, choices] = question;
    return h(
      "section",
      { class: "newcomer", key: "new" },
      h("p", { class: "eyebrow" }, `New here? ${next + 1} of ${QUESTIONS.length}`),
      h("h2", null, words),
      h(
        "div",
        { class: "row" },
        choices.map(([value, label]) =>
          h("button", { class: "button", key: value, onclick: () => this.answer(value) }, label),
        ),
      ),
    );
  }

  private answer(value: string): void {
    this.answers.push(value);
    if (this.answers.length === QUESTIONS.length) change({ guide: value === "guide", met: true });
    this.changed();
  }

  private done(): VNode {
    const fresh = this.answers[0] === "new";
    return h(
      "section",
      { class: "newcomer", key: "met" },
      h(
        "h2",
        null,
        fresh ? "Begin with what opening bids say, or sit down and try." : "Your table is ready.",
      ),
      h(
        "div",
        { class: "row" },
        h("button", { class: "button primary", onclick: () => this.play() }, "Deal me in"),
        fresh ? link("/lesson/opening", { class: "button" }, "First lesson") : null,
      ),
    );
  }
}
