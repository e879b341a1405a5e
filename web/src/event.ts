// An event of pairs: entering with a friend or a robot, one's table of the round, rankings and
// travellers; its director has a desk below.
// Used at /event and /event/NAME.
import { DirectorsDesk } from "./desk";
import { announce, h, later, render, type Child, type VNode } from "./dom";
import { callDirector, eventPath, keepEvent, keptEvents, seat } from "./events";
import { choice, textField } from "./forms";
import { ask } from "./net";
import { change, myName } from "./prefs";
import { bar, copy, go, link } from "./shell";
import type {
  DeskPage,
  EventPage as Shown,
  EventTicket,
  FieldRanking,
  NewEvent,
  TravellerShown,
} from "./wire";

const FIELDS: Record<string, string> = { NS: "North–South", EW: "East–West", "": "Ranking" };

export class EventPage {
  private found: Shown | null = null;
  private desk: DirectorsDesk | null = null;
  private name = myName();
  private with = "friend";
  private title = "";
  private movement = "mitchell";
  private each = "3";
  private minutes = "0";
  private method = "matchpoints";
  private busy = false;
  private problem = "";
  private timer = 0;
  private last = 0;
  private readonly event = /^\/event\/([\w-]+)$/.exec(location.pathname)?.[1] ?? "";
  private invitation = /#join=([\w-]+)/.exec(location.hash)?.[1] ?? "";

  private readonly draw = later(() =>
    render(this.root, [bar(null, () => this.draw()), this.event ? this.one() : this.start()]),
  );

  constructor(private readonly root: HTMLElement) {
    if (this.invitation) history.replaceState(null, "", location.pathname);
    const director = this.kept?.director;
    if (director)
      this.desk = new DirectorsDesk(
        this.event,
        director,
        () => this.draw(),
        (page) => this.came(page),
      );
    this.draw();
    if (this.event) void this.load();
  }

  close(): void {
    clearTimeout(this.timer);
    this.timer = -1;
  }

  private get kept(): ReturnType<typeof keptEvents>[string] | undefined {
    return keptEvents()[this.event];
  }

  private came(found: Shown | DeskPage): void {
    const mine = this.found?.mine ?? null;
    // The desk is asked with the director's token, which tells nothing of his own place.
    this.found = found.mine ? found : { ...found, mine };
    const round = found.round;
    if (this.last && round > this.last) announce("The next round has begun.");
    this.last = round;
    this.draw();
  }

  private async load(): Promise<void> {
    const kept = this.kept;
    try {
      const found = await ask<Shown>(eventPath(this.event), undefined, kept?.token);
      this.came(found);
      keepEvent(this.event, { title: found.title });
      await this.desk?.load();
      this.problem = "";
    } catch (error) {
      this.problem = (error as Error).message;
    }
    this.draw();
    if (this.timer >= 0) this.timer = window.setTimeout(() => void this.load(), 4000);
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

  private async arrange(): Promise<void> {
    await this.busily(async () => {
      const made = await ask<NewEvent>("/api/events", {
        title: this.title.slice(0, 60),
        movement: this.movement,
        each: Number(this.each),
        minutes: Number(this.minutes),
        method: this.method,
      });
      keepEvent(made.event, { title: this.title, director: made.director });
      go(`/event/${made.event}`);
    });
  }

  private async enter(): Promise<void> {
    await this.busily(async () => {
      change({ name: this.name });
      const wish = this.invitation
        ? { name: myName(), invitation: this.invitation }
        : { name: myName(), robot: this.with === "robot" };
      const path = eventPath(this.event, this.invitation ? "/join" : "/enter");
      const ticket = await ask<EventTicket>(path, wish);
      this.invitation = "";
      keepEvent(this.event, { token: ticket.token, invitation: ticket.invitation });
      this.came(await ask<Shown>(eventPath(this.event), undefined, ticket.token));
    });
  }

  private start(): VNode {
    const mine = Object.entries(keptEvents()).sort(([, a], [, b]) => b.at - a.at);
    const set = (work: () => void): void => {
      work();
      this.draw();
    };
    return h(
      "main",
      { class: "tool" },
      h(
        "header",
        { class: "tool-head" },
        h("h1", null, "An event of pairs"),
        h(
          "p",
          { class: "lead" },
          "A Mitchell or a Howell with rounds, from entry to the ranking on the wall. You are " +
            "the director; everybody enters by your link.",
        ),
      ),
      h(
        "div",
        { class: "club-choices" },
        h(
          "section",
          { class: "panel" },
          h("h2", null, "A new event"),
          textField("Name of the event", this.title, (v) => (this.title = v), { maxlength: "60" }),
          h(
            "div",
            { class: "pair" },
            choice(
              "Movement",
              this.movement,
              [
                ["mitchell", "Mitchell, two lists"],
                ["howell", "Howell, one list"],
              ],
              (v) => set(() => (this.movement = v)),
            ),
            choice(
              "Boards in a round",
              this.each,
              ["1", "2", "3", "4", "6"].map((n) => [n, n]),
              (v) => set(() => (this.each = v)),
            ),
          ),
          h(
            "div",
            { class: "pair" },
            choice(
              "Scoring",
              this.method,
              [
                ["matchpoints", "Matchpoints"],
                ["imps", "IMPs"],
              ],
              (v) => set(() => (this.method = v)),
            ),
            choice(
              "Clock",
              this.minutes,
              [["0", "none"], ...["10", "15", "20", "25", "30"].map(minutes)],
              (v) => set(() => (this.minutes = v)),
            ),
          ),
          this.trouble(),
          h(
            "div",
            { class: "row" },
            h(
              "button",
              { class: "button primary", onclick: () => void this.arrange() },
              this.busy ? "…" : "Arrange it",
            ),
          ),
        ),
        mine.length
          ? h(
              "section",
              { class: "panel" },
              h("h2", null, "Your events"),
              h(
                "ul",
                null,
                mine
                  .slice(0, 8)
                  .map(([name, kept]) =>
                    h(
                      "li",
                      { key: name },
                      link(
                        `/event/${name}`,
                        { class: "kept-table" },
                        h("b", kept.title ? { translate: "no" } : null, kept.title || "An event"),
                        h("small", { class: "soft" }, kept.director ? "You direct it." : ""),
                      ),
                    ),
                  ),
              ),
            )
          : null,
      ),
    );
  }

  private trouble(): Child {
    return this.problem ? h("p", { class: "problem", role: "alert" }, this.problem) : null;
  }

  private one(): VNode {
    const e = this.found;
    if (!e) return h("main", { class: "empty" }, h("p", null, this.problem || "…"));
    const where =
      e.state === "open"
        ? "Open for entries."
        : e.state === "over"
          ? "The event is over."
          : `Round ${e.round} of ${e.rounds ?? e.round}`;
    return h(
      "main",
      { class: "tool event" },
      h(
        "header",
        { class: "tool-head" },
        h("h1", e.title ? { translate: "no" } : null, e.title || "An event of pairs"),
        h("p", { class: "lead" }, where, this.clock(e)),
      ),
      this.mine(e),
      this.trouble(),
      e.announced.length
        ? h(
            "section",
            { class: "panel" },
            h("h2", null, "Announcements"),
            [...e.announced]
              .reverse()
              .map((a) => h("p", { key: a.at, translate: "no" }, `${hour(a.at)} ${a.text}`)),
          )
        : null,
      this.desk?.view(e) ?? null,
      e.state === "open" ? this.entries(e) : e.rankings.map((r) => this.ranking(e, r)),
      e.state === "over" ? this.results(e) : null,
    );
  }

  private clock(e: Shown): Child {
    if (!e.ends) return null;
    const left = Math.ceil((1000 * e.ends - Date.now()) / 60000);
    return left > 0
      ? h("span", { class: "soft" }, ` · ${left} minutes left`)
      : h("b", null, " · time is up");
  }

  /** My place: my pair, my table, who is missing; or the way in. */
  private mine(e: Shown): Child {
    const mine = e.mine;
    if (!mine) return e.more || this.invitation ? this.entry() : null;
    const kept = this.kept;
    const address = `${location.origin}/event/${this.event}#join=${kept?.invitation ?? ""}`;
    const pair = e.pairs.find((p) => p.entry === mine.entry);
    return h(
      "section",
      { class: "panel enter my-place" },
      h(
        "h2",
        null,
        mine.pair === null ? "You have entered" : `You are pair ${mine.pair}`,
        mine.partner ? [" ", h("small", { translate: "no" }, `+ ${mine.partner}`)] : null,
      ),
      mine.table
        ? [
            h("p", { class: "headline" }, `Table ${mine.number}, `, SEATS[mine.seat!]),
            mine.against
              ? h(
                  "p",
                  { class: "soft" },
                  h("span", null, "Against"),
                  " ",
                  h("span", { translate: "no" }, mine.against.filter(Boolean).join(" – ")),
                )
              : null,
            h(
              "div",
              { class: "row" },
              h(
                "button",
                {
                  class: "button primary large",
                  onclick: () => go(`/table/${seat(e, kept?.token ?? "")}`),
                },
                "To my table",
              ),
              h(
                "button",
                {
                  class: "button",
                  onclick: () => callDirector(this.event, kept?.token ?? ""),
                },
                "Call the director",
              ),
            ),
          ]
        : h(
            "p",
            null,
            e.state === "open"
              ? "The director begins when everybody is there."
              : e.state === "over"
                ? "Thank you for playing."
                : mine.sits_out
                  ? "You sit out this round."
                  : "You play from the next round on.",
          ),
      pair?.missing[1] && kept?.invitation
        ? h(
            "div",
            { class: "row" },
            h("code", { class: "address", translate: "no" }, address),
            h(
              "button",
              { class: "button small", onclick: () => void copy(address, "Link for your partner") },
              "Copy the link for your partner",
            ),
          )
        : null,
    );
  }

  private entry(): VNode {
    return h(
      "section",
      { class: "panel enter" },
      h("h2", null, this.invitation ? "You are invited" : "Enter the event"),
      h(
        "div",
        { class: "pair" },
        textField("Your name, as others see it", this.name, (v) => (this.name = v), {
          maxlength: "24",
          autocomplete: "nickname",
        }),
        this.invitation
          ? null
          : choice(
              "Partner",
              this.with,
              [
                ["friend", "a friend, by link"],
                ["robot", "a robot"],
              ],
              (v) => {
                this.with = v;
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
          this.busy ? "…" : this.invitation ? "Take the seat" : "Enter the event",
        ),
      ),
    );
  }

  private entries(e: Shown): VNode {
    const address = `${location.origin}/event/${this.event}`;
    return h(
      "section",
      { class: "panel enter" },
      h("h2", null, `Pairs: ${e.pairs.length}`),
      h(
        "ol",
        null,
        e.pairs.map((p) =>
          h(
            "li",
            { key: p.entry },
            h("b", { translate: "no" }, p.names[0]),
            " – ",
            p.missing[1]
              ? h("span", { class: "soft" }, "still to come")
              : h("b", { translate: "no" }, p.names[1]),
          ),
        ),
      ),
      h(
        "div",
        { class: "row" },
        h("code", { class: "address", translate: "no" }, address),
        h(
          "button",
          { class: "button small", onclick: () => void copy(address, "Link to the event") },
          "Copy link",
        ),
      ),
    );
  }

  private ranking(e: Shown, found: FieldRanking): VNode {
    const imps = e.method === "imps";
    const heads = ["Place", "Pair", "Names", "Boards", imps ? "IMPs a board" : "Per cent"];
    return h(
      "section",
      { class: "panel", key: `ranking${found.field}` },
      h("h2", null, FIELDS[found.field] ?? "Ranking"),
      h(
        "div",
        { class: "scroll tall", tabindex: "0" },
        h(
          "table",
          { class: "list ranking" },
          h(
            "thead",
            null,
            h(
              "tr",
              null,
              heads.map((w, i) =>
                h(
                  "th",
                  { scope: "col", class: [null, "more", null, "number more", "number"][i] },
                  w,
                ),
              ),
            ),
          ),
          h(
            "tbody",
            null,
            found.rows.map((r) =>
              h(
                "tr",
                { key: r.pair, class: r.mine ? "me" : null },
                h("td", null, r.place),
                h("td", { class: "more" }, r.pair),
                h("th", { scope: "row", translate: "no" }, r.names.join(" – ")),
                h("td", { class: "number more" }, r.boards),
                h(
                  "td",
                  { class: "number" },
                  imps
                    ? r.total.toFixed(2)
                    : r.percent === null
                      ? "–"
                      : `${r.percent.toFixed(2)} %`,
                  r.adjusted
                    ? h("small", { class: "soft", translate: "no" }, ` (${plus(r.adjusted)})`)
                    : null,
                ),
              ),
            ),
          ),
        ),
      ),
      e.state === "over"
        ? null
        : h("p", { class: "soft" }, "So far; boards that others still play are not in it."),
    );
  }

  private results(e: Shown): Child {
    const files: [string, string][] = [
      ["print", "To print"],
      ["csv", "Ranking (CSV)"],
      ["csv&what=travellers", "Travellers (CSV)"],
      ["pbn", "PBN"],
      ["xml", "USEBIO"],
    ];
    return [
      h(
        "section",
        { class: "panel" },
        h("h2", null, "Results to take along"),
        h(
          "div",
          { class: "row" },
          files.map(([form, words]) =>
            h(
              "a",
              {
                class: "button small",
                key: form,
                href: `${eventPath(this.event, "/results")}?form=${form}`,
                target: form === "print" ? "_blank" : null,
              },
              words,
            ),
          ),
        ),
      ),
      e.log.length
        ? h(
            "section",
            { class: "panel" },
            h("h2", null, "What the director did"),
            h(
              "ul",
              null,
              e.log.map((line, i) =>
                h(
                  "li",
                  { key: i, translate: "no" },
                  `${hour(line.at)} ${line.words}${line.reason ? ` (${line.reason})` : ""}`,
                ),
              ),
            ),
          )
        : null,
      h(
        "section",
        { class: "panel" },
        h("h2", null, "Boards"),
        e.travellers.map((t) => traveller(t)),
      ),
    ];
  }
}

const SEATS: Record<string, string> = { N: "North", E: "East", S: "South", W: "West" };

const minutes = (n: string): [string, string] => [n, `${n} minutes a round`];

export const hour = (at: number): string =>
  new Date(1000 * at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

const plus = (x: number): string => `${x > 0 ? "+" : "−"}${Math.abs(x)}`;

/** A board with its results, best for North–South first, and its hands. */
function traveller(t: TravellerShown): VNode {
  const hands = t.deal.slice(2).split(" ");
  const from = "NESW".indexOf(t.deal[0]!);
  const shown = [0, 1, 2, 3].map((i) => {
    const seat = "NESW"[(from + i) % 4]!;
    const suits = hands[i]!.split(".").map(
      (cards, s) => `${"♠♥♦♣"[s]}${cards.replace("T", "10") || "–"}`,
    );
    return h(
      "p",
      { class: "hand-line", key: seat },
      h("b", null, SEATS[seat]!),
      h("span", { translate: "no" }, suits.join(" ")),
    );
  });
  return h(
    "details",
    { key: t.board },
    h("summary", null, `Board ${t.board}`),
    h("div", { class: "stack" }, shown),
    h(
      "div",
      { class: "scroll", tabindex: "0" },
      h(
        "table",
        { class: "list" },
        h(
          "thead",
          null,
          h(
            "tr",
            null,
            ["NS", "EW", "Result", "Score", "NS", "EW"].map((w, i) =>
              h("th", { scope: "col", class: i > 2 ? "number" : null, translate: "no" }, w),
            ),
          ),
        ),
        h(
          "tbody",
          null,
          t.rows.map((r) =>
            h(
              "tr",
              { key: `${r.number}-${r.ns}` },
              h("td", null, r.ns),
              h("td", null, r.ew),
              h("td", { translate: "no" }, r.text),
              h("td", { class: "number" }, r.score ?? ""),
              h("td", { class: "number" }, r.ns_worth.toFixed(2)),
              h("td", { class: "number" }, r.ew_worth.toFixed(2)),
            ),
          ),
        ),
      ),
    ),
  );
}
