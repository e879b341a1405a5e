// The worlds of one decision: what the hidden hands could be as the seat on turn saw it.
// Used by the review under the verdict: heat map, points and lengths of each hidden hand.
import { bars, heat } from "./charts";
import { h, type Child, type VNode } from "./dom";
import { ask } from "./net";
import { pip, SEAT_NAMES, SUITS } from "./words";
import type { HiddenHand as Hidden, PossibleHands as Possible, SeatLetter } from "./wire";
export type { Possible };

export interface Focus {
  kind: "call" | "card";
  index: number;
}

/** Asks for the worlds of whatever decision is looked at, a moment after it is looked at. */
export class Thoughts {
  private kept = new Map<string, Possible | string>();
  private timer = 0;
  private wanted = "";

  constructor(private readonly draw: () => void) {}

  clear(): void {
    clearTimeout(this.timer);
    this.kept.clear();
    this.wanted = "";
  }

  want(text: string, focus: Focus | null): void {
    const key = focus ? `${focus.kind}${focus.index}` : "";
    if (key === this.wanted) return;
    this.wanted = key;
    clearTimeout(this.timer);
    if (!focus || this.kept.has(key)) return;
    this.timer = window.setTimeout(() => void this.ask(text, focus, key), 180);
  }

  private async ask(text: string, focus: Focus, key: string): Promise<void> {
    try {
      this.kept.set(key, await ask<Possible>("/api/review/worlds", { text, ...focus }));
    } catch (error) {
      this.kept.set(key, (error as Error).message);
    }
    if (key === this.wanted) this.draw();
  }

  panel(what: Child): Child {
    if (!this.wanted) return null;
    const found = this.kept.get(this.wanted);
    if (typeof found === "string") return null;
    return h(
      "section",
      { class: "panel thoughts", "aria-label": "What could be" },
      h("h2", null, found ? `What ${SEAT_NAMES[found.seat]} could think` : "What could be"),
      h(
        "p",
        { class: "soft" },
        what,
        found
          ? ` ${found.worlds} deals, ${found.how}. Darker is likelier; what was really there ` +
              "is framed."
          : " Imagining deals…",
      ),
      found
        ? h(
            "div",
            { class: "thought-hands" },
            Object.entries(found.hands).map(([seat, hand]) => one(seat as SeatLetter, hand!)),
          )
        : null,
    );
  }
}

function one(seat: SeatLetter, hand: Hidden): VNode {
  const name = SEAT_NAMES[seat];
  const first = hand.hcp.findIndex((v) => v > 0.002);
  const last = hand.hcp.length - [...hand.hcp].reverse().findIndex((v) => v > 0.002);
  const from = Math.min(first, hand.truth.hcp);
  const hcp = hand.hcp.slice(0, Math.max(last, hand.truth.hcp + 1));
  while (hcp.length <= hand.truth.hcp) hcp.push(0);
  return h(
    "div",
    { class: "thought", key: seat },
    h("h3", null, name),
    heat(`Cards ${name} may hold`, hand.cards, new Set(hand.truth.cards), new Set(hand.shown)),
    h("p", { class: "eyebrow" }, "Points"),
    bars({
      label: `Points of ${name}`,
      values: hcp,
      from: Math.max(0, from),
      mark: hand.truth.hcp,
      every: hcp.length - from > 16 ? 5 : hcp.length - from > 9 ? 2 : 1,
    }),
    h(
      "div",
      { class: "lengths" },
      SUITS.map((suit) => {
        const truth = hand.truth.lengths[suit];
        const values = hand.lengths[suit].slice();
        while (values.length < Math.max(7, truth + 1)) values.push(0);
        return h(
          "div",
          { key: suit },
          h("p", { class: "eyebrow" }, pip(suit)),
          bars({
            label: `Length of ${suit}`,
            values: values.slice(0, Math.max(8, truth + 1)),
            mark: truth,
            every: 4,
          }),
        );
      }),
    ),
  );
}
