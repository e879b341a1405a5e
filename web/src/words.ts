// Suits, cards and calls: how they are drawn, how they are said aloud, how they are ordered.
// Used by every page; the server sends cards as "SA" and calls as "1NT", "X", "Pass".
import { h, type Child, type VNode } from "./dom";
import { say, settled } from "./lang";
import type { SeatLetter } from "./wire";

export const SEATS: SeatLetter[] = ["N", "E", "S", "W"];
export const SUITS = ["S", "H", "D", "C"] as const;
export const STRAINS = ["C", "D", "H", "S", "NT"];
export const SEAT_NAMES: Record<SeatLetter, string> = {
  N: "North",
  E: "East",
  S: "South",
  W: "West",
};
const SUIT_WORDS: Record<string, string> = {
  S: "spades",
  H: "hearts",
  D: "diamonds",
  C: "clubs",
  NT: "no trumps",
};
const RANK_WORDS: Record<string, string> = {
  A: "ace",
  K: "king",
  Q: "queen",
  J: "jack",
  T: "10",
};
export const RANKS = "AKQJT98765432";
const SYMBOLS: Record<string, string> = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };

export const suitOf = (card: string): string => card[0]!;
export const rankOf = (card: string): string => card[1]!;
export const shownRank = (rank: string): string => (rank === "T" ? "10" : rank);

/** The suit symbol as a drawing; the letter beside it appears when the reader asked for it. */
export function pip(suit: string): VNode {
  return h(
    "span",
    { class: `pip suit-${suit}`, "data-letter": suit },
    h("svg", { viewBox: "0 0 32 32", "aria-hidden": "true" }, h("use", { href: `#suit-${suit}` })),
  );
}

export function cardWords(card: string): string {
  const rank = rankOf(card);
  return `${RANK_WORDS[rank] ?? rank} of ${SUIT_WORDS[suitOf(card)]}`;
}

export function callWords(call: string): string {
  if (call === "Pass") return "pass";
  if (call === "X") return "double";
  if (call === "XX") return "redouble";
  const level = call[0]!;
  const strain = call.slice(1);
  if (strain === "NT") return `${level} no trump${level === "1" ? "" : "s"}`;
  const suit = SUIT_WORDS[strain]!;
  return `${level} ${level === "1" ? suit.slice(0, -1) : suit}`;
}

/** A call for a label: what can be seen on the button comes first, as it must. */
export function callLabel(call: string): string {
  if (call === "X" || call === "XX") return `${call}, ${callWords(call)}`;
  return call.endsWith("NT") ? call : callWords(call);
}

/** A call as it stands in a bidding box. */
export function callView(call: string): VNode {
  if (call === "Pass" || call === "X" || call === "XX") {
    return h("span", { class: `call call-${call}` }, call);
  }
  const strain = call.slice(1);
  const mark = strain === "NT" ? h("span", { class: "nt" }, "NT") : pip(strain);
  return h("span", { class: "call" }, h("span", { class: "level" }, call[0]!), mark);
}

/** A contract such as 4SX. */
export function contractView(text: string): VNode {
  const found = /^([1-7])(NT|[CDHS])(X{0,2})$/.exec(text);
  if (!found) return h("span", null, text);
  const mark = found[2] === "NT" ? h("span", { class: "nt" }, "NT") : pip(found[2]!);
  return h("span", { class: "call" }, h("span", { class: "level" }, found[1]!), mark, found[3]!);
}

/** Text of the engines with suit symbols drawn in colour. */
export function coloured(text: string): Child[] {
  return say(text)
    .split(/([♠♥♦♣][^\s,;)]*)/)
    .map((part) =>
      part && part[0]! in SYMBOLS
        ? h(
            "span",
            { class: "held" },
            pip(SYMBOLS[part[0]!]!),
            settled(part.slice(1).replace(/^T/, "10")),
          )
        : settled(part),
    );
}

/** A card's face. */
export function face(card: string): Child[] {
  const suit = suitOf(card);
  return [
    h(
      "span",
      { class: `corner suit-${suit}`, "aria-hidden": "true" },
      h("span", { class: "rank" }, shownRank(rankOf(card))),
      pip(suit),
    ),
    h("span", { class: `centre suit-${suit}`, "aria-hidden": "true" }, pip(suit)),
  ];
}

export const side = (seat: SeatLetter): "NS" | "EW" => (seat === "N" || seat === "S" ? "NS" : "EW");
export const partner = (seat: SeatLetter): SeatLetter => plus(seat, 2);
export const plus = (seat: SeatLetter, n: number): SeatLetter =>
  SEATS[(SEATS.indexOf(seat) + n) % 4]!;
export const isVul = (seat: SeatLetter, vul: string): boolean =>
  vul === "All" || vul === side(seat);
/** Who is vulnerable, in words. */
export const vulnerable = (vul: string): string =>
  ({ None: "nobody", All: "everybody", NS: "North–South" })[vul] ?? "East–West";

/** Cards by suit in the order a player sorts them, trumps first when asked. */
export function bySuit(cards: string[], trump = ""): [string, string[]][] {
  const order = handOrder(trump);
  return order.map((suit) => [
    suit,
    cards
      .filter((c) => suitOf(c) === suit)
      .sort((a, b) => RANKS.indexOf(rankOf(a)) - RANKS.indexOf(rankOf(b))),
  ]);
}

/** Colours alternate: spades, hearts, clubs, diamonds; trumps on the left. */
export function handOrder(trump = ""): string[] {
  const plain = ["S", "H", "C", "D"];
  const at = plain.indexOf(trump);
  return at < 0 ? plain : [...plain.slice(at), ...plain.slice(0, at)];
}

export function points(cards: string[]): number {
  return cards.reduce((sum, c) => sum + Math.max(0, 4 - RANKS.indexOf(rankOf(c))), 0);
}

/** "1 IMP", "−3.5 IMPs". */
export const impWords = (n: number | string): string =>
  /^[−+]?1$/.test(`${n}`) ? `${n} IMP` : `${n} IMPs`;

export function signed(n: number): string {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0";
}
