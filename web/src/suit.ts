// Suit play: one holding solved against best defence, every goal with its chance, the line drawn.
// Used at /suit; the holding is in the address.
import { h, later, render, type Child, type VNode } from "./dom";
import { choice, percent, textField } from "./forms";
import { ask } from "./net";
import { bar, copy } from "./shell";
import { shownRank } from "./words";
import type { SolvedSuit as Solved, SuitTrick as Trick } from "./wire";

const EXAMPLES: [string, string][] = [
  ["AQT98", "5432"],
  ["AJ9xx", "Kxxx"],
  ["KQT9", "xxx"],
  ["AQJx", "xxx"],
  ["KJxx", "Axxx"],
  ["QT9xx", "Axxx"],
];

export class SuitPage {
  private north: string;
  private south: string;
  private goal: string;
  private entries: string;
  private vacant: string;
  private found: Solved | null = null;
  private line = "";
  private problem = "";
  private asked = 0;
  private timer = 0;

  private readonly draw = later(() =>
    render(this.root, [bar(null, () => this.draw()), this.main()]),
  );

  constructor(private readonly root: HTMLElement) {
    const hash = new URLSearchParams(location.hash.slice(1));
    this.north = hash.get("north") ?? "AQT98";
    this.south = hash.get("south") ?? "5432";
    this.goal = hash.get("tricks") ?? "";
    this.entries = hash.get("entries") ?? "";
    this.vacant = hash.get("vacant") ?? "13 13";
    this.draw();
    void this.ask();
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private wish(): Record<string, unknown> {
    const pair = (text: string): number[] | null => {
      const found = text.match(/-?\d+|any/g);
      return found?.length === 2 ? found.map((t) => (t === "any" ? -1 : Number(t))) : null;
    };
    return {
      north: this.north || "-",
      south: this.south || "-",
      ...(this.goal ? { tricks: Number(this.goal) } : {}),
      ...(pair(this.vacant) ? { vacant: pair(this.vacant) } : {}),
      ...(pair(this.entries) ? { entries: pair(this.entries) } : {}),
    };
  }

  private async ask(): Promise<void> {
    const mine = ++this.asked;
    try {
      const found = await ask<Solved>("/api/suit", this.wish());
      if (mine !== this.asked) return;
      this.found = found;
      this.line = found.line;
      this.problem = "";
      const kept = {
        north: this.north,
        south: this.south,
        tricks: this.goal,
        entries: this.entries,
        vacant: this.vacant,
      };
      history.replaceState(
        null,
        "",
        `/suit#${new URLSearchParams(Object.entries(kept).filter(([, v]) => v && v !== "13 13"))}`,
      );
    } catch (error) {
      if (mine !== this.asked) return;
      this.problem = (error as Error).message;
      this.goal = "";
    }
    this.draw();
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.ask(), 350);
  }

  private main(): VNode {
    return h(
      "main",
      { class: "tool" },
      h(
        "header",
        { class: "tool-head" },
        h("h1", null, "How to play this suit"),
        h(
          "p",
          { class: "lead" },
          "Solved exactly, against defenders who make no mistake. An x is any small card.",
        ),
      ),
      h(
        "div",
        { class: "tool-form panel" },
        h(
          "div",
          { class: "pair" },
          textField(
            "North",
            this.north,
            (v) => {
              this.north = v;
              this.soon();
            },
            { class: "mono", autocapitalize: "characters" },
          ),
          textField(
            "South",
            this.south,
            (v) => {
              this.south = v;
              this.soon();
            },
            { class: "mono", autocapitalize: "characters" },
          ),
        ),
        h(
          "div",
          { class: "thirds" },
          choice(
            "You need",
            this.goal,
            [
              ["", "most tricks on average"],
              ...(this.found?.goals ?? []).map(
                (g) => [String(g.tricks), `${g.tricks} or more tricks`] as [string, string],
              ),
            ],
            (v) => {
              this.goal = v;
              void this.ask();
            },
          ),
          choice(
            "Entries outside, North and South",
            this.entries,
            [
              ["", "as many as needed"],
              ["0 any", "none to North"],
              ["any 0", "none to South"],
              ["1 1", "one to each"],
              ["1 any", "one to North"],
              ["any 1", "one to South"],
              ["2 2", "two to each"],
            ],
            (v) => {
              this.entries = v;
              void this.ask();
            },
          ),
          choice(
            "Vacant places, West and East",
            this.vacant,
            ["13 13", "13 9", "13 7", "13 5", "9 13", "7 13", "5 13"].map((v) => [
              v,
              v.replace(" ", " and "),
            ]),
            (v) => {
              this.vacant = v;
              void this.ask();
            },
          ),
        ),
        h(
          "div",
          { class: "row" },
          h("span", { class: "soft" }, "Try"),
          EXAMPLES.map(([n, s]) =>
            h(
              "button",
              {
                class: "button small mono",
                translate: "no",
                onclick: () => {
                  Object.assign(this, { north: n, south: s, goal: "" });
                  void this.ask();
                },
              },
              `${n} / ${s}`,
            ),
          ),
          h(
            "button",
            { class: "button small", onclick: () => void copy(location.href, "Link") },
            "Copy link",
          ),
        ),
        this.problem ? h("p", { class: "problem", role: "alert" }, this.problem) : null,
      ),
      this.found ? this.solved(this.found) : null,
    );
  }

  private solved(found: Solved): VNode {
    const line = found.lines.find((l) => l.name === this.line) ?? found.lines[0]!;
    return h(
      "div",
      { class: "tool-columns" },
      h("div", { class: "stack" }, this.holding(found), this.goals(found), this.layouts(found)),
      h(
        "section",
        { class: "panel" },
        h("h2", null, `The line: ${line.name}`),
        h("p", { class: "serif" }, line.words),
        found.lines.length > 1
          ? h(
              "div",
              { class: "row", role: "group", "aria-label": "Lines" },
              found.lines.map((l) =>
                h(
                  "button",
                  {
                    class: `button small${l.name === line.name ? " primary" : ""}`,
                    "aria-pressed": l.name === line.name ? "true" : "false",
                    onclick: () => {
                      this.line = l.name;
                      this.draw();
                    },
                  },
                  `${l.name}: ${aims(l.good_for)}`,
                ),
              ),
            )
          : null,
        h(
          "p",
          { class: "soft" },
          "In brackets: in how many of all layouts the defender could play so. Who holds " +
            "several cards has a choice, so these can add up to more than 100 %.",
        ),
        h("div", { class: "plan" }, this.trick(found.plans[line.name] ?? null)),
      ),
    );
  }

  private holding(found: Solved): VNode {
    const chips = (cards: string): VNode[] =>
      [...cards].map((c) => h("span", { class: "chip" }, shownRank(c)));
    return h(
      "section",
      {
        class: "panel suit-picture",
        role: "img",
        "aria-label":
          `North: ${found.north || "void"}, South: ${found.south || "void"}, missing: ` +
          `${found.missing}`,
      },
      h(
        "div",
        { class: "suit-hand" },
        h("small", null, "North"),
        h("div", null, chips(found.north)),
      ),
      h(
        "div",
        { class: "suit-missing" },
        h("small", null, "missing"),
        h(
          "div",
          null,
          [...found.missing].map((c) => h("span", { class: "chip ghost" }, shownRank(c))),
        ),
      ),
      h(
        "div",
        { class: "suit-hand" },
        h("small", null, "South"),
        h("div", null, chips(found.south)),
      ),
    );
  }

  private goals(found: Solved): VNode {
    return h(
      "section",
      { class: "panel" },
      h("h2", null, "Chances"),
      h(
        "table",
        { class: "list goals" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            ["Tricks", "Chance", "", "Line"].map((t) =>
              h("th", { scope: "col" }, t || h("span", { class: "sr-only" }, "Bar")),
            ),
          ),
        ),
        h(
          "tbody",
          null,
          found.goals.map((g) =>
            h(
              "tr",
              { key: g.tricks, class: g.line === this.line ? "chosen" : null },
              h("td", null, `${g.tricks}+`),
              h("td", { class: "number" }, percent(g.chance, g.chance > 0 && g.chance < 1 ? 2 : 0)),
              h(
                "td",
                { class: "meter-cell" },
                h("span", { class: "meter", style: { "--p": `${(100 * g.chance).toFixed(1)}%` } }),
              ),
              h(
                "td",
                null,
                h(
                  "button",
                  {
                    class: "linklike",
                    "aria-label": `show line ${g.line}`,
                    onclick: () => {
                      this.line = g.line;
                      this.draw();
                    },
                  },
                  g.line,
                ),
              ),
            ),
          ),
        ),
      ),
      h(
        "p",
        { class: "soft" },
        `${found.mean.toFixed(3)} tricks on average.`,
        found.matchpoint_best
          ? ` Matchpoints: line ${found.matchpoint_best}.`
          : " Matchpoints: no line is best.",
        found.imp_best ? ` IMPs: line ${found.imp_best}.` : "",
      ),
    );
  }

  private layouts(found: Solved): VNode {
    return h(
      "section",
      { class: "panel" },
      h("h2", null, "How it lies"),
      h(
        "div",
        { class: found.layouts.length > 20 ? "scroll" : "scroll tall", tabindex: "0" },
        h(
          "table",
          { class: "list layouts" },
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              h("th", { scope: "col" }, "West"),
              h("th", { scope: "col" }, "East"),
              h("th", { scope: "col" }, "How often, %"),
              found.lines.map((l) => h("th", { scope: "col" }, `Tricks by ${l.name}`)),
            ),
          ),
          h(
            "tbody",
            null,
            found.layouts.map((r) => {
              const best = Math.max(...Object.values(r.tricks));
              const worst = Math.min(...Object.values(r.tricks));
              return h(
                "tr",
                null,
                h("td", { class: "mono", translate: "no" }, r.west || "–"),
                h("td", { class: "mono", translate: "no" }, r.east || "–"),
                h("td", { class: "number" }, (100 * r.chance).toFixed(2)),
                found.lines.map((l) =>
                  h(
                    "td",
                    { class: r.tricks[l.name] === best && best !== worst ? "best" : "" },
                    r.tricks[l.name]!,
                  ),
                ),
              );
            }),
          ),
        ),
      ),
      found.more_layouts
        ? h("p", { class: "soft" }, `and ${found.more_layouts} rarer layouts`)
        : null,
    );
  }

  /** A trick and what follows; the likeliest way is open, the others fold. */
  private trick(trick: Trick | null, open = true): Child {
    if (!trick) return h("p", { class: "soft" }, "Nothing is left to decide.");
    const partner = trick.hand === "N" ? "South" : "North";
    const [second, fourth] = trick.hand === "N" ? ["East", "West"] : ["West", "East"];
    const head = h(
      "p",
      { class: "lead-card" },
      h("b", null, trick.hand === "N" ? "North" : "South"),
      " leads ",
      h("span", { class: "chip" }, shownRank(trick.card)),
      h("span", { class: "tag" }, trick.tactic),
      trick.sure ? h("span", { class: "soft" }, " and the rest is clear") : null,
    );
    if (trick.sure) return h("div", { class: "trick-node" }, head);
    return h(
      "div",
      { class: "trick-node" },
      head,
      h(
        "ul",
        { class: "branches" },
        trick.answers.map((a, i) => {
          const follows = a.outcomes.filter((o) => o.then);
          const words = h(
            "span",
            null,
            `${second} plays `,
            seen(a.cards),
            h("span", { class: "soft" }, ` (possible in ${percent(a.chance)}) `),
            a.card
              ? [`${partner} plays `, h("span", { class: "chip" }, shownRank(a.card))]
              : `${partner} discards`,
          );
          if (!follows.length) return h("li", { key: i }, h("p", null, words));
          const likeliest = Math.max(...follows.map((o) => o.chance));
          return h(
            "li",
            { key: `${this.line}${i}` },
            h(
              "details",
              { open: open && i === 0 },
              h("summary", null, words),
              h(
                "ul",
                { class: "branches" },
                follows.map((o, j) => {
                  const shown = h(
                    "span",
                    null,
                    `${fourth} plays `,
                    seen(o.cards),
                    h(
                      "span",
                      { class: o.wins ? "tag good" : "tag bad" },
                      o.wins ? "you win" : "you lose it",
                    ),
                    h("span", { class: "soft" }, ` (possible in ${percent(o.chance)})`),
                  );
                  return h(
                    "li",
                    { key: j },
                    h(
                      "details",
                      { open: open && i === 0 && o.chance === likeliest },
                      h("summary", null, shown),
                      this.trick(o.then, open && i === 0 && o.chance === likeliest),
                    ),
                  );
                }),
              ),
            ),
          );
        }),
      ),
    );
  }
}

/** What a line is good for: the most tricks, or the first two of its aims. */
function aims(goals: string[]): string {
  return goals[0] === "most tricks" ? goals[0] : goals.slice(0, 2).join(", ") || "another";
}

function seen(groups: string[]): Child {
  return groups.map((cards, i) => [
    i ? " or " : "",
    cards
      ? [...cards].map((c) => h("span", { class: "chip ghost" }, shownRank(c)))
      : h("em", null, "another suit"),
  ]);
}
