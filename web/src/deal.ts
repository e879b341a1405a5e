// Deals to order: describe the hands, see how rare they are and what they look like, play them.
// Used at /deal; the wishes are in the address.
import { bars } from "./charts";
import { h, later, render, type Child, type VNode } from "./dom";
import { area, choice, percent, tabs, textField } from "./forms";
import { ask, keep } from "./net";
import { diagram } from "./parts";
import { bar, copy, download, go, notice } from "./shell";
import { pip, points, SEAT_NAMES, SEATS, SUITS } from "./words";
import type { DealtDeals as Dealt, DealtHand as Hand, SeatLetter, Ticket } from "./wire";

type Kind = "words" | "script";
const NAMES: Record<SeatLetter, string> = { N: "north", E: "east", S: "south", W: "west" };
const SCRIPT = `# a game try after one spade
condition hcp(north) >= 12 and hcp(north) <= 14 and spades(north) == 5
  and spades(south) >= 3 and hcp(south) >= 9 and hcp(south) <= 11
action average "points together" hcp(north) + hcp(south)`;
const EXAMPLES: [string, Partial<Record<SeatLetter, string>>][] = [
  ["Strong notrump opposite a major", { N: "hcp 15..17, balanced", S: "hcp 8+, either major 5" }],
  ["Two-suited against us", { W: "hcp 8..14, spades 5+, hearts 5+" }],
  ["A pre-empt", { N: "hcp 5..9, either major 7, 2 of AKQ in the long suit" }],
  ["Slam hands", { N: "hcp 16+, spades 5+", S: "hcp 14+, spades 4+" }],
];
const CONTRACTS: [string, number, number][] = [
  ["3NT", 4, 9],
  ["4♠", 3, 10],
  ["4♥", 2, 10],
  ["5♦", 1, 11],
  ["5♣", 0, 11],
  ["6NT", 4, 12],
  ["6♠", 3, 12],
  ["6♥", 2, 12],
  ["6♦", 1, 12],
  ["6♣", 0, 12],
];
const TO_SOLVE = 40;

export class DealPage {
  private kind: Kind;
  private wishes: Record<SeatLetter, string>;
  private script: string;
  private count = "1000";
  private seed = 0;
  private found: Dealt | null = null;
  private tricks: number[][] = [];
  private busy = false;
  private solving = false;
  private problem = "";
  private run = 0;

  private readonly draw = later(() =>
    render(this.root, [bar(null, () => this.draw()), this.main()]),
  );

  constructor(private readonly root: HTMLElement) {
    const hash = new URLSearchParams(location.hash.slice(1));
    this.wishes = {
      N: hash.get("N") ?? "hcp 15..17, balanced",
      E: hash.get("E") ?? "",
      S: hash.get("S") ?? "hcp 8..9, either major 5",
      W: hash.get("W") ?? "",
    };
    this.script = hash.get("script") ?? SCRIPT;
    this.kind = hash.has("script") ? "script" : "words";
    this.draw();
    void this.deal();
  }

  close(): void {
    this.run++;
  }

  private wish(): Record<string, unknown> {
    const shared = { count: Number(this.count), seed: this.seed };
    if (this.kind === "script") return { ...shared, script: this.script };
    return { ...shared, ...Object.fromEntries(SEATS.map((s) => [NAMES[s], this.wishes[s]])) };
  }

  private async deal(): Promise<void> {
    const run = ++this.run;
    this.busy = true;
    this.tricks = [];
    this.solving = false;
    this.draw();
    try {
      const found = await ask<Dealt>("/api/deal", this.wish());
      if (run !== this.run) return;
      this.found = found;
      this.problem = "";
      const kept =
        this.kind === "script"
          ? { script: this.script }
          : Object.fromEntries(Object.entries(this.wishes).filter(([, v]) => v));
      history.replaceState(null, "", `/deal#${new URLSearchParams(kept)}`);
    } catch (error) {
      if (run !== this.run) return;
      this.problem = (error as Error).message;
      this.found = null;
    }
    this.busy = false;
    this.draw();
  }

  private async solve(): Promise<void> {
    if (this.solving) return;
    const run = this.run;
    this.solving = true;
    this.draw();
    try {
      while (this.tricks.length < Math.min(TO_SOLVE, this.found!.deals)) {
        const part = await ask<Dealt>("/api/deal", {
          ...this.wish(),
          show: 0,
          solve: 4,
          skip: this.tricks.length,
        });
        if (run !== this.run || !part.solved.length) break;
        this.tricks.push(...part.solved);
        this.draw();
      }
    } catch (error) {
      notice((error as Error).message);
    }
    this.solving = false;
    this.draw();
  }

  private async play(bidding: boolean): Promise<void> {
    try {
      const ticket = await ask<Ticket>("/api/tables", {
        source: { type: "text", text: this.found!.pbn },
        auction_only: bidding,
        silent: bidding,
      });
      keep(ticket);
      go(`/table/${ticket.table}`);
    } catch (error) {
      notice((error as Error).message);
    }
  }

  private main(): VNode {
    return h(
      "main",
      { class: "tool" },
      h(
        "header",
        { class: "tool-head" },
        h("h1", null, "Deals to order"),
        h(
          "p",
          { class: "lead" },
          "Say what the hands are like. Deals are drawn evenly from all that fit, however " +
            "rare they are.",
        ),
      ),
      h(
        "form",
        {
          class: "tool-form panel",
          onsubmit: (e: Event) => {
            e.preventDefault();
            void this.deal();
          },
        },
        tabs<Kind>(
          "By",
          this.kind,
          [
            ["words", "In words"],
            ["script", "Dealer script"],
          ],
          (v) => {
            this.kind = v;
            this.draw();
          },
        ),
        this.kind === "words"
          ? this.words()
          : area("Script in the language of dealer", this.script, (v) => (this.script = v), {
              rows: 7,
            }),
        h(
          "div",
          { class: "row" },
          h("button", { class: "button primary", type: "submit" }, this.busy ? "Dealing…" : "Deal"),
          h(
            "button",
            {
              class: "button",
              type: "button",
              onclick: () => {
                this.seed++;
                void this.deal();
              },
            },
            "Deal others",
          ),
          choice(
            "Deals for the statistics",
            this.count,
            ["100", "1000", "5000"].map((n) => [n, n]),
            (v) => (this.count = v),
          ),
        ),
        this.problem ? h("p", { class: "problem", role: "alert" }, this.problem) : null,
      ),
      this.found ? this.results(this.found) : null,
    );
  }

  private words(): VNode {
    return h(
      "div",
      { class: "stack" },
      h(
        "div",
        { class: "pair" },
        SEATS.map((s) =>
          textField(SEAT_NAMES[s], this.wishes[s], (v) => (this.wishes[s] = v), {
            placeholder: "anything",
          }),
        ),
      ),
      h(
        "p",
        { class: "soft" },
        "Points (hcp 12..14), lengths (spades 5+, hearts ..3), shapes (balanced, any 5431, " +
          "5=4=2=2), cards (has SA, 2 of AKQ in hearts), losers, controls; and, or, not.",
      ),
      h(
        "div",
        { class: "row" },
        h("span", { class: "soft" }, "Try"),
        EXAMPLES.map(([name, wish]) =>
          h(
            "button",
            {
              class: "button small",
              type: "button",
              onclick: () => {
                this.wishes = { N: "", E: "", S: "", W: "", ...wish };
                void this.deal();
              },
            },
            name,
          ),
        ),
      ),
    );
  }

  private results(found: Dealt): VNode {
    const rare = found.chance > 0 ? 1 / found.chance : 0;
    return h(
      "div",
      { class: "stack" },
      h(
        "p",
        { class: "headline" },
        rare < 1.005
          ? "Every deal fits."
          : [
              "Such a deal comes about once in ",
              h("b", null, rare < 100 ? rare.toFixed(1) : Math.round(rare).toLocaleString()),
              ".",
            ],
      ),
      h(
        "div",
        { class: "seats-grid" },
        SEATS.map((s) => this.seat(s, found.hands[s])),
      ),
      found.statistics.length
        ? h(
            "section",
            { class: "panel" },
            h("h2", null, "The script's own figures"),
            found.statistics.map((s) =>
              s.counts
                ? [
                    h("p", { class: "eyebrow" }, s.label),
                    bars({
                      label: s.label,
                      values: s.counts.slice(1, -1).map((c) => c / found.deals),
                    }),
                  ]
                : h("p", null, `${s.label || "average"}: `, h("b", null, s.value!.toFixed(3))),
            ),
          )
        : null,
      this.boards(found),
      this.contracts(found),
    );
  }

  private seat(seat: SeatLetter, hand: Hand): VNode {
    const first = hand.hcp.findIndex((v) => v > 0);
    return h(
      "section",
      { class: "panel seat-stats" },
      h(
        "h2",
        null,
        SEAT_NAMES[seat],
        h("small", { class: "soft" }, ` ${hand.mean.toFixed(1)} points`),
      ),
      bars({
        label: `Points of ${SEAT_NAMES[seat]}`,
        values: hand.hcp,
        from: Math.max(0, Math.min(first, hand.hcp.length - 9)),
        every: hand.hcp.length - first > 12 ? 4 : 1,
      }),
      h(
        "div",
        { class: "lengths" },
        SUITS.map((suit) =>
          h(
            "div",
            null,
            h("p", { class: "eyebrow" }, pip(suit), " length"),
            bars({ label: `Length of ${suit}`, values: hand.lengths[suit].slice(0, 9), every: 2 }),
          ),
        ),
      ),
      h(
        "p",
        { class: "soft" },
        hand.shapes.map((s) => `${s.shape} ${percent(s.share)}`).join(", "),
      ),
    );
  }

  private contracts(found: Dealt): VNode {
    const n = this.tricks.length;
    const rows = n
      ? CONTRACTS.map(
          ([name, strain, need]) =>
            [name, this.tricks.filter((t) => t[strain]! >= need).length / n] as const,
        )
          .filter(([, share]) => share > 0.02)
          .sort((a, b) => b[1] - a[1])
      : [];
    return h(
      "section",
      { class: "panel" },
      h("h2", null, "What makes, double dummy"),
      n
        ? h(
            "table",
            { class: "list goals" },
            h(
              "tbody",
              null,
              rows.slice(0, 8).map(([name, share]) =>
                h(
                  "tr",
                  { key: name },
                  h("th", { scope: "row" }, contract(name)),
                  h("td", { class: "number" }, percent(share)),
                  h(
                    "td",
                    { class: "meter-cell" },
                    h("span", {
                      class: "meter",
                      style: { "--p": `${(100 * share).toFixed(0)}%` },
                    }),
                  ),
                ),
              ),
            ),
          )
        : null,
      n
        ? h("p", { class: "soft" }, `North–South, from the better side, in ${n} deals`)
        : h(
            "p",
            { class: "soft" },
            "Solve some of the deals to see which games and slams North–South make.",
          ),
      n >= Math.min(TO_SOLVE, found.deals)
        ? null
        : h(
            "div",
            { class: "row" },
            h(
              "button",
              {
                class: "button",
                "aria-disabled": this.solving ? "true" : null,
                onclick: () => void this.solve(),
              },
              this.solving ? "Solving…" : "Solve them",
            ),
            this.solving
              ? h("progress", {
                  max: Math.min(TO_SOLVE, found.deals),
                  value: n,
                  "aria-label": "deals solved",
                })
              : null,
          ),
    );
  }

  private boards(found: Dealt): VNode {
    return h(
      "section",
      { class: "panel" },
      h("h2", null, "Some of the deals"),
      h(
        "div",
        { class: "row" },
        h("button", { class: "button", onclick: () => void this.play(false) }, "Play these"),
        h("button", { class: "button", onclick: () => void this.play(true) }, "Bid these"),
        h("button", { class: "button", onclick: () => download("deals.pbn", found.pbn) }, "PBN"),
        h(
          "button",
          { class: "button", onclick: () => void copy(location.href, "Link") },
          "Copy link",
        ),
      ),
      h(
        "div",
        { class: "mini-boards" },
        found.boards.slice(0, 4).map((b) =>
          h(
            "div",
            { class: "mini", key: b.number },
            h("p", { class: "eyebrow" }, `Board ${b.number}`),
            h(
              "div",
              { class: "mini-hands" },
              (["N", "W", "E", "S"] as SeatLetter[]).map((s) =>
                h(
                  "div",
                  { class: `mini-${s}` },
                  h("p", { class: "soft" }, `${SEAT_NAMES[s]} ${points(b.hands[s])}`),
                  diagram(b.hands[s]),
                ),
              ),
            ),
          ),
        ),
      ),
    );
  }
}

function contract(name: string): Child {
  const suit: Record<string, string> = { "♠": "S", "♥": "H", "♦": "D", "♣": "C" };
  const strain = name.slice(1);
  return h(
    "span",
    { class: "call" },
    name[0]!,
    strain === "NT" ? h("span", { class: "nt" }, "NT") : pip(suit[strain]!),
  );
}
