// The director's desk: every table of the round, rounds begun and closed, results put right,
// substitutes, penalties, announcements, and the log of it all.
// Used by the event page of whoever has arranged the event.
import { h, type Child, type VNode } from "./dom";
import { eventPath } from "./events";
import { choice, textField } from "./forms";
import { ask } from "./net";
import { copy, dialog, go, notice } from "./shell";
import type { DeskPage, DirectorsWord, EventPage } from "./wire";

export class DirectorsDesk {
  private page: DeskPage | null = null;
  private text = "";
  private busy = false;

  constructor(
    private readonly event: string,
    private readonly token: string,
    private readonly draw: () => void,
    private readonly came: (page: DeskPage) => void,
  ) {}

  async load(): Promise<void> {
    this.page = await ask<DeskPage>(eventPath(this.event, "/desk"), undefined, this.token);
  }

  private async does(word: DirectorsWord): Promise<DeskPage | null> {
    if (this.busy) return null;
    this.busy = true;
    this.draw();
    try {
      this.page = await ask<DeskPage>(eventPath(this.event, "/direct"), word, this.token);
      this.came(this.page);
      return this.page;
    } catch (error) {
      notice((error as Error).message);
      return null;
    } finally {
      this.busy = false;
      this.draw();
    }
  }

  view(e: EventPage): Child {
    const page = this.page;
    if (!page) return null;
    return h(
      "section",
      { class: "panel desk" },
      h("h2", null, "Director’s desk"),
      this.round(page),
      e.state === "playing" ? [this.tables(page), this.waiting(page)] : null,
      this.people(page),
      e.state === "over" ? null : this.words(),
      page.log.length && e.state !== "over"
        ? h(
            "details",
            null,
            h("summary", null, `Log: ${page.log.length}`),
            h(
              "ul",
              null,
              [...page.log]
                .reverse()
                .map((line, i) =>
                  h(
                    "li",
                    { key: i, translate: "no" },
                    `${line.words}${line.reason ? ` (${line.reason})` : ""}`,
                  ),
                ),
            ),
          )
        : null,
    );
  }

  private button(words: string, act: () => void, more = ""): VNode {
    return h(
      "button",
      { class: `button small ${more}`, "aria-disabled": this.busy ? "true" : null, onclick: act },
      words,
    );
  }

  /** What comes next: beginning, the next round, the end. */
  private round(page: DeskPage): Child {
    if (page.state === "over") return null;
    if (page.state === "open")
      return h(
        "div",
        { class: "row" },
        this.button("Begin", () => void this.does({ type: "begin" }), "primary"),
        this.button("Add a pair of robots", () => void this.does({ type: "robots" })),
        h("span", { class: "soft" }, "Four pairs or more."),
      );
    const left = page.waiting.length;
    const last = page.round >= (page.rounds ?? 0);
    return h(
      "div",
      { class: "row" },
      last
        ? this.button("Close the event", () => void this.close(left), "primary")
        : this.button("Next round", () => void this.next(left), "primary"),
      page.more
        ? this.button("Add a pair of robots", () => void this.does({ type: "robots" }))
        : null,
      left
        ? h("span", { class: "soft" }, `Boards without a result: ${left}`)
        : h("span", { class: "soft" }, "All boards have a result."),
    );
  }

  private async next(left: number): Promise<void> {
    if (!left) {
      await this.does({ type: "next" });
      return;
    }
    const box = dialog("The round is not over", () => [
      h("p", null, "Boards without a result get an average for both sides, which is logged."),
      h(
        "div",
        { class: "row" },
        this.button("Begin the next round all the same", () => {
          box.close();
          void this.does({ type: "next", unplayed: true });
        }),
      ),
    ]);
  }

  private async close(left: number): Promise<void> {
    if (left) notice("Rule on the boards without a result first.");
    else await this.does({ type: "close" });
  }

  private tables(page: DeskPage): VNode {
    const heads = ["Table", "Pairs", "Board", "Done", "Who is missing", ""];
    return h(
      "div",
      { class: "scroll tall", tabindex: "0" },
      h(
        "table",
        { class: "list desk-tables" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            heads.map((w, i) =>
              h("th", { scope: "col", class: i === 2 || i === 4 ? "more" : null }, w),
            ),
          ),
        ),
        h(
          "tbody",
          null,
          page.tables.map((t) =>
            h(
              "tr",
              { key: t.table, class: t.called ? "called" : null },
              h("th", { scope: "row" }, t.table),
              h("td", { class: "nowrap", translate: "no" }, `${t.ns} – ${t.ew}`),
              h("td", { class: "more" }, t.board),
              h("td", null, `${t.done}/${t.of}`),
              h("td", { class: "more nowrap", translate: "no" }, absent(page, t)),
              h(
                "td",
                null,
                h(
                  "div",
                  { class: "row" },
                  t.called
                    ? [
                        h("b", { class: "problem", translate: "no" }, t.called),
                        this.button(
                          "Done",
                          () => void this.does({ type: "attended", table: t.table }),
                        ),
                      ]
                    : null,
                  this.button("Result", () => this.adjust(page, t.table, t.board)),
                  this.button("Look on", () => void this.look(t.table)),
                ),
              ),
            ),
          ),
        ),
      ),
    );
  }

  private waiting(page: DeskPage): Child {
    const doubtful = page.waiting.filter((w) => w.why);
    if (!doubtful.length) return null;
    return h(
      "ul",
      null,
      doubtful.map((w) =>
        h(
          "li",
          { key: `${w.table}-${w.board}` },
          h("span", null, `Table ${w.table}, board ${w.board}: `),
          h("span", null, "somebody could have known the cards; it waits for your ruling."),
        ),
      ),
    );
  }

  private async look(table: number): Promise<void> {
    const page = await this.does({ type: "look", table });
    if (page?.look) go(page.look);
  }

  /** A result in place of what was played, or where nothing was. */
  private adjust(page: DeskPage, table: number, board: number): void {
    const at = { number: String(page.round), table: String(table), board: String(board) };
    let [kind, ns, ew, contract, tricks, reason] = ["percent", "50", "50", "", "", ""];
    const box = dialog("A director’s result", (again) => {
      const set = (work: () => void): void => {
        work();
        again();
      };
      const number = (label: string, value: string, pick: (v: string) => void): VNode =>
        textField(label, value, pick, { inputmode: "numeric" });
      return [
        h(
          "div",
          { class: "thirds" },
          number("Round", at.number, (v) => (at.number = v)),
          number("Table", at.table, (v) => (at.table = v)),
          number("Board", at.board, (v) => (at.board = v)),
        ),
        choice(
          "Result",
          kind,
          [
            ["percent", "per cent for both sides"],
            ["contract", "a contract and its tricks"],
            ["pass", "passed out"],
          ],
          (v) => set(() => (kind = v)),
        ),
        kind === "percent"
          ? h(
              "div",
              { class: "pair" },
              number("North–South, per cent", ns, (v) => (ns = v)),
              number("East–West, per cent", ew, (v) => (ew = v)),
            )
          : kind === "contract"
            ? h(
                "div",
                { class: "pair" },
                textField("Contract and declarer", contract, (v) => (contract = v), {
                  placeholder: "4SX N",
                }),
                number("Tricks", tricks, (v) => (tricks = v)),
              )
            : null,
        textField("Why", reason, (v) => (reason = v), { maxlength: "200" }),
        h(
          "div",
          { class: "row" },
          this.button(
            "Enter this result",
            () => {
              const part =
                kind === "percent"
                  ? { ns: Number(ns), ew: Number(ew) }
                  : kind === "contract"
                    ? { contract: contract.trim(), tricks: Number(tricks) }
                    : {};
              void this.does({
                type: "adjust",
                number: Number(at.number),
                table: Number(at.table),
                board: Number(at.board),
                reason,
                ...part,
              }).then((done) => done && box.close());
            },
            "primary",
          ),
        ),
      ];
    });
  }

  private people(page: DeskPage): VNode {
    const open = page.state === "open";
    return h(
      "details",
      { open },
      h("summary", null, `Pairs: ${page.pairs.length}`),
      h(
        "div",
        { class: "scroll tall", tabindex: "0" },
        h(
          "table",
          { class: "list" },
          h(
            "tbody",
            null,
            page.pairs.map((p) =>
              h(
                "tr",
                { key: p.entry },
                h("th", { scope: "row" }, p.number ?? "–"),
                ([0, 1] as const).map((i) =>
                  h(
                    "td",
                    { key: i },
                    h(
                      "div",
                      { class: "row" },
                      h("span", { translate: "no" }, p.names[i] || "–"),
                      page.state === "over"
                        ? null
                        : this.button(
                            p.missing[i] ? "Link" : "Substitute",
                            () => void this.offer(p.entry, i),
                          ),
                      page.state === "playing" && !p.robots[i]
                        ? this.button(
                            "Robot",
                            () => void this.does({ type: "stand-in", entry: p.entry, member: i }),
                          )
                        : null,
                    ),
                  ),
                ),
                h(
                  "td",
                  null,
                  open
                    ? this.button(
                        "Take out",
                        () => void this.does({ type: "withdraw", entry: p.entry }),
                      )
                    : p.number !== null && page.state === "playing"
                      ? this.button("Penalty", () => this.penalise(p.number!))
                      : null,
                ),
              ),
            ),
          ),
        ),
      ),
    );
  }

  private async offer(entry: number, member: 0 | 1): Promise<void> {
    const page = await this.does({ type: "offer", entry, member });
    if (page?.invitation)
      await copy(`${location.origin}/event/${this.event}#join=${page.invitation}`, "Link");
  }

  private penalise(pair: number): void {
    let [points, reason] = ["-1", ""];
    const box = dialog(`Pair ${pair}`, () => [
      textField("Points, less than nothing for a penalty", points, (v) => (points = v)),
      textField("Why", reason, (v) => (reason = v), { maxlength: "200" }),
      h(
        "div",
        { class: "row" },
        this.button(
          "Enter the penalty",
          () =>
            void this.does({ type: "penalty", pair, points: Number(points), reason }).then(
              (done) => done && box.close(),
            ),
          "primary",
        ),
      ),
    ]);
  }

  private words(): VNode {
    const say = (e: Event): void => {
      e.preventDefault();
      const text = this.text.trim();
      if (!text) return;
      this.text = "";
      void this.does({ type: "announce", text });
    };
    return h(
      "form",
      { class: "row end", onsubmit: say },
      textField("A word to everybody", this.text, (v) => (this.text = v), { maxlength: "200" }),
      h("button", { class: "button small", type: "submit" }, "Announce"),
    );
  }
}

/** The people of a table who are not there, by seat. */
function absent(page: DeskPage, t: DeskPage["tables"][number]): string {
  const at: [string, number, 0 | 1][] = [
    ["N", t.ns, 0],
    ["S", t.ns, 1],
    ["E", t.ew, 0],
    ["W", t.ew, 1],
  ];
  return at
    .filter(([seat, number, i]) => {
      const pair = page.pairs.find((p) => p.number === number);
      return pair && !pair.robots[i] && !t.connected.some((s) => s === seat);
    })
    .map(([seat]) => seat)
    .join(" ");
}
