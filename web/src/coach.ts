// The coach's hint in three steps: a nudge, the reason, the answer.
// Used by the table page; the server sends all three, the reader decides how much to see.
import { h, type VNode } from "./dom";
import type { HintAnswer } from "./net";
import { callView, callWords, cardWords, coloured, pip, rankOf, shownRank, suitOf } from "./words";

export function hintWords(hint: HintAnswer, step: number, bidding: boolean): string {
  if (step === 1) return hint.nudge;
  if (step === 2) return hint.reasons.join(" ");
  return `${bidding ? callWords(hint.action) : cardWords(hint.action)}. ${answer(hint, bidding)}`;
}

const answer = (hint: HintAnswer, bidding: boolean): string => (bidding ? hint.meaning.words : hint.short || hint.reasons[0] || hint.why);

export function hintView(hint: HintAnswer, step: number, bidding: boolean, more: () => void): VNode {
  const next = step < 3 ? h("button", { class: "linklike more-hint", onclick: more }, step === 1 ? "Tell me why" : "Tell me what") : null;
  if (step === 1) {
    return h("div", { class: "meaning hint", key: "nudge" }, h("p", { class: "eyebrow" }, "Think about this"),
      h("p", { class: "tells" }, h("span", { class: "words" }, coloured(hint.nudge))), next);
  }
  const draw = (a: string): VNode => (bidding ? callView(a) : h("span", { class: "call" }, pip(suitOf(a)), shownRank(rankOf(a))));
  if (step === 2) {
    return h("div", { class: "meaning hint", key: "reason" }, h("p", { class: "eyebrow" }, "The reason"),
      h("ul", { class: "reasons" }, hint.reasons.map((r) => h("li", null, coloured(r)))), next);
  }
  const others = hint.candidates.filter((c) => c.action !== hint.action).slice(0, 4);
  return h("div", { class: "meaning hint", key: "answer" },
    h("p", { class: "eyebrow" }, hint.worlds ? `The answer, from ${hint.worlds} possible deals` : "The answer"),
    h("p", { class: "tells" }, draw(hint.action), h("span", { class: "words" }, coloured(answer(hint, bidding)))),
    hint.late.length ? h("ul", { class: "reasons" }, hint.late.map((r) => h("li", null, coloured(r)))) : null,
    others.length ? h("ul", { class: "others" }, others.map((c) =>
      h("li", null, draw(c.action), h("span", null, coloured(c.note))))) : null);
}
