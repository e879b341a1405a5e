// Pieces of a bridge table: hands, dummy, a trick, the auction, a call's meaning, the board marker.
// Used by the table page and the review.
import { h, type Child, type VNode } from "./dom";
import type { DrawnCall, Meaning } from "./net";
import {
  bySuit,
  callLabel,
  callView,
  cardWords,
  coloured,
  face,
  isVul,
  pip,
  plus,
  rankOf,
  shownRank,
  SEAT_NAMES,
  SEATS,
  vulnerable,
} from "./words";
import type { SeatLetter, TrickShown as Trick } from "./wire";

let pointer = "";
if (typeof document !== "undefined") {
  document.addEventListener("mousemove", (e) => (pointer = `${e.screenX},${e.screenY}`), {
    capture: true,
  });
}

/** Did a hand move the pointer here? Something new under a resting pointer explains nothing. */
export function pointed(e: MouseEvent): boolean {
  const here = `${e.screenX},${e.screenY}`;
  const moved = here !== pointer;
  pointer = here;
  return moved;
}

export interface CardProps {
  legal: Set<string>;
  picked: string;
  play: (card: string) => void;
  marks?: Map<string, string>;
}

function card(name: string, at: CardProps, kind: string): VNode {
  const can = at.legal.has(name);
  const mark = at.marks?.get(name);
  const classes = `card ${kind}${at.picked === name ? " picked" : ""}${mark ? " marked" : ""}`;
  const label = cardWords(name) + (at.picked === name ? ", play it again to confirm" : "");
  if (at.legal.size === 0) {
    return h("span", { class: classes, role: "img", "aria-label": label }, face(name));
  }
  return h(
    "button",
    {
      class: classes,
      "data-card": name,
      "aria-label": label,
      "aria-disabled": can ? null : "true",
      tabindex: can ? "0" : "-1",
      onclick: () => can && at.play(name),
    },
    face(name),
    mark ? h("span", { class: "mark", "aria-hidden": "true" }, mark) : null,
  );
}

/** Cards in two rows of at most seven, suits kept together where they can be. */
function inRows(cards: string[], trump: string): string[][] {
  const groups = bySuit(cards, trump)
    .filter(([, held]) => held.length > 0)
    .map(([, held]) => held);
  let best = 7;
  for (let sum = 0, i = 0; i < groups.length; i++) {
    sum += groups[i]!.length;
    if (sum === 6 || sum === 7) best = sum;
    if (sum >= 6) break;
  }
  const all = groups.flat();
  return [all.slice(0, best), all.slice(best)];
}

/** A hand of cards that keep their places: a card that was played leaves a gap. */
export function fan(
  places: string[],
  held: string[],
  trump: string,
  label: string,
  at: CardProps,
  kind = "",
): VNode {
  const here = new Set(held);
  return h(
    "div",
    { class: "hand", role: "group", "aria-label": label },
    inRows(places, trump).map((row) =>
      h(
        "ul",
        { class: "fan" },
        row.map((name) => h("li", { key: name }, here.has(name) ? card(name, at, kind) : null)),
      ),
    ),
  );
}

/** Dummy: four columns of slips, trumps on the left; each slip keeps its place. */
export function dummy(
  places: string[],
  held: string[],
  trump: string,
  label: string,
  at: CardProps,
): VNode {
  const here = new Set(held);
  return h(
    "div",
    { class: "dummy", role: "group", "aria-label": label },
    bySuit(places, trump).map(([suit, cards]) =>
      h(
        "ul",
        { class: "column", key: suit },
        cards.length
          ? cards.map((name) =>
              h("li", { key: name }, here.has(name) ? card(name, at, "slip") : null),
            )
          : h("li", { class: "void", "aria-label": "void" }, pip(suit), "–"),
      ),
    ),
  );
}

/** A hand as it is printed: one line a suit. */
export function diagram(
  cards: string[],
  dim: Set<string> = new Set(),
  marks?: Map<string, string>,
  press?: (card: string) => void,
): VNode {
  const order = ["S", "H", "D", "C"];
  const held = new Map(bySuit(cards));
  return h(
    "dl",
    { class: "diagram" },
    order.map((suit) => [
      h("dt", { class: `suit-${suit}` }, pip(suit)),
      h(
        "dd",
        null,
        (held.get(suit) ?? []).length
          ? held.get(suit)!.map((c) => rank(c, dim, marks, press))
          : h("span", { class: "none" }, "–"),
      ),
    ]),
  );
}

function rank(
  name: string,
  dim: Set<string>,
  marks?: Map<string, string>,
  press?: (card: string) => void,
): Child {
  const mark = marks?.get(name);
  const classes = `r${dim.has(name) ? " gone" : ""}${mark ? ` worth worth-${mark}` : ""}`;
  const text = shownRank(rankOf(name));
  if (press && !dim.has(name)) {
    // What is seen is part of what is heard, so that both may be spoken to choose it.
    const label = mark ? `${text}${mark}, ${cardWords(name)}` : cardWords(name);
    return h(
      "button",
      { class: classes, onclick: () => press(name), "aria-label": label },
      text,
      mark ? h("sup", null, mark) : null,
    );
  }
  return h("span", { class: classes }, text, mark ? h("sup", null, mark) : null);
}

/** The cards on the table, seen with `bottom` below. */
export function trickView(trick: Trick | null, bottom: SeatLetter, done: boolean): VNode {
  const places = ["s", "w", "n", "e"];
  const cards = trick?.cards ?? [];
  const label = cards.length
    ? cards.map((c) => `${SEAT_NAMES[c.seat]} ${cardWords(c.card)}`).join(", ")
    : "no card on the table";
  return h(
    "div",
    { class: `trick${done ? " done" : ""}`, role: "img", "aria-label": `Trick: ${label}` },
    cards.map(({ seat, card: name }) => {
      const place = places[(SEATS.indexOf(seat) - SEATS.indexOf(bottom) + 4) % 4]!;
      const won = done && trick!.winner === seat ? " won" : "";
      return h(
        "span",
        { class: `card onto-${place}${won}`, key: name, "aria-hidden": "true" },
        face(name),
      );
    }),
  );
}

export interface AuctionProps {
  calls: DrawnCall[];
  dealer: SeatLetter;
  vul: string;
  turn: SeatLetter | null;
  you: SeatLetter | null;
  chosen: number;
  look: (index: number) => void;
  marks?: (Child | null)[];
}

/** The auction, West to the left as it is always printed. */
export function auctionView(at: AuctionProps): VNode {
  const order: SeatLetter[] = ["W", "N", "E", "S"];
  const cells: Child[] = [];
  const blanks = order.indexOf(at.dealer);
  for (let i = 0; i < blanks; i++) cells.push(h("td", { class: "blank" }));
  cells.push(...at.calls.map((made, i) => h("td", { key: `c${i}` }, madeCall(made, i, at))));
  if (at.turn)
    cells.push(
      h(
        "td",
        { key: `next${at.calls.length}`, class: "next" },
        h("span", null, at.turn === at.you ? "?" : "…"),
      ),
    );
  const rows: VNode[] = [];
  for (let i = 0; i < Math.max(1, Math.ceil(cells.length / 4)); i++) {
    const row = cells.slice(4 * i, 4 * i + 4);
    while (row.length < 4) row.push(h("td", { class: "blank" }));
    rows.push(h("tr", { key: `r${i}` }, row));
  }
  return h(
    "table",
    { class: "auction" },
    h("caption", { class: "sr-only" }, "Auction"),
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        order.map((seat) =>
          h(
            "th",
            {
              scope: "col",
              class: `${isVul(seat, at.vul) ? "vul" : "safe"}${seat === at.turn ? " on" : ""}`,
            },
            at.you === seat ? "You" : SEAT_NAMES[seat],
            isVul(seat, at.vul) ? h("span", { class: "sr-only" }, " vulnerable") : null,
          ),
        ),
      ),
    ),
    h("tbody", null, rows),
  );
}

function madeCall(made: DrawnCall, index: number, at: AuctionProps): VNode {
  const alert = made.alert ? ", alerted !" : "";
  const said = `${SEAT_NAMES[made.seat]}: ${callLabel(made.call)}${alert}`;
  const means = made.meaning ? `. ${made.meaning.words}. ${made.meaning.ranges}` : "";
  return h(
    "button",
    {
      class:
        `made${made.alert ? " alerted" : ""}${at.chosen === index ? " looked" : ""}` +
        `${made.call === "Pass" ? " passed" : ""}`,
      "aria-label": said + means,
      "data-index": index,
      onmouseenter: (e: MouseEvent) => pointed(e) && at.look(index),
      onfocus: () => at.look(index),
      onclick: () => at.look(index),
      onmouseleave: () => at.look(-1),
      onblur: () => at.look(-1),
    },
    callView(made.call),
    made.alert ? h("span", { class: "alert", "aria-hidden": "true" }, "!") : null,
    at.marks?.[index] ?? null,
  );
}

/** What a call tells: words large, ranges and kind below. */
export function meaningView(head: Child, call: string, m: Meaning | null): VNode {
  // A key of its own: another explanation takes its place, none is rearranged.
  const title = typeof head === "string" ? head : "";
  const key = `${call}/${m?.words ?? ""}/${m?.ranges ?? ""}/${title}`;
  if (!m) {
    return h(
      "div",
      { class: "meaning", key },
      h("p", { class: "eyebrow" }, head),
      h("p", { class: "tells" }, callView(call), h("span", { class: "words" }, "no explanation")),
    );
  }
  const tags: Child[] = [];
  if (m.ranges) tags.push(h("span", { class: "tag strong" }, coloured(m.ranges)));
  if (m.forcing !== "none") tags.push(h("span", { class: "tag" }, forcing(m.forcing)));
  if (m.convention) tags.push(h("span", { class: "tag" }, m.convention.replace(/-/g, " ")));
  if (m.alert) tags.push(h("span", { class: "tag gold" }, "alert"));
  if (m.announce) tags.push(h("span", { class: "tag gold" }, "announced: ", coloured(m.announce)));
  if (m.delayed) tags.push(h("span", { class: "tag" }, "alert after the auction"));
  return h(
    "div",
    { class: "meaning", key },
    h("p", { class: "eyebrow" }, head),
    h("p", { class: "tells" }, callView(call), h("span", { class: "words" }, coloured(m.words))),
    tags.length ? h("p", { class: "tags" }, tags) : null,
  );
}

function forcing(text: string): string {
  return text === "sign-off" ? "sign-off" : `forcing ${text}`;
}

/** The board as it lies on the table: number, dealer, who is vulnerable. */
export function boardMarker(
  number: number,
  dealer: SeatLetter,
  vul: string,
  bottom: SeatLetter = "S",
): VNode {
  const place = ["s", "w", "n", "e"];
  const words = `Board ${number}, dealer ${SEAT_NAMES[dealer]}, ` + `${vulnerable(vul)} vulnerable`;
  return h(
    "div",
    { class: "marker", role: "img", "aria-label": words, title: words },
    [0, 1, 2, 3].map((i) => {
      const seat = plus(bottom, i);
      return h(
        "span",
        { class: `edge edge-${place[i]}${isVul(seat, vul) ? " vul" : ""}`, "aria-hidden": "true" },
        seat === dealer ? "D" : "",
      );
    }),
    h("b", { "aria-hidden": "true" }, number),
  );
}
