// Bidding practice: a problem set, random boards or hands to order; with a robot or a friend.
// Used at /practice; it opens a table where boards end with the auction.
import { h, later, render, type Child, type VNode } from "./dom";
import { area, choice, fileButton, offerChoice, tabs } from "./forms";
import { ask, engines, keep } from "./net";
import { COURSE, standing } from "./progress";
import { bar, go, link } from "./shell";
import type {
  LessonListed as Lesson,
  Offered as Offers,
  ProblemSet as About,
  State,
  Ticket,
} from "./wire";

type Kind = "sets" | "random" | "script" | "own";
const SCRIPT = `# North opens a strong notrump, South has a major
condition hcp(north) >= 15 and hcp(north) <= 17
  and shape(north, any 4333 + any 4432 + any 5332)
  and (spades(south) >= 5 or hearts(south) >= 5)`;

const BEGUN = "overtrick.sets";

function begun(): Record<string, { table: string; token: string }> {
  try {
    return JSON.parse(localStorage.getItem(BEGUN) ?? "{}");
  } catch {
    return {};
  }
}

export class PracticePage {
  private offers: Offers | null = null;
  private sets: About[] = [];
  private lessons: Lesson[] = [];
  private readonly done = new Map<string, NonNullable<State["practice"]> & { table: string }>();
  private kind: Kind = "sets";
  private bidder = "";
  private partner: "robot" | "friend" = "robot";
  private silent = true;
  private script = SCRIPT;
  private text = "";
  private opening = "";
  private loaded = false;
  private problem = "";

  private readonly draw = later(() =>
    render(this.root, [bar(null, () => this.draw()), this.main()]),
  );

  constructor(private readonly root: HTMLElement) {
    this.draw();
    void engines().then((o) => {
      this.offers = o;
      this.draw();
    });
    void this.resume();
    void this.load();
  }

  /** Lessons and sets are drawn together: nothing moves when the second of them comes. */
  private async load(): Promise<void> {
    [this.lessons, this.sets] = await Promise.all([
      ask<Lesson[]>("/api/lessons").catch(() => []),
      ask<About[]>("/api/problems").catch(() => []),
    ]);
    const place = (name: string): number =>
      (COURSE.indexOf(name) + COURSE.length + 1) % (COURSE.length + 1);
    this.lessons.sort((a, b) => place(a.name) - place(b.name));
    this.loaded = true;
    this.draw();
  }

  close(): void {}

  private async open(name: string, source: Record<string, unknown>): Promise<void> {
    if (this.opening) return;
    this.opening = name;
    this.problem = "";
    this.draw();
    const offers = this.offers ?? (await engines());
    const side = {
      bidder: this.bidder || offers.bidders[0]!.spec,
      player: offers.players[0]!.spec,
    };
    try {
      const ticket = await ask<Ticket>("/api/tables", {
        seat: "S",
        humans: this.partner === "friend" ? ["S", "N"] : ["S"],
        ns: side,
        ew: side,
        source,
        auction_only: true,
        silent: this.silent,
      });
      keep(ticket);
      const kept = { ...begun(), [name]: { table: ticket.table, token: ticket.token } };
      if (name !== "start") localStorage.setItem(BEGUN, JSON.stringify(kept));
      go(`/table/${ticket.table}`);
    } catch (error) {
      this.problem = (error as Error).message;
      this.opening = "";
      this.draw();
    }
  }

  /** How far the sets have come at the tables where they were begun. */
  private async resume(): Promise<void> {
    for (const [name, at] of Object.entries(begun())) {
      const state = await ask<State>(`/api/tables/${at.table}`, undefined, at.token).catch(
        () => null,
      );
      if (state?.practice) this.done.set(name, { table: at.table, ...state.practice });
      this.draw();
    }
  }

  private main(): VNode {
    const set = (change: () => void): void => {
      change();
      this.draw();
    };
    return h(
      "main",
      { class: "tool" },
      h("header", { class: "tool-head" }, h("h1", null, "Practice")),
      this.loaded ? this.all(set) : h("p", { class: "soft waiting", role: "status" }, "…"),
    );
  }

  private all(set: (change: () => void) => void): Child[] {
    return [
      this.lessons.length
        ? h(
            "section",
            { class: "panel" },
            h("h2", null, "Lessons"),
            h(
              "p",
              { class: "soft" },
              "What do you bid or play? Every answer was worked out over many deals and is " +
                "explained; what you get wrong comes back.",
            ),
            h(
              "ul",
              { class: "sets" },
              this.lessons.map((s, i) => this.lesson(s, i + 1)),
            ),
          )
        : null,
      h(
        "header",
        { class: "tool-head" },
        h("h2", null, "Bid with a partner"),
        h(
          "p",
          { class: "lead" },
          "You are South. Bid the hands to the best contract: it is scored against par, " +
            "against the awards of a problem set, and against what the robots reach on the " +
            "same cards.",
        ),
      ),
      h(
        "div",
        { class: "tool-form panel" },
        h(
          "div",
          { class: "thirds" },
          choice(
            "Partner",
            this.partner,
            [
              ["robot", "a robot"],
              ["friend", "a friend, by link"],
            ],
            (v) => set(() => (this.partner = v as "robot")),
          ),
          offerChoice("System", this.bidder, this.offers?.bidders ?? [], (v) =>
            set(() => (this.bidder = v)),
          ),
          choice(
            "Opponents",
            this.silent ? "silent" : "bid",
            [
              ["silent", "pass throughout"],
              ["bid", "bid as robots do"],
            ],
            (v) => set(() => (this.silent = v === "silent")),
          ),
        ),
        tabs<Kind>(
          "Hands",
          this.kind,
          [
            ["sets", "Problems"],
            ["random", "Random"],
            ["script", "To order"],
            ["own", "Your own"],
          ],
          (v) => set(() => (this.kind = v)),
        ),
        this.problem ? h("p", { class: "problem", role: "alert" }, this.problem) : null,
        this.choices(),
      ),
    ];
  }

  private lesson(s: Lesson, number: number): VNode {
    const now = standing(s.positions);
    const told = now.seen
      ? `${now.seen} of ${s.positions.length} seen, ${now.known} ` +
        `known${now.due ? `, ${now.due} to repeat` : ""}`
      : `${s.positions.length} positions`;
    return h(
      "li",
      { key: s.name },
      link(
        `/lesson/${s.name}`,
        { class: "set lesson-link" },
        h("small", { class: "soft", translate: "no" }, String(number)),
        h("b", null, s.title),
        h("span", null, s.words),
        h("small", { class: "soft" }, told),
      ),
    );
  }

  private choices(): Child {
    const start = (words: string, source: () => Record<string, unknown>): VNode =>
      h(
        "button",
        { class: "button primary", onclick: () => void this.open("start", source()) },
        this.opening ? "Dealing…" : words,
      );
    if (this.kind === "random")
      return [
        h("p", { class: "soft" }, "One random board after the other, scored against par."),
        h(
          "div",
          { class: "row" },
          start("Begin", () => ({ type: "random" })),
        ),
      ];
    if (this.kind === "script") {
      return [
        area("Script in the language of dealer", this.script, (v) => (this.script = v)),
        h(
          "div",
          { class: "row" },
          start("Begin", () => ({ type: "script", text: this.script })),
        ),
      ];
    }
    if (this.kind === "own") {
      return [
        area("Problems as JSON lines, or boards in PBN or LIN", this.text, (v) => (this.text = v), {
          placeholder:
            '{"set": "club night", "board": "1", "dealer": "N", "vul": "None", "hands": {…}, ' +
            '"awards": {"4S": 10, "3N": 6}}',
        }),
        h(
          "div",
          { class: "row" },
          start("Begin", () => ({ type: "problems", text: this.text })),
          fileButton("Choose a file", ".jsonl,.json,.pbn,.lin,.txt", (text) => {
            this.text = text;
            this.draw();
          }),
        ),
      ];
    }
    return h(
      "ul",
      { class: "sets" },
      this.sets.map((s) => {
        const now = this.done.get(s.name);
        const far = now
          ? `${now.done} of ${now.count} done, ${now.earned} of ${now.possible} points`
          : `${s.problems} problems`;
        return h(
          "li",
          { key: s.name },
          h(
            "button",
            {
              class: "set",
              onclick: () => void this.open(s.name, { type: "problems", set: s.name }),
            },
            h("b", null, s.title),
            h("span", null, s.words),
            h("small", { class: "soft" }, this.opening === s.name ? "Dealing…" : far),
          ),
          now && now.done < now.count
            ? link(`/table/${now.table}`, { class: "button small" }, "Go on")
            : null,
        );
      }),
    );
  }
}
