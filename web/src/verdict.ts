// Verdicts: wrong, close or as good as any, with every alternative double and single dummy.
// Used by the review and by the page of an evening.
import { h, type Child, type VNode } from "./dom";
import { percent } from "./forms";
import type { JudgedDecision as Judged, SeatLetter } from "./wire";
import {
  callView,
  contractView,
  pip,
  rankOf,
  SEAT_NAMES,
  shownRank,
  signed,
  suitOf,
} from "./words";

const FAULTS: Record<string, string> = {
  "missed slam": "The slam was missed:",
  "missed game": "The game was missed:",
  "too high": "They bid too high",
  "wrong contract": "Another contract was better:",
  "sold out": "They let the others play:",
  "no sacrifice": "A sacrifice or a double was cheaper",
};

/** What an auction lost against par, in words. */
export function fault(lost: { kind: string; vulnerable: boolean; side: string }): string {
  const who = lost.side === "NS" ? "North–South" : "East–West";
  const words = FAULTS[lost.kind] ?? "The auction:";
  const vulnerable =
    lost.vulnerable && lost.kind.startsWith("missed")
      ? words.replace("The ", "The vulnerable ")
      : words;
  return `${who}: ${vulnerable[0]!.toLowerCase()}${vulnerable.slice(1)}`;
}

/** Beside a costly decision: wrong, close, or unlucky. */
export function verdictTag(word: Judged["word"] | undefined, cost: boolean): Child {
  if (!word) return null;
  const [text, tone] =
    word === "wrong"
      ? ["wrong", "bad"]
      : word === "close"
        ? ["close", ""]
        : cost
          ? ["unlucky", "gold"]
          : ["", ""];
  return text ? [" ", h("span", { class: `tag ${tone}` }, text)] : null;
}

/**
 * One sentence for what was decided with what could be seen; a call's cost shows in the list
 * above.
 */
export function wrongWords(seen: Judged | undefined, cost: number, call = false): string {
  if (!seen) return cost ? "" : "Nothing lost.";
  if (seen.word === "wrong")
    return cost || call
      ? "With what could be seen, another choice was better."
      : "It cost nothing as the cards lay, but it was not the best chance.";
  if (seen.word === "close") return "Too close to call: no sample tells which choice is better.";
  return cost
    ? "With what could be seen it was as good as any: unlucky, not wrong."
    : "As good as any.";
}

/** Every choice: what it takes double dummy, and over the deals that were possible. */
export function judgedView(
  seen: Judged,
  view: (action: string) => Child,
  choose: (action: string) => void,
): VNode {
  const cards = seen.choices.some((c) => c.tricks !== null);
  const sign = (x: number): string => (Math.abs(x) < 0.05 ? "0" : signed(Math.round(10 * x) / 10));
  return h(
    "details",
    { class: "choices", open: seen.word === "wrong" },
    h("summary", null, `All choices, over ${seen.worlds} possible deals`),
    h(
      "div",
      { class: "scroll" },
      h(
        "table",
        { class: "list" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            ["Choice", ...(cards ? ["All cards seen", "Tricks", "Contract"] : []), "IMPs", ""].map(
              (t, i) =>
                h(
                  "th",
                  { scope: "col", class: i ? "number" : null },
                  t || h("span", { class: "sr-only" }, "Try it"),
                ),
            ),
          ),
        ),
        h(
          "tbody",
          null,
          seen.choices.map((c) =>
            h(
              "tr",
              { key: c.action, class: c.action === seen.done ? "chosen" : null },
              h("th", { scope: "row" }, view(c.action)),
              cards
                ? [
                    h("td", { class: "number" }, seen.double?.[c.action] ?? "–"),
                    h(
                      "td",
                      { class: "number" },
                      c.tricks === null
                        ? "–"
                        : `${c.tricks.toFixed(1)} ± ${(c.tricks_error ?? 0).toFixed(1)}`,
                    ),
                    h("td", { class: "number" }, c.chance === null ? "–" : percent(c.chance)),
                  ]
                : null,
              h(
                "td",
                { class: "number" },
                c.action === seen.done ? "chosen" : `${sign(c.imps)} ± ${c.error.toFixed(1)}`,
              ),
              h(
                "td",
                { class: "number" },
                c.action === seen.done
                  ? null
                  : h("button", { class: "linklike", onclick: () => choose(c.action) }, "Try it"),
              ),
            ),
          ),
        ),
      ),
    ),
    h(
      "p",
      { class: "soft" },
      cards
        ? "Declarer's tricks in all; contract: how often the side on play makes it, or beats " +
            "it. IMPs gained over what was played."
        : "IMPs gained over what was called, with robots bidding on.",
    ),
  );
}

const BIDS = ["1", "2", "3", "4", "5", "6", "7"].flatMap((level) =>
  ["C", "D", "H", "S", "NT"].map((strain) => level + strain),
);

/** What may be called after these calls. */
export function legalCalls(calls: string[]): string[] {
  const last = calls.findLastIndex((c) => BIDS.includes(c));
  const doubled = calls
    .slice(last + 1)
    .filter((c) => c === "X" || c === "XX")
    .at(-1);
  const theirs = last >= 0 && (calls.length - last) % 2 === 1;
  const more = !doubled && theirs ? ["X"] : doubled === "X" && !theirs && last >= 0 ? ["XX"] : [];
  return ["Pass", ...more, ...BIDS.slice(last < 0 ? 0 : BIDS.indexOf(calls[last]!) + 1)];
}

/** A call, or a contract that would have been final such as "4S N". */
export function betterView(action: string): Child {
  const [call, by] = action.split(" ");
  return by
    ? [contractView(call!), " ", h("span", null, `by ${SEAT_NAMES[by as SeatLetter]}`)]
    : callView(call!);
}

/** A card in a sentence. */
export function cardText(card: string): VNode {
  return h("span", { class: "call" }, pip(suitOf(card)), shownRank(rankOf(card)));
}
