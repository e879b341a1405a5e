// Matches that several people play on the same boards: today's, a club's, a friend's; the ranking.
// Used at /club and /club/NAME; the ranking names nobody's cards.
import { h, later, render, type Child, type VNode } from "./dom";
import { interval } from "./charts";
import { choice, dayWords, textField } from "./forms";
import { ask, keep, tickets } from "./net";
import { change, myName } from "./prefs";
import { bar, copy, go } from "./shell";
import { signed } from "./words";
import type {
  ContestPage as Contest,
  EntryRow as Entry,
  NewContest,
  RatedRow,
  RatingPage as Rated,
  Reach,
  Ticket,
} from "./wire";

/** The tokens of matches that this browser has made: with them entries can be taken out. */
const DIRECTED = "overtrick.directed";

function directed(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(DIRECTED) ?? "{}");
  } catch {
    return {};
  }
}

export class ClubPage {
  private contest: Contest | null = null;
  private entries: Entry[] = [];
  private name = myName();
  private title = "";
  private boards = "8";
  private scoring = "imps";
  private seat = "S";
  private busy = false;
  private problem = "";
  private reach: Reach | null = null;
  private rated: Rated | null = null;
  private timer = 0;
  private readonly wanted = /^\/club\/([\w-]+)$/.exec(location.pathname)?.[1] ?? "";
  private readonly mine = new URLSearchParams(location.search).get("table") ?? "";

  private readonly draw = later(() =>
    render(this.root, [bar(null, () => this.draw()), this.wanted ? this.one() : this.start()]),
  );

  constructor(private readonly root: HTMLElement) {
    this.draw();
    if (this.wanted) void this.load();
    else
      void ask<Rated>("/api/ratings").then(
        (found) => {
          this.rated = found;
          this.draw();
        },
        () => undefined,
      );
    void ask<Reach>("/api/here").then(
      (found) => {
        this.reach = found;
        this.draw();
      },
      () => undefined,
    );
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private async load(): Promise<void> {
    try {
      const table = this.table();
      this.contest = await ask<Contest>(
        `/api/contests/${this.wanted}${table ? `?table=${table}` : ""}`,
      );
      const token = directed()[this.wanted];
      if (token)
        this.entries = await ask<Entry[]>(`/api/contests/${this.wanted}/entries`, undefined, token);
    } catch (error) {
      this.problem = (error as Error).message;
    }
    this.draw();
    this.timer = window.setTimeout(() => void this.load(), 15000);
  }

  /** The table at which I play this match, if I do. */
  private table(): string {
    if (this.mine) return this.mine;
    const name = this.contest?.contest ?? this.wanted;
    return tickets().find((t) => t.contest === name)?.table ?? "";
  }

  private async enter(): Promise<void> {
    await this.busily(async () => {
      change({ name: this.name });
      const ticket = await ask<Ticket>(`/api/contests/${this.contest!.contest}/enter`, {
        name: myName(),
        seat: this.seat,
      });
      keep({ ...ticket, contest: this.contest!.contest });
      go(`/table/${ticket.table}`);
    });
  }

  private async found(): Promise<void> {
    await this.busily(async () => {
      const made = await ask<NewContest>("/api/contests", {
        title: this.title.slice(0, 60),
        boards: Number(this.boards),
        scoring: this.scoring,
      });
      const kept = Object.entries(directed()).slice(-39);
      localStorage.setItem(
        DIRECTED,
        JSON.stringify(Object.fromEntries([...kept, [made.contest, made.director]])),
      );
      go(`/club/${made.contest}`);
    });
  }

  private async remove(entry: string): Promise<void> {
    await this.busily(async () => {
      this.entries = await ask<Entry[]>(
        `/api/contests/${this.wanted}/remove`,
        { entry },
        directed()[this.wanted],
      );
      this.contest = await ask<Contest>(`/api/contests/${this.wanted}`);
    });
  }

  private async busily(work: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.problem = "";
    this.draw();
    try {
      await work();
    } catch (error) {
      this.problem = (error as Error).message;
    }
    this.busy = false;
    this.draw();
  }

  private start(): VNode {
    return h(
      "main",
      { class: "tool" },
      h(
        "header",
        { class: "tool-head" },
        h("h1", null, "Matches with others"),
        h(
          "p",
          { class: "lead" },
          "Everybody plays the same boards with robots, at any time. Results are compared at " +
            "once, board by board.",
        ),
      ),
      h(
        "div",
        { class: "club-choices" },
        h(
          "section",
          { class: "panel" },
          h("h2", null, "Today's boards"),
          h("p", null, "Eight boards that change every day and are the same for everybody."),
          h(
            "div",
            { class: "row" },
            h(
              "button",
              { class: "button primary", onclick: () => go("/club/daily") },
              "To today's boards",
            ),
          ),
        ),
        h(
          "section",
          { class: "panel" },
          h("h2", null, "Play with people"),
          h("p", null, "Partners and opponents who are here now; robots until they come."),
          h(
            "div",
            { class: "row" },
            h("button", { class: "button primary", onclick: () => go("/lobby") }, "To the lobby"),
          ),
        ),
        h(
          "section",
          { class: "panel" },
          h("h2", null, "An event of pairs"),
          h(
            "p",
            null,
            "Four people at a table, a Mitchell or a Howell, rounds, a director, results to print.",
          ),
          h(
            "div",
            { class: "row" },
            h("button", { class: "button", onclick: () => go("/event") }, "To the events"),
          ),
        ),
        h(
          "section",
          { class: "panel" },
          h("h2", null, "A match for your friends or your club"),
          textField("Name of the match", this.title, (v) => (this.title = v), { maxlength: "60" }),
          h(
            "div",
            { class: "pair" },
            choice(
              "Boards",
              this.boards,
              ["4", "8", "16", "24", "32"].map((n) => [n, n]),
              (v) => {
                this.boards = v;
                this.draw();
              },
            ),
            choice(
              "Scoring",
              this.scoring,
              [
                ["imps", "IMPs"],
                ["matchpoints", "Matchpoints"],
              ],
              (v) => {
                this.scoring = v;
                this.draw();
              },
            ),
          ),
          this.problem ? h("p", { class: "problem", role: "alert" }, this.problem) : null,
          h(
            "div",
            { class: "row" },
            h(
              "button",
              { class: "button primary", onclick: () => void this.found() },
              this.busy ? "…" : "Make the match",
            ),
          ),
          h("p", { class: "soft" }, "Up to 256 people play it by one link."),
        ),
      ),
      this.ratings(),
    );
  }

  /** Who is how strong, with an interval: whoever has played little has a wide one. */
  private ratings(): Child {
    const found = this.rated;
    if (!found) return null;
    const all = [...found.people, ...found.pairs];
    const reach = Math.max(1, ...all.map((r) => Math.abs(r.value) + 2 * r.error));
    const list = (title: string, rows: RatedRow[]): Child =>
      rows.length
        ? h(
            "section",
            { class: "panel" },
            h("h2", null, title),
            h(
              "div",
              { class: "scroll", tabindex: "0" },
              h(
                "table",
                { class: "list ranking rated" },
                h(
                  "thead",
                  null,
                  h(
                    "tr",
                    null,
                    h("th", { scope: "col" }, "Name"),
                    h("th", { scope: "col", class: "number" }, "IMPs a board ± error"),
                    h("th", { scope: "col", class: "number" }, "Boards"),
                    h("th", { scope: "col", class: "chart" }, "95 % interval"),
                  ),
                ),
                h(
                  "tbody",
                  null,
                  rows.map((r, i) => rated(r, i, reach)),
                ),
              ),
            ),
          )
        : null;
    return [
      list("Ratings", found.people),
      list("Ratings of pairs", found.pairs),
      h(
        "p",
        { class: "soft" },
        found.anchored
          ? "Ratings: IMPs a board more than one of the usual robots wins in the same seat. "
          : "Ratings: IMPs a board above the average of all who play here. ",
        h("span", null, `Who has played ${found.fewest} boards is listed.`),
        " ",
        "Boards whose cards somebody could have known do not count, nor those on which the coach " +
          "was asked, nor today's boards.",
      ),
    ];
  }

  private one(): VNode {
    const c = this.contest;
    if (!c) return h("main", { class: "empty" }, h("p", null, this.problem || "…"));
    const title = c.day
      ? [h("span", null, "Daily boards"), " ", h("small", { translate: "no" }, dayWords(c.day))]
      : c.title || "A match on the same boards";
    const table = this.table();
    return h(
      "main",
      { class: "tool" },
      h(
        "header",
        { class: "tool-head" },
        h("h1", null, title),
        h(
          "p",
          { class: "lead" },
          c.scoring === "imps"
            ? `${c.boards} boards, IMPs against the robots' room.`
            : `${c.boards} boards, matchpoints over all who played them.`,
        ),
      ),
      h(
        "section",
        { class: "panel enter" },
        table
          ? h(
              "div",
              { class: "row" },
              h(
                "button",
                { class: "button primary large", onclick: () => go(`/table/${table}`) },
                "To my table",
              ),
            )
          : [
              h(
                "div",
                { class: "pair" },
                textField("Your name, as others see it", this.name, (v) => (this.name = v), {
                  maxlength: "24",
                  autocomplete: "nickname",
                }),
                choice(
                  "Your seat",
                  this.seat,
                  [
                    ["S", "South"],
                    ["N", "North"],
                    ["E", "East"],
                    ["W", "West"],
                  ],
                  (v) => {
                    this.seat = v;
                    this.draw();
                  },
                ),
              ),
              h(
                "div",
                { class: "row" },
                h(
                  "button",
                  { class: "button primary large", onclick: () => void this.enter() },
                  this.busy ? "Dealing…" : "Play these boards",
                ),
              ),
            ],
        this.problem ? h("p", { class: "problem", role: "alert" }, this.problem) : null,
        this.link(c),
      ),
      h(
        "section",
        { class: "panel" },
        h("h2", null, "Ranking"),
        this.ranking(c),
        c.chosen ? h("p", { class: "soft" }, "The cards were chosen, so nobody is ranked.") : null,
        c.promise
          ? h(
              "details",
              { class: "soft" },
              h("summary", null, "The cards are fixed and promised"),
              h("p", null, h("code", { class: "address", translate: "no" }, c.promise)),
            )
          : null,
      ),
      this.entries.length
        ? h(
            "section",
            { class: "panel" },
            h("h2", null, "Entries"),
            h(
              "p",
              { class: "soft" },
              "You made this match: whoever does not belong here can be taken out.",
            ),
            this.entries.some((e) => e.address)
              ? h(
                  "p",
                  { class: "soft" },
                  "Entries with the same number come from one address: a household, a club, " +
                    "or one person twice.",
                )
              : null,
            h(
              "table",
              { class: "list" },
              h(
                "tbody",
                null,
                this.entries.map((e) =>
                  h(
                    "tr",
                    { key: e.entry },
                    h(
                      "th",
                      { scope: "row", translate: e.name ? "no" : null },
                      e.name || "Somebody",
                    ),
                    h("td", null, `${e.boards}/${c.boards}`),
                    h("td", { class: "soft" }, e.address ? `address ${e.address}` : ""),
                    h(
                      "td",
                      null,
                      h(
                        "button",
                        { class: "button small", onclick: () => void this.remove(e.entry) },
                        "Take out",
                      ),
                    ),
                  ),
                ),
              ),
            ),
          )
        : null,
    );
  }

  /** The address others open; a server that only this computer reaches says so. */
  private link(c: Contest): Child {
    const local = /^(localhost|127\.|\[?::1)/.test(location.host);
    const origin = local && this.reach?.addresses[0] ? this.reach.addresses[0] : location.origin;
    const address = `${origin}/club/${c.contest}`;
    return [
      h(
        "div",
        { class: "row" },
        h("code", { class: "address", translate: "no" }, address),
        h(
          "button",
          { class: "button small", onclick: () => void copy(address, "Link to the match") },
          "Copy link",
        ),
      ),
      local && this.reach && !this.reach.open
        ? h(
            "details",
            { class: "soft" },
            h("summary", null, "So far only this computer can open this link"),
            h(
              "p",
              null,
              "Whoever started the program can let others in: start it with this command, " +
                "and the link here will work in the whole network.",
            ),
            h("code", { translate: "no" }, "overtrick serve --host 0.0.0.0"),
          )
        : null,
    ];
  }

  private ranking(c: Contest): VNode {
    if (!c.ranking.length) return h("p", { class: "soft" }, "Nobody has finished a board yet.");
    return h(
      "div",
      { class: "scroll", tabindex: "0" },
      h(
        "table",
        { class: "list ranking" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            ["Place", "Name", "Boards", "IMPs", "Matchpoints", ""].map((w) =>
              h("th", { scope: "col" }, w),
            ),
          ),
        ),
        h(
          "tbody",
          null,
          c.ranking.map((r) =>
            h(
              "tr",
              { class: r.mine ? "me" : null },
              h("td", null, r.boards === c.boards ? r.place : "–"),
              h("th", { scope: "row", translate: r.name ? "no" : null }, r.name || "Somebody"),
              h("td", null, `${r.boards}/${c.boards}`),
              h("td", { class: "num" }, signed(r.imps)),
              h("td", { class: "num" }, r.percent === null ? "–" : `${r.percent.toFixed(1)} %`),
              h("td", { class: "soft" }, [
                r.helped
                  ? r.helped === 1
                    ? "help on 1 board"
                    : `help on ${r.helped} boards`
                  : null,
                r.helped && r.unranked ? ", " : null,
                r.unranked ? `not ranked: ${r.unranked}` : null,
              ]),
            ),
          ),
        ),
      ),
    );
  }
}

function rated(r: RatedRow, i: number, reach: number): VNode {
  const names = r.names.filter(Boolean).join(" – ");
  const words = `${r.value >= 0 ? "+" : "−"}${Math.abs(r.value).toFixed(2)}`;
  return h(
    "tr",
    { key: i, class: r.mine ? "me" : null },
    h("th", { scope: "row", translate: names ? "no" : null }, names || "Somebody"),
    h("td", { class: "number" }, words, h("small", { class: "soft" }, ` ± ${r.error.toFixed(2)}`)),
    h("td", { class: "number" }, r.boards),
    h("td", { class: "chart" }, interval(words, r.value, 1.96 * r.error, reach)),
  );
}
