// The layouts that decide between two cards: of the possible ones one of each kind, as small
// diagrams.
// Used by the hint and by the review's record of it.
import { h, type Child, type VNode } from "./dom";
import { told } from "./lang";
import { diagram } from "./parts";
import { coloured, SEAT_NAMES } from "./words";
import type { Deciding, SeatLetter } from "./wire";

export function layoutsView(
  action: string,
  deciding: Deciding | null | undefined,
  draw: (card: string) => Child,
): VNode | null {
  if (!deciding) return null;
  const { other, worlds, better, worse, layouts, said } = deciding;
  return h(
    "section",
    { class: "deciding", key: "deciding" },
    h("h3", null, "Layouts that decide"),
    h(
      "p",
      { class: "soft" },
      h("span", null, `Of ${worlds} possible layouts`),
      " ",
      draw(action),
      h("span", null, ` is better in ${better},`),
      " ",
      draw(other),
      h("span", null, ` in ${worse}.`),
      said.map((s) => [" ", coloured(told(s))]),
    ),
    h(
      "div",
      { class: "layouts-drawn" },
      layouts.map((layout) =>
        h(
          "figure",
          { key: String(layout.better) },
          h(
            "figcaption",
            null,
            draw(layout.better ? action : other),
            " ",
            h("span", null, "is better here"),
          ),
          (Object.entries(layout.hands) as [SeatLetter, string][]).map(([seat, hand]) =>
            h("div", { key: seat }, h("b", null, SEAT_NAMES[seat]), diagram(cardsOf(hand))),
          ),
        ),
      ),
    ),
  );
}

/** The cards of a hand such as AQ5.K973..A84. */
function cardsOf(hand: string): string[] {
  return hand.split(".").flatMap((held, i) => [...held].map((rank) => "SHDC"[i]! + rank));
}
