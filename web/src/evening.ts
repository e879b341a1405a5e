// A club evening: progress, ranking of players and pairs, everybody's five decisions, all boards.
// Used at /evening/NAME; `?player=` shows one person's evening and is the link for them.
import { announce, h, later, render, type Child, type VNode } from "./dom";
import { counted, field } from "./forms";
import { ask } from "./net";
import { bar, copy, download, go, link } from "./shell";
import { boardAddress } from "./siblings";
import { verdictTag } from "./verdict";
import {
  callView,
  contractView,
  impWords,
  pip,
  rankOf,
  SEAT_NAMES,
  shownRank,
  signed,
  suitOf,
} from "./words";
import type {
  EveningReport as Report,
  PairRow as Pair,
  PlayerRow as Player,
  Progress,
  SeatLetter,
  TableRow as Table,
} from "./wire";

const ME = "overtrick.evening.me";

export class EveningPage {
  private readonly name = /^\/evening\/([\w-]+)$/.exec(location.pathname)?.[1] ?? "";
  private player = new URLSearchParams(location.search).get("player") ?? "";
  private found: Report | null = null;
  private problem = "";
  private timer = 0;
  private seen = -1;
  private closed = false;

  private readonly draw = later(() =>
    render(this.root, [bar(null, () => this.draw()), this.main()]),
  );

  constructor(private readonly root: HTMLElement) {
    this.draw();
    void this.load();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** The whole report when something was finished; only how far it is while nothing was. */
  private async load(): Promise<void> {
    try {
      const brief = this.found ? await ask<Progress>(`/api/evenings/${this.name}?brief=1`) : null;
      if (
        !brief ||
        brief.done - this.seen >= Math.max(1, brief.jobs / 40) ||
        brief.done === brief.jobs
      ) {
        this.found = await ask<Report>(`/api/evenings/${this.name}`);
        this.seen = this.found.done;
        if (brief && this.found.done === this.found.jobs) announce("Everything has been judged.");
      }
      this.problem = "";
    } catch (error) {
      this.problem = (error as Error).message;
    }
    if (this.closed) return;
    this.draw();
    if (!this.found || this.found.done < this.found.jobs)
      this.timer = window.setTimeout(() => void this.load(), 3000);
  }

  private show(player: string): void {
    if (player) localStorage.setItem(ME, player);
    go(`/evening/${this.name}${player ? `?player=${encodeURIComponent(player)}` : ""}`);
  }

  private main(): VNode {
    const found = this.found;
    if (!found)
      return h(
        "main",
        { class: "tool" },
        h("h1", null, "The evening"),
        this.problem
          ? h("p", { class: "problem", role: "alert" }, this.problem)
          : h("p", { class: "soft waiting", role: "status" }, "Reading…"),
      );
    const person = found.players.find((p) => p.name === this.player);
    const names = found.players.map((p) => p.name).sort((a, b) => a.localeCompare(b));
    const me = localStorage.getItem(ME) ?? "";
    return h(
      "main",
      { class: "tool evening-page" },
      h(
        "header",
        { class: "tool-head" },
        h("h1", { translate: found.title ? "no" : null }, found.title || "The evening"),
        h(
          "p",
          { class: "lead" },
          `${counted(found.tables.length, "result")}, ` +
            `${counted(new Set(found.tables.map((t) => t.deal)).size, "board")}, ` +
            `${counted(found.players.length, "player")}.`,
        ),
        found.done < found.jobs
          ? h(
              "p",
              { class: "row" },
              h("progress", { max: found.jobs, value: found.done, "aria-label": "judged" }),
              h(
                "span",
                { class: "soft" },
                `${found.done} of ${found.jobs} steps done; you may close this page and come back.`,
              ),
            )
          : null,
        found.unread.length
          ? h(
              "div",
              { class: "problem", role: "alert" },
              h(
                "p",
                null,
                found.unread.length === 1
                  ? "One board could not be read:"
                  : `${found.unread.length} boards could not be read:`,
              ),
              h(
                "ul",
                null,
                found.unread.slice(0, 12).map((w) => h("li", { translate: "no" }, w)),
              ),
            )
          : null,
        this.problem ? h("p", { class: "problem", role: "alert" }, this.problem) : null,
      ),
      h(
        "div",
        { class: "row end" },
        field(
          "Show",
          h(
            "select",
            {
              value: this.player,
              onchange: (e: Event) => this.show((e.target as HTMLSelectElement).value),
            },
            h("option", { value: "" }, "everybody"),
            names.map((n) => h("option", { value: n, translate: "no" }, n === me ? `${n} ★` : n)),
          ),
        ),
        me && me !== this.player && names.includes(me)
          ? h("button", { class: "button", onclick: () => this.show(me) }, "Only me")
          : null,
        h(
          "button",
          {
            class: "button",
            onclick: () => void copy(location.href, person ? `Link for ${person.name}` : "Link"),
          },
          person ? "Copy this player's link" : "Copy link",
        ),
        h("button", { class: "button", onclick: () => download("evening.csv", csv(found)) }, "CSV"),
      ),
      person ? this.one(found, person) : this.ranking(found),
      this.boards(found, person),
    );
  }

  private one(found: Report, person: Player): VNode {
    return h(
      "section",
      { class: "panel" },
      h("h2", { translate: "no" }, person.name),
      h(
        "p",
        null,
        `Place ${person.place} of ${found.players.length}: ${percentOf(person.percent)}, ` +
          `${signed(Math.round(person.imps))} IMPs against the other tables, ` +
          `${counted(person.boards, "board")}.`,
      ),
      h(
        "h3",
        null,
        person.decisions.length < 5 ? "Your most costly decisions" : "Your five decisions",
      ),
      this.decisions(found, person, true),
    );
  }

  private decisions(found: Report, person: Player, all: boolean): Child {
    const list = all
      ? person.decisions
      : person.decisions.filter((d) => d.word === "wrong").slice(0, 1);
    if (!list.length)
      return h(
        "p",
        { class: "soft" },
        found.done < found.jobs ? "Still looking…" : "Nothing that cost much. Well played.",
      );
    return h(
      "ol",
      { class: "costly" },
      list.map((d) =>
        h(
          "li",
          { key: `${d.table}${d.kind}${d.index}` },
          link(
            boardAddress(
              this.name,
              found.tables[d.table]!,
              this.player,
              d.kind === "card" ? d.index + 1 : 0,
            ),
            { class: "decision" },
            h("b", { class: "lost" }, impWords(`−${d.cost}`)),
            h(
              "span",
              null,
              `Board ${d.board}: `,
              d.kind === "card"
                ? ["played ", cardView(d.done), d.better ? [", better ", cardView(d.better)] : null]
                : ["called ", callView(d.done), d.better ? [", better ", better(d.better)] : null],
              verdictTag(d.word, true),
              d.word === "wrong"
                ? h(
                    "small",
                    { class: "soft" },
                    ` ${d.loss.toFixed(1)}${d.error < 0.05 ? "" : ` ± ${d.error.toFixed(1)}`}` +
                      ` IMPs over ${d.worlds} possible deals`,
                  )
                : null,
            ),
          ),
        ),
      ),
    );
  }

  private ranking(found: Report): VNode {
    const head = (words: string[]): VNode =>
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          words.map((w, i) => h("th", { scope: "col", class: i > 1 ? "number" : null }, w)),
        ),
      );
    return h(
      "div",
      { class: "tool-columns" },
      h(
        "section",
        { class: "panel" },
        lists(found.pairs).map(([side, pairs]) =>
          h(
            "div",
            { key: side },
            h("h2", null, side ? `Pairs ${side}` : "Pairs"),
            h(
              "div",
              { class: "scroll tall" },
              h(
                "table",
                { class: "list ranks" },
                head(["Place", "Pair", "Boards", "%", "IMPs"]),
                h(
                  "tbody",
                  null,
                  pairs.map((p) =>
                    h(
                      "tr",
                      { key: p.names.join("/") },
                      h("td", null, p.place),
                      h("td", { translate: "no" }, p.names.join(" – ")),
                      h("td", { class: "number" }, p.boards),
                      h("td", { class: "number" }, percentOf(p.percent)),
                      h("td", { class: "number" }, signed(Math.round(p.imps))),
                    ),
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
      h(
        "section",
        { class: "panel" },
        h("h2", null, "Players"),
        h(
          "div",
          { class: "scroll tall" },
          h(
            "table",
            { class: "list ranks" },
            head(["Place", "Player", "Boards", "%", "IMPs"]),
            h(
              "tbody",
              null,
              found.players.map((p) =>
                h(
                  "tr",
                  { key: p.name },
                  h("td", null, p.place),
                  h(
                    "td",
                    null,
                    h(
                      "button",
                      { class: "linklike", translate: "no", onclick: () => this.show(p.name) },
                      p.name,
                    ),
                  ),
                  h("td", { class: "number" }, p.boards),
                  h("td", { class: "number" }, percentOf(p.percent)),
                  h("td", { class: "number" }, signed(Math.round(p.imps))),
                ),
              ),
            ),
          ),
        ),
      ),
    );
  }

  private boards(found: Report, person: Player | undefined): VNode {
    const mine = found.tables.filter((t) => !person || t.names.includes(person.name));
    return h(
      "section",
      { class: "panel" },
      h("h2", null, "Boards"),
      h(
        "div",
        { class: mine.length > 60 ? "scroll" : "scroll tall", tabindex: "0" },
        h(
          "table",
          { class: "list results" },
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              ["Board", "North – South", "East – West", "Contract", "N–S", "Par", "%", "IMPs"].map(
                (w, i) =>
                  h(
                    "th",
                    {
                      scope: "col",
                      class: i > 3 ? "number" : i === 1 || i === 2 ? "pair-name" : null,
                    },
                    w,
                  ),
              ),
            ),
          ),
          h(
            "tbody",
            null,
            mine.map((t) =>
              h(
                "tr",
                { key: t.table },
                h(
                  "td",
                  null,
                  link(
                    boardAddress(this.name, t, this.player),
                    { "aria-label": `Board ${t.board}` },
                    t.board,
                  ),
                ),
                h("td", { class: "pair-name", translate: "no" }, `${t.names[0]} – ${t.names[2]}`),
                h("td", { class: "pair-name", translate: "no" }, `${t.names[1]} – ${t.names[3]}`),
                h(
                  "td",
                  null,
                  t.contract ? contractView(t.contract) : "passed",
                  t.declarer ? ` ${t.declarer}` : "",
                  t.result ? t.result.replace(/^\S+ [NESW]/, "").replace("-", "−") : "",
                  h(
                    "small",
                    { class: "pair-names soft", translate: "no" },
                    `${t.names[0]} – ${t.names[2]} / ${t.names[1]} – ${t.names[3]}`,
                  ),
                ),
                h("td", { class: "number" }, t.score_ns === null ? "–" : signed(t.score_ns)),
                h("td", { class: "number" }, t.par_ns === null ? "…" : signed(t.par_ns)),
                h("td", { class: "number" }, percentOf(t.percent_ns)),
                h(
                  "td",
                  { class: "number" },
                  t.imps_ns === null ? "–" : signed(Math.round(10 * t.imps_ns) / 10),
                ),
              ),
            ),
          ),
        ),
      ),
    );
  }
}

function percentOf(value: number | null): string {
  return value === null ? "–" : `${value.toFixed(1)} %`;
}

function cardView(card: string): VNode {
  return h("span", { class: "call" }, pip(suitOf(card)), shownRank(rankOf(card)));
}

function better(action: string): Child {
  const [call, by] = action.split(" ");
  return by ? [contractView(call!), ` by ${SEAT_NAMES[by as SeatLetter]}`] : callView(call!);
}

/** The pairs of each direction, or all of them where somebody sat both ways. */
function lists(pairs: Pair[]): [string, Pair[]][] {
  const words = { NS: "North–South", EW: "East–West", "": "" };
  const sides = (["NS", "EW", ""] as const).filter((side) => pairs.some((p) => p.side === side));
  return sides.map((side) => [words[side], pairs.filter((p) => p.side === side)]);
}

/**
 * Ranking and results for a spreadsheet; a text that begins like a formula is kept from being
 * one.
 */
export function csv(found: { pairs: Pair[]; players: Player[]; tables: Table[] }): string {
  const cell = (x: unknown): string => {
    const text = x === null || x === undefined ? "" : String(x);
    const safe = typeof x === "string" && /^[=+@\t-]/.test(text) ? `'${text}` : text;
    return /[",\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const rows: unknown[][] = [
    ["pair", "direction", "place", "boards", "percent", "imps"],
    ...found.pairs.map((p) => [p.names.join(" - "), p.side, p.place, p.boards, p.percent, p.imps]),
    [],
    ["player", "place", "boards", "percent", "imps", "wrong decisions"],
    ...found.players.map((p) => [
      p.name,
      p.place,
      p.boards,
      p.percent,
      p.imps,
      p.decisions.filter((d) => d.word === "wrong").length,
    ]),
    [],
    [
      "board",
      "north",
      "east",
      "south",
      "west",
      "contract",
      "declarer",
      "score_ns",
      "par_ns",
      "percent_ns",
      "imps_ns",
    ],
    ...found.tables.map((t) => [
      t.board,
      ...t.names,
      t.contract,
      t.declarer,
      t.score_ns,
      t.par_ns,
      t.percent_ns,
      t.imps_ns,
    ]),
  ];
  return rows.map((r) => r.map(cell).join(",")).join("\r\n") + "\r\n";
}
