// Matches: the arena's stored ones and tournaments, or a small one played while you watch; boards
// open in the review.
// Used at /match.
import { running } from "./charts";
import { h, later, render, type Child, type VNode } from "./dom";
import { choice, nameOf, offerChoice, textField } from "./forms";
import { ask, engines } from "./net";
import { bar, link } from "./shell";
import { signed } from "./words";
import { cupAddress, cupReport, listedCup, matchAddress } from "./tournament";
import { contractView } from "./words";
import type {
  MatchBoard as Board,
  MatchListed as Listed,
  MatchReport as Report,
  MatchRoom as Room,
  Offered as Offers,
  TournamentListed as ListedCup,
  TournamentReport as Cup,
} from "./wire";

export class MatchPage {
  private offers: Offers | null = null;
  private list: Listed[] = [];
  private cups: ListedCup[] = [];
  private cup: Cup | null = null;
  private shownName = "";
  private a = "";
  private b = "";
  private length = "32";
  private seed = "1";
  private report: Report | null = null;
  private playing = false;
  private problem = "";
  private order: "swing" | "number" = "swing";
  private run = 0;

  private readonly draw = later(() =>
    render(this.root, [bar(null, () => this.draw()), this.main()]),
  );

  constructor(private readonly root: HTMLElement) {
    this.draw();
    void engines().then((o) => {
      this.offers = o;
      this.a = o.bidders[0]!.spec;
      this.b = (o.bidders.find((x) => x.spec === "points") ?? o.bidders[1]!).spec;
      this.draw();
    });
    void ask<Listed[]>("/api/matches").then(
      (found) => {
        this.list = found;
        this.draw();
      },
      () => undefined,
    );
    void ask<ListedCup[]>("/api/tournaments").then(
      (found) => {
        this.cups = found;
        this.draw();
      },
      () => undefined,
    );
    addEventListener("popstate", this.look);
    this.look();
  }

  close(): void {
    this.run++;
    removeEventListener("popstate", this.look);
  }

  /** Show what the address names: a match, a tournament, or neither. */
  private readonly look = (): void => {
    if (location.pathname !== "/match") return;
    const wish = new URLSearchParams(location.hash.slice(1));
    const [name, cup] = [wish.get("name") ?? "", wish.get("tournament") ?? ""];
    if (this.playing && !name && !cup) return;
    void this.open(name, cup);
  };

  private async open(name: string, cup: string): Promise<void> {
    const run = ++this.run;
    this.playing = false;
    this.problem = "";
    let report: Report | null = null;
    let found: Cup | null = null;
    try {
      if (name)
        report = await ask<Report>(
          `/api/matches/${name.split("/").map(encodeURIComponent).join("/")}`,
        );
      else if (cup) found = await ask<Cup>(`/api/tournaments/${encodeURIComponent(cup)}`);
    } catch (error) {
      if (run === this.run) this.problem = (error as Error).message;
    }
    if (run !== this.run) return;
    this.report = report;
    this.cup = found;
    this.shownName = name;
    this.draw();
    if (report || found) scrollTo(0, 0);
  }

  private async play(): Promise<void> {
    if (location.hash) history.pushState(null, "", "/match");
    this.cup = null;
    this.shownName = "";
    const run = ++this.run;
    const boards = Number(this.length);
    this.report = {
      a: this.a,
      b: this.b,
      method: "dd",
      mean: 0,
      error: 0,
      figures: [],
      profile: [],
      boards: [],
    };
    this.playing = true;
    this.problem = "";
    this.draw();
    try {
      for (let start = 1; start <= boards; start += 4) {
        const part = await ask<Board[]>("/api/match", {
          a: this.a,
          b: this.b,
          seed: Number(this.seed) || 0,
          start,
          count: Math.min(4, boards - start + 1),
        });
        if (run !== this.run) return;
        const all: Board[] = [...this.report.boards, ...part];
        this.report = { ...this.report, boards: all, ...estimate(all.map((b) => b.imps)) };
        this.draw();
      }
    } catch (error) {
      if (run === this.run) this.problem = (error as Error).message;
    }
    if (run === this.run) this.playing = false;
    this.draw();
  }

  private main(): VNode {
    const bidders = this.offers?.bidders ?? [];
    const [cup] = this.shownName.includes("/") ? this.shownName.split("/") : [""];
    if (this.cup || this.shownName) {
      return h(
        "main",
        { class: "tool" },
        h(
          "nav",
          { class: "row", "aria-label": "Where you are" },
          link("/match", { class: "button" }, "‹ All matches"),
          cup ? link(cupAddress(cup), { class: "button" }, `‹ Tournament ${cup}`) : null,
        ),
        this.problem ? h("p", { class: "problem", role: "alert" }, this.problem) : null,
        this.cup
          ? [h("h1", null, this.cup.name), cupReport(this.cup, (spec) => this.name(spec))]
          : null,
        this.report?.boards.length ? this.shown(this.report) : null,
        this.report && !this.report.boards.length
          ? h("p", { class: "soft" }, "No board of this match is finished yet.")
          : null,
      );
    }
    return h(
      "main",
      { class: "tool" },
      h(
        "header",
        { class: "tool-head" },
        h("h1", null, "Matches"),
        h(
          "p",
          { class: "lead" },
          "Two robots bid the same boards in both rooms; the contracts are scored double dummy.",
        ),
      ),
      h(
        "form",
        {
          class: "tool-form panel",
          onsubmit: (e: Event) => {
            e.preventDefault();
            void this.play();
          },
        },
        h(
          "div",
          { class: "pair" },
          offerChoice("Team A", this.a, bidders, (v) => (this.a = v)),
          offerChoice("Team B", this.b, bidders, (v) => (this.b = v)),
        ),
        h(
          "div",
          { class: "pair" },
          choice(
            "Boards",
            this.length,
            ["16", "32", "64", "128"].map((n) => [n, n]),
            (v) => (this.length = v),
          ),
          textField("Deal number", this.seed, (v) => (this.seed = v.replace(/\D/g, "")), {
            inputmode: "numeric",
          }),
        ),
        h(
          "div",
          { class: "row" },
          h(
            "button",
            { class: "button primary", type: "submit" },
            this.playing ? "Start again" : "Play it now",
          ),
          this.playing
            ? h(
                "button",
                {
                  class: "button",
                  type: "button",
                  onclick: () => {
                    this.run++;
                    this.playing = false;
                    this.draw();
                  },
                },
                "Stop",
              )
            : null,
          this.playing
            ? h("progress", {
                max: Number(this.length),
                value: this.report!.boards.length,
                "aria-label": "boards played",
              })
            : null,
        ),
      ),
      this.cups.length
        ? h(
            "section",
            { class: "panel" },
            h("h2", null, "Tournaments on this server"),
            h("ul", { class: "stored" }, this.cups.map(listedCup)),
          )
        : null,
      this.list.length
        ? h(
            "section",
            { class: "panel" },
            h("h2", null, "Matches on this server"),
            h(
              "ul",
              { class: "stored" },
              this.list.map((m) =>
                h(
                  "li",
                  { key: m.name },
                  link(matchAddress(m.name), {}, `${m.a} – ${m.b}`),
                  h(
                    "span",
                    { class: "soft" },
                    ` ${m.boards} boards, ` +
                      `${m.method === "dd" ? "double-dummy scores" : "played out"}`,
                  ),
                ),
              ),
            ),
          )
        : null,
      this.problem ? h("p", { class: "problem", role: "alert" }, this.problem) : null,
      this.report?.boards.length ? this.shown(this.report) : null,
      this.list.length || this.cups.length
        ? null
        : h(
            "p",
            { class: "soft" },
            "Longer matches and tournaments appear here when whoever runs this server has " +
              "played some.",
          ),
    );
  }

  private name(spec: string): string {
    const found = this.offers?.bidders.find((o) => o.spec === spec);
    return found ? nameOf(found) : spec;
  }

  private shown(report: Report): VNode {
    const total = report.boards.reduce((sum, b) => sum + b.imps, 0);
    const error = report.error; // one board has none
    const wide = 1.96 * (error ?? 0);
    return h(
      "div",
      { class: "stack" },
      h(
        "section",
        { class: "panel" },
        h(
          this.shownName ? "h1" : "h2",
          { class: "versus" },
          `${this.name(report.a)} against ${this.name(report.b)}`,
        ),
        h(
          "div",
          { class: "tiles" },
          tile(
            `${report.mean >= 0 ? "+" : "−"}${Math.abs(report.mean).toFixed(2)}` +
              `${error === null ? "" : ` ± ${error.toFixed(2)}`}`,
            "IMPs a board for A, with its standard error",
          ),
          tile(
            error === null
              ? "–"
              : `${signed2(report.mean - wide)} … ${signed2(report.mean + wide)}`,
            "95 % interval",
          ),
          tile(signed(total), `IMPs in all after ${report.boards.length} boards`),
        ),
        running(
          "Running total for A",
          report.boards.map((b) => b.imps),
        ),
        h(
          "p",
          { class: "soft" },
          "Running total of IMPs for A. The band holds 95 % of what equal sides would show " +
            "by luck alone.",
        ),
      ),
      report.profile.length
        ? h(
            "section",
            { class: "panel" },
            h("h2", null, "What each robot did"),
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
                    h("td", null),
                    h("th", { scope: "col" }, `A: ${this.name(report.a)}`),
                    h("th", { scope: "col" }, `B: ${this.name(report.b)}`),
                  ),
                ),
                h(
                  "tbody",
                  null,
                  report.profile.map((r) =>
                    h(
                      "tr",
                      null,
                      h("th", { scope: "row" }, r[0]!),
                      h("td", null, r[1]!),
                      h("td", null, r[2]!),
                    ),
                  ),
                ),
              ),
            ),
          )
        : null,
      h(
        "section",
        { class: "panel" },
        h(
          "div",
          { class: "row between" },
          h("h2", null, "Boards"),
          choice(
            "Order",
            this.order,
            [
              ["swing", "biggest swings first"],
              ["number", "as played"],
            ],
            (v) => {
              this.order = v as "swing" | "number";
              this.draw();
            },
          ),
        ),
        this.boards(report),
      ),
    );
  }

  private boards(report: Report): Child {
    const rows = [...report.boards];
    if (this.order === "swing") rows.sort((x, y) => Math.abs(y.imps) - Math.abs(x.imps));
    const room = (r: Room): VNode =>
      h(
        "td",
        null,
        link(
          `/review#lin=${encodeURIComponent(r.lin)}`,
          {},
          r.contract ? [contractView(r.contract), ` ${r.declarer}${r.made}`] : "passed out",
        ),
        h("small", { class: "soft" }, ` ${signed(r.score_ns)}`),
      );
    const more =
      rows.length > 200 ? h("p", { class: "soft" }, `The first 200 of ${rows.length}.`) : null;
    return h(
      "div",
      { class: "scroll tall" },
      more,
      h(
        "table",
        { class: "list" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            ["Board", "A North–South", "B North–South", "IMPs for A"].map((t, i) =>
              h("th", { scope: "col", class: i === 3 ? "number" : null }, t),
            ),
          ),
        ),
        h(
          "tbody",
          null,
          rows
            .slice(0, 200)
            .map((b) =>
              h(
                "tr",
                { key: b.number },
                h("td", null, b.number),
                room(b.open),
                room(b.closed),
                h(
                  "td",
                  { class: b.imps > 0 ? "number good" : b.imps < 0 ? "number lost" : "number" },
                  signed(b.imps),
                ),
              ),
            ),
        ),
      ),
    );
  }
}

function tile(value: string, words: string): VNode {
  return h("div", { class: "tile" }, h("b", null, value), h("span", { class: "soft" }, words));
}

const signed2 = (x: number): string => `${x >= 0 ? "+" : "−"}${Math.abs(x).toFixed(2)}`;

function estimate(imps: number[]): { mean: number; error: number } {
  const n = imps.length;
  const mean = imps.reduce((s, x) => s + x, 0) / n;
  const spread = imps.reduce((s, x) => s + (x - mean) ** 2, 0) / Math.max(1, n - 1);
  return { mean, error: Math.sqrt(spread / n) };
}
