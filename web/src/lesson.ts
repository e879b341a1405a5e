// A lesson: one position after the other, the answer with its reasons, asked again when it is due.
// Used at /lesson/NAME; the positions were made and checked by the engines.
import { announce, h, later, render, type Child, type VNode } from "./dom";
import { percent } from "./forms";
import { told, toldAll } from "./lang";
import { ask } from "./net";
import { auctionView, diagram } from "./parts";
import { answered, COURSE, forgetAll, next, standing } from "./progress";
import { bar, link } from "./shell";
import {
  callLabel,
  callView,
  callWords,
  cardWords,
  coloured,
  contractView,
  pip,
  plus,
  points,
  rankOf,
  RANKS,
  SEAT_NAMES,
  shownRank,
  signed,
  suitOf,
  vulnerable,
} from "./words";
import type { CardOnTable as Played, Lesson, MadeCall, Option, Position, SeatLetter } from "./wire";

const GRADES = ["", "easy", "medium", "hard"];

export class LessonPage {
  private readonly name = /^\/lesson\/([\w-]+)$/.exec(location.pathname)?.[1] ?? "";
  private lesson: Lesson | null = null;
  private at = -1;
  private chosen = "";
  private nudged = false;
  private problem = "";

  private readonly draw = later(() =>
    render(this.root, [bar(null, () => this.draw()), this.main()]),
  );

  constructor(private readonly root: HTMLElement) {
    this.draw();
    void ask<Lesson>(`/api/lessons/${this.name}`).then(
      (found) => {
        this.lesson = found;
        this.next();
      },
      (error) => {
        this.problem = (error as Error).message;
        this.draw();
      },
    );
  }

  close(): void {}

  private get names(): string[] {
    return this.lesson!.positions.map((p) => p.name);
  }

  private next(): void {
    this.at = next(this.names);
    this.chosen = "";
    this.nudged = false;
    this.draw();
    scrollTo(0, 0);
  }

  private answer(action: string): void {
    if (this.chosen) return;
    const position = this.lesson!.positions[this.at]!;
    this.chosen = action;
    const right = position.answers.includes(action);
    answered(position.name, right);
    announce(right ? "Right." : `Not the best. ${this.words(position.answers[0]!)} is better.`);
    this.draw();
  }

  private words(action: string): string {
    return this.lesson!.kind === "call" ? callWords(action) : cardWords(action);
  }

  private main(): VNode {
    if (!this.lesson)
      return h(
        "main",
        { class: "tool" },
        h("h1", null, "Lesson"),
        this.problem
          ? h("p", { class: "problem", role: "alert" }, this.problem)
          : h("p", { class: "soft waiting" }, "…"),
      );
    const now = standing(this.names);
    const position = this.lesson.positions[this.at];
    return h(
      "main",
      { class: "tool lesson" },
      h(
        "header",
        { class: "tool-head" },
        h("h1", null, this.lesson.title),
        h(
          "p",
          { class: "row" },
          h("progress", {
            max: this.names.length,
            value: now.seen,
            "aria-label": "positions seen",
          }),
          h(
            "span",
            { class: "soft" },
            `${now.seen} of ${this.names.length} seen, ${now.right} right, ${now.wrong} ` +
              `wrong${now.due ? `, ${now.due} to repeat now` : ""}`,
          ),
        ),
      ),
      position ? this.position(position) : this.done(now.soonest),
    );
  }

  private done(soonest: number): VNode {
    const hours = Math.max(0, soonest - Date.now()) / 3_600_000;
    const when =
      hours < 1
        ? `in ${Math.max(1, Math.round(60 * hours))} minutes`
        : hours < 36
          ? `in ${Math.round(hours)} hours`
          : `in ${Math.round(hours / 24)} days`;
    return h(
      "section",
      { class: "panel" },
      h("p", null, `That is all for now. The next repetition is due ${when}.`),
      h(
        "div",
        { class: "row" },
        this.onward(),
        link("/practice", { class: "button" }, "Other lessons"),
        h(
          "button",
          {
            class: "button",
            onclick: () => {
              forgetAll(this.names);
              this.next();
            },
          },
          "Begin this one again",
        ),
      ),
    );
  }

  /** The lesson that follows in the course. */
  private onward(): Child {
    const next = COURSE[COURSE.indexOf(this.lesson!.name) + 1];
    return COURSE.includes(this.lesson!.name) && next
      ? link(`/lesson/${next}`, { class: "button primary" }, "Next lesson")
      : null;
  }

  private position(p: Position): VNode {
    const call = this.lesson!.kind === "call";
    return h(
      "div",
      { class: "tool-columns", key: p.name },
      h(
        "section",
        { class: "panel" },
        h(
          "p",
          { class: "eyebrow" },
          `${GRADES[p.grade]} · you are ${SEAT_NAMES[p.seat]} · ` +
            `${vulnerable(p.vul)} vulnerable`,
        ),
        call || p.auction
          ? auctionView({
              calls: calls(p),
              dealer: p.dealer,
              vul: p.vul,
              turn: call ? p.seat : null,
              you: p.seat,
              chosen: -1,
              look: () => undefined,
            })
          : null,
        call ? this.bidding(p) : this.playing(p),
        this.chosen || !p.nudge?.length
          ? null
          : this.nudged
            ? h("p", { class: "nudge" }, coloured(toldAll(p.nudge)))
            : h(
                "button",
                {
                  class: "linklike",
                  onclick: () => {
                    this.nudged = true;
                    this.draw();
                  },
                },
                "Give me a nudge",
              ),
      ),
      this.chosen ? this.explained(p) : null,
    );
  }

  private bidding(p: Position): Child {
    const order = [...p.options].sort((a, b) => rank(a.action) - rank(b.action));
    return [
      h("p", { class: "eyebrow" }, `Your hand, ${points(cards(p.hand))} points`),
      diagram(cards(p.hand)),
      h(
        "div",
        { class: "answers", role: "group", "aria-label": "Your call" },
        order.map((o) =>
          h(
            "button",
            {
              class: `button answer${this.mark(p, o.action)}`,
              "data-action": o.action,
              "aria-label": callLabel(o.action),
              "aria-disabled": this.chosen ? "true" : null,
              onclick: () => this.answer(o.action),
            },
            callView(o.action),
          ),
        ),
      ),
    ];
  }

  private playing(p: Position): Child {
    const gone = played(p);
    const turn = p.turn ?? p.seat;
    const hands: [SeatLetter, string[]][] = [[p.seat, cards(p.hand)]];
    const table = plus(p.declarer!, 2);
    if (p.dummy && table !== p.seat) hands.unshift([table, cards(p.dummy)]);
    const trick = gone.slice(gone.length - (gone.length % 4));
    const led = trick[0] ? suitOf(trick[0].card) : "";
    const left = (hand: string[]): string[] => hand.filter((c) => !gone.some((g) => g.card === c));
    return [
      h(
        "p",
        null,
        contractView(p.contract!),
        ` ${SEAT_NAMES[p.declarer!]}`,
        gone.length ? `, trick ${Math.floor(gone.length / 4) + 1}` : ", your lead",
      ),
      gone.length ? h("p", null, standingOf(p, gone)) : null,
      gone.length
        ? h(
            "ol",
            { class: "gone-tricks soft", "aria-label": "Played" },
            tricksOf(gone).map((t, i) =>
              h(
                "li",
                { key: i },
                t.map((g) => [h("span", { translate: "no" }, g.seat), cardView(g.card)]),
              ),
            ),
          )
        : null,
      hands.map(([seat, hand]) => {
        const mine = seat === turn;
        const held = left(hand);
        const follows = held.some((c) => suitOf(c) === led);
        const legal = new Set(mine ? held.filter((c) => !follows || suitOf(c) === led) : []);
        return h(
          "div",
          { class: "lesson-hand", key: seat },
          h(
            "p",
            { class: "eyebrow" },
            `${SEAT_NAMES[seat]}${seat === p.seat ? ", you" : ", dummy"}` +
              `${mine && !this.chosen ? ": choose a card" : ""}`,
          ),
          h(
            "div",
            { class: "answers", role: "group", "aria-label": SEAT_NAMES[seat] },
            held.map((c) =>
              h(
                "button",
                {
                  class: `button answer small${legal.has(c) ? this.mark(p, c) : " dead"}`,
                  "data-action": c,
                  "aria-label": cardWords(c),
                  "aria-disabled": legal.has(c) && !this.chosen ? null : "true",
                  onclick: () => legal.has(c) && this.answer(c),
                },
                cardView(c),
              ),
            ),
          ),
        );
      }),
    ];
  }

  private mark(p: Position, action: string): string {
    if (!this.chosen) return "";
    return p.answers.includes(action) ? " right" : action === this.chosen ? " wrong" : "";
  }

  private explained(p: Position): VNode {
    const right = p.answers.includes(this.chosen);
    const mine = optionOf(p, this.chosen);
    const best = p.options.find((o) => p.answers.includes(o.action)) ?? p.options[0]!;
    // Counted over every layout: chances, no IMPs.
    const exact = p.options.every((o) => o.error === 0);
    const draw = (a: string): VNode => (this.lesson!.kind === "call" ? callView(a) : cardView(a));
    return h(
      "section",
      { class: "panel explained", "aria-label": "The answer" },
      h(
        "h2",
        null,
        !right
          ? "Not the best"
          : !mine || mine === best
            ? "Right"
            : ["Close to the best, ", draw(best.action)],
      ),
      right
        ? null
        : h(
            "p",
            null,
            draw(this.chosen),
            mine && !exact
              ? ` gives away ${(-mine.imps).toFixed(1)} IMPs on average. Better is `
              : ": better is ",
            draw(p.answers[0]!),
            ".",
          ),
      h(
        "ul",
        { class: "reasons" },
        p.reasons.map((r) => h("li", null, coloured(told(r)))),
      ),
      h(
        "div",
        { class: "scroll tall" },
        h(
          "table",
          { class: "list" },
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              [
                "Choice",
                ...(exact ? [] : ["IMPs"]),
                this.lesson!.kind === "call" ? "It would tell partner" : "Contract",
              ].map((w) => h("th", { scope: "col" }, w)),
            ),
          ),
          h(
            "tbody",
            null,
            p.options.map((o) =>
              h(
                "tr",
                { key: o.action, class: p.answers.includes(o.action) ? "chosen" : null },
                h(
                  "th",
                  { scope: "row" },
                  equals(p, o, this.chosen).map((a, i) => [i ? " " : "", draw(a)]),
                ),
                exact
                  ? null
                  : h(
                      "td",
                      { class: "number" },
                      o === best
                        ? "best"
                        : `${signed(o.imps).replace(/^([^.]*)$/, "$1.0")} ± ${o.error.toFixed(1)}`,
                    ),
                h(
                  "td",
                  null,
                  o.words
                    ? coloured(o.words)
                    : typeof o.chance !== "number"
                      ? ""
                      : exact && !p.answers.includes(o.action)
                        ? `${percent(o.chance)} or less`
                        : percent(o.chance),
                ),
              ),
            ),
          ),
        ),
      ),
      h(
        "p",
        { class: "soft" },
        `Worked out over ${p.worlds} deals that fit what you can know.`,
        this.lesson!.kind === "card" ? " Contract: how often your side makes it, or beats it." : "",
      ),
      h("button", { class: "button primary", onclick: () => this.next() }, "Next position"),
    );
  }
}

function cardView(card: string): VNode {
  return h("span", { class: "call" }, pip(suitOf(card)), shownRank(rankOf(card)));
}

/** The cards of a hand such as AQ5.K973.QJ2.A84. */
function cards(hand: string): string[] {
  return hand
    .split(".")
    .flatMap((held, i) => [...held.replace("-", "")].map((r) => "SHDC"[i]! + r));
}

function calls(p: Position): MadeCall[] {
  return p.auction
    .split(" ")
    .filter(Boolean)
    .map((call, i) => ({ seat: plus(p.dealer, i), call, alert: false, meaning: null }));
}

/** Who played which card so far. */
function played(p: Position): Played[] {
  const out: Played[] = [];
  const trump = (p.contract ?? "").replace(/[1-7X]/g, "");
  let leader = plus(p.declarer ?? "S", 1);
  for (const card of (p.play ?? "").split(" ").filter(Boolean)) {
    out.push({ seat: plus(leader, out.length % 4), card });
    if (out.length % 4 === 0) {
      leader = winnerOf(out.slice(-4), trump);
    }
  }
  return out;
}

function winnerOf(trick: Played[], trump: string): SeatLetter {
  return trick.reduce((best, c) => (beats(c.card, best.card, trump) ? c : best)).seat;
}

function beats(card: string, best: string, trump: string): boolean {
  if (suitOf(card) === suitOf(best))
    return RANKS.indexOf(rankOf(card)) < RANKS.indexOf(rankOf(best));
  return suitOf(card) === trump;
}

/** The cards of a choice that are worth the same, from the top. */
/** The cards of a choice that are named: the right ones, and the one that was chosen. */
function equals(p: Position, option: Option, chosen: string): string[] {
  const same = p.answers.filter((a) => optionOf(p, a) === option);
  const named = same.length ? same : [option.action];
  return optionOf(p, chosen) === option && !named.includes(chosen) ? [chosen, ...named] : named;
}

function tricksOf(gone: Played[]): Played[][] {
  return gone.flatMap((_, i) => (i % 4 ? [] : [gone.slice(i, i + 4)]));
}

/** How the tricks stand, without which nobody could choose. */
function standingOf(p: Position, gone: Played[]): string {
  const trump = (p.contract ?? "").replace(/[1-7X]/g, "");
  const full = tricksOf(gone).filter((t) => t.length === 4);
  const won = full.filter((t) =>
    [p.declarer!, plus(p.declarer!, 2)].includes(winnerOf(t, trump)),
  ).length;
  return (
    `Tricks so far: declarer ${won}, defenders ${full.length - won}. The contract needs ` +
    `${Number(p.contract![0]) + 6}.`
  );
}

/** Touching cards are one choice, named by its lowest card. */
function optionOf(p: Position, action: string): Option | undefined {
  const exact = p.options.find((o) => o.action === action);
  if (exact || action.length !== 2) return exact;
  return p.options
    .filter((o) => suitOf(o.action) === suitOf(action) && beats(action, o.action, ""))
    .sort((a, b) => (beats(a.action, b.action, "") ? -1 : 1))[0];
}

const CALLS = [
  "Pass",
  "X",
  "XX",
  ...["1", "2", "3", "4", "5", "6", "7"].flatMap((l) =>
    ["C", "D", "H", "S", "NT"].map((s) => l + s),
  ),
];
const rank = (call: string): number => CALLS.indexOf(call);
