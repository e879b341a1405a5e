// The coach's hint in three steps: a nudge, the reason, the answer.
// Used by the table page; the server sends all three, the reader decides how much to see.
import { type Child, h, type VNode } from "./dom";
import { say, settled, told, toldAll } from "./lang";
import { layoutsView } from "./layouts";
import { callView, callWords, cardWords, coloured, pip, rankOf, shownRank, suitOf } from "./words";
import type { HintAnswer, HintCandidate, ToldInShort as Meaning } from "./wire";

export function hintWords(hint: HintAnswer, step: number, bidding: boolean): string {
  if (step < 3) return toldAll(step === 1 ? hint.nudge : hint.reasons);
  const action = say(bidding ? callWords(hint.action) : cardWords(hint.action));
  return settled(`${action}. ${answer(hint, bidding)}`);
}

const answer = (hint: HintAnswer, bidding: boolean): string =>
  bidding ? say(hint.meaning.words) : told(hint.short);

export function hintView(
  hint: HintAnswer,
  step: number,
  bidding: boolean,
  more: () => void,
): VNode {
  const next =
    step < 3
      ? h(
          "button",
          { class: "linklike more-hint", onclick: more },
          step === 1 ? "Tell me why" : "Tell me what",
        )
      : null;
  if (step === 1) {
    return h(
      "div",
      { class: "meaning hint", key: "nudge" },
      h("p", { class: "eyebrow" }, "Think about this"),
      h("p", { class: "tells" }, h("span", { class: "words" }, coloured(toldAll(hint.nudge)))),
      next,
    );
  }
  const draw = (a: string): VNode =>
    bidding ? callView(a) : h("span", { class: "call" }, pip(suitOf(a)), shownRank(rankOf(a)));
  if (step === 2) {
    return h(
      "div",
      { class: "meaning hint", key: "reason" },
      h("p", { class: "eyebrow" }, "The reason"),
      h(
        "ul",
        { class: "reasons" },
        hint.reasons.map((r) => h("li", null, coloured(told(r)))),
      ),
      next,
    );
  }
  const others = hint.candidates.filter((c) => c.action !== hint.action).slice(0, 4);
  return h(
    "div",
    { class: "meaning hint", key: "answer" },
    h(
      "p",
      { class: "eyebrow" },
      hint.worlds ? `The answer, from ${hint.worlds} possible deals` : "The answer",
      hint.cut ? h("span", { class: "soft" }, " (there was no time for more)") : null,
    ),
    h(
      "p",
      { class: "tells" },
      draw(hint.action),
      h("span", { class: "words" }, coloured(answer(hint, bidding))),
    ),
    bidding ? rangesView(hint.meaning) : null,
    hint.late.length
      ? h(
          "ul",
          { class: "reasons" },
          hint.late.map((r) => h("li", null, coloured(told(r)))),
        )
      : null,
    bidding ? null : layoutsView(hint.action, hint.deciding, draw),
    others.length
      ? h(
          "ul",
          { class: "others" },
          others.map((c) =>
            h(
              "li",
              null,
              draw(c.action),
              bidding
                ? h("span", null, coloured(c.note), rangesView(c.meaning), worseView(hint, c))
                : h("span", null, coloured(toldAll(c.said))),
            ),
          ),
        )
      : null,
  );
}

/** The ranges of a call, as partner will read them. */
const rangesView = (meaning: Meaning | null): Child =>
  meaning?.ranges ? h("span", { class: "tag strong" }, coloured(meaning.ranges)) : null;

/** How much less the second choice is worth, where the difference is more than its error. */
function worseView(hint: HintAnswer, other: HintCandidate): Child {
  const best = hint.candidates.find((c) => c.action === hint.action);
  if (best?.value == null || other.value === null) return null;
  const less = best.value - other.value;
  const error = Math.hypot(best.error ?? 0, other.error ?? 0);
  const words =
    less > error
      ? `${less.toFixed(1)} IMPs less over these deals`
      : "about as good over these deals";
  return h("small", { class: "soft worse" }, words);
}
