// The start page: sit down at once, or set the table first; review and decode from here too.
// Used at /.
import { h, later, render, type Child, type VNode } from "./dom";
import { ask, engines, forget, keep, tickets } from "./net";
import { withCards } from "./card";
import { choice, fileButton, nameOf } from "./forms";
import { Newcomer } from "./guide";
import { myName, prefs } from "./prefs";
import { bar, go, link, notice, TOOLS } from "./shell";
import { pip, SEAT_NAMES, SEATS, side } from "./words";
import type {
  EngineOffer as Offer,
  Offered as Offers,
  ProblemSet,
  SeatLetter,
  Ticket,
} from "./wire";

const CHOICES = "overtrick.choices";

interface Choices {
  seat: SeatLetter;
  bidders: { NS: string; EW: string };
  player: string;
  takeOver: boolean;
  auto: boolean;
  auctionOnly: boolean;
  scoring: string;
}

/** What people come for, beside a board at once: address, name, what is there. */
const WAYS: [string, string, string][] = [
  ["/practice", "Learn", "Lessons with worked answers, and bidding with a partner."],
  ["/review", "Review", "Paste a board: what cost most, and who could have known."],
  ["/club", "Club", "The same boards for you and your friends, ranked."],
];

type Kind = "random" | "board" | "script" | "text" | "set";

const EXAMPLE = `# North opens a strong notrump, South has a major
condition hcp(north) >= 15 and hcp(north) <= 17
  and shape(north, any 4333 + any 4432 + any 5332)
  and (spades(south) >= 5 or hearts(south) >= 5)`;

export class HomePage {
  private offers: Offers | null = null;
  private seat: SeatLetter = "S";
  private friends = new Set<SeatLetter>();
  private bidders = { NS: "", EW: "" };
  private player = "";
  private kind: Kind = "random";
  private number = "";
  private seed = "";
  private script = EXAMPLE;
  private text = "";
  private sets: { name: string; title: string; words: string }[] = [];
  private set = "";
  private takeOver = true;
  private auto = true;
  private auctionOnly = false;
  private scoring = "imps";
  private opening = false;
  private problem = "";
  private every = false;
  private setting = false;
  private readonly newcomer = new Newcomer(
    () => this.draw(),
    () => void this.open(),
  );

  private readonly draw = later(() => {
    render(this.root, [bar(null, () => this.draw()), this.main()]);
  });

  constructor(private readonly root: HTMLElement) {
    this.restore();
    this.draw();
    engines().then(
      (found) => {
        this.offers = withCards(found);
        this.draw();
      },
      (error) => notice(error.message),
    );
    void ask<ProblemSet[]>("/api/problems").then(
      (found) => {
        this.sets = found;
        this.draw();
      },
      () => undefined,
    );
  }

  close(): void {}

  /** The table as it was set last time. */
  private restore(): void {
    try {
      const kept = JSON.parse(localStorage.getItem(CHOICES) ?? "{}") as Partial<Choices>;
      if (kept.seat && SEATS.includes(kept.seat)) this.seat = kept.seat;
      if (kept.bidders)
        this.bidders = { NS: String(kept.bidders.NS ?? ""), EW: String(kept.bidders.EW ?? "") };
      this.player = String(kept.player ?? "");
      this.takeOver = kept.takeOver ?? true;
      this.auto = kept.auto ?? true;
      this.auctionOnly = kept.auctionOnly ?? false;
      this.scoring = kept.scoring === "matchpoints" ? "matchpoints" : "imps";
    } catch {
      localStorage.removeItem(CHOICES);
    }
  }

  private store(): void {
    const { seat, bidders, player, takeOver, auto, auctionOnly, scoring } = this;
    const kept: Choices = { seat, bidders, player, takeOver, auto, auctionOnly, scoring };
    localStorage.setItem(CHOICES, JSON.stringify(kept));
  }

  private async open(): Promise<void> {
    if (this.opening) return;
    this.opening = true;
    this.problem = "";
    this.draw();
    try {
      const ticket = await ask<Ticket>("/api/tables", this.wish());
      keep(ticket);
      go(`/table/${ticket.table}`);
    } catch (error) {
      this.problem = (error as Error).message;
      this.opening = false;
      this.draw();
    }
  }

  private wish(): Record<string, unknown> {
    const found = this.offers;
    const offered = (spec: string, offers: Offer[]): string =>
      offers.some((o) => o.spec === spec) ? spec : offers[0]!.spec;
    const of = (s: "NS" | "EW"): unknown =>
      found && {
        bidder: offered(this.bidders[s], found.bidders),
        player: offered(this.player, found.players),
      };
    this.store();
    return {
      seat: this.seat,
      humans: [this.seat, ...this.friends],
      ns: of("NS"),
      ew: of("EW"),
      source: this.source(),
      take_over: this.takeOver,
      auto: this.auto,
      auction_only: this.auctionOnly,
      scoring: this.scoring,
      name: myName(),
    };
  }

  private source(): Record<string, unknown> {
    const number = this.number ? { number: Number(this.number) } : {};
    const seed = this.seed ? { seed: Number(this.seed) } : {};
    if (this.kind === "script") return { type: "script", text: this.script, ...seed };
    if (this.kind === "text")
      return this.text.trimStart().startsWith("{")
        ? { type: "problems", text: this.text }
        : { type: "text", text: this.text };
    if (this.kind === "set") return { type: "problems", set: this.set || this.sets[0]?.name || "" };
    return this.kind === "board" ? { type: "random", ...number, ...seed } : { type: "random" };
  }

  private main(): VNode {
    return h(
      "main",
      { class: "home" },
      h(
        "section",
        { class: "hero" },
        h("p", { class: "suits", "aria-hidden": "true" }, ["S", "H", "D", "C"].map(pip)),
        h("h1", null, "Sit down and play."),
        h(
          "p",
          { class: "lead" },
          "Three robots are waiting. They tell you what every call means, before you make it " +
            "and after. Every board is a match: robots play it in the other room, and you see " +
            "at once who did better.",
        ),
        h(
          "div",
          { class: "row" },
          h(
            "button",
            { class: "button primary large", onclick: () => void this.open() },
            this.opening ? "Dealing…" : "Play a board",
          ),
          link("/club/daily", { class: "button large" }, "Today's boards"),
        ),
        this.problem ? h("p", { class: "problem", role: "alert" }, this.problem) : null,
        this.newcomer.answering || !(tickets().length || prefs().met)
          ? this.newcomer.view()
          : this.recent(),
      ),
      h(
        "nav",
        { class: "ways", "aria-label": "What you can do here" },
        WAYS.map(([path, name, words]) =>
          link(path, { class: "door" }, h("b", null, name), h("span", null, words)),
        ),
        h(
          "div",
          { class: "door tools-door" },
          h("b", null, "Tools"),
          h(
            "ul",
            { class: "tool-links" },
            TOOLS.map(([path, name, words]) =>
              h("li", null, link(path, { class: "tool-link", title: words }, name)),
            ),
          ),
        ),
        h(
          "details",
          {
            class: "setting",
            open: this.setting,
            ontoggle: (e: Event) => (this.setting = (e.target as HTMLDetailsElement).open),
          },
          h("summary", null, "Set the table"),
          this.form(),
        ),
      ),
    );
  }

  private recent(): Child {
    const all = tickets();
    const old = this.every ? all : all.slice(0, 4);
    if (!old.length) return null;
    return h(
      "div",
      { class: "recent" },
      h("h2", null, "Your tables"),
      h(
        "ul",
        null,
        old.map((t) =>
          h(
            "li",
            { key: t.table },
            link(
              `/table/${t.table}`,
              { class: "kept-table" },
              h("b", null, t.about ?? "A table"),
              h(
                "small",
                { class: "soft" },
                SEAT_NAMES[t.seat],
                " · ",
                h(
                  "span",
                  { translate: "no" },
                  new Date(t.at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" }),
                ),
              ),
            ),
            h(
              "button",
              {
                class: "quiet",
                "aria-label": "forget this table",
                onclick: () => {
                  forget(t.table);
                  this.draw();
                },
              },
              "×",
            ),
          ),
        ),
      ),
      all.length > old.length
        ? h(
            "button",
            {
              class: "linklike",
              onclick: () => {
                this.every = true;
                this.draw();
              },
            },
            `All ${all.length} tables`,
          )
        : null,
    );
  }

  private form(): VNode {
    const set = (change: () => void): void => {
      change();
      this.draw();
    };
    return h(
      "form",
      {
        class: "fields wide",
        onsubmit: (e: Event) => {
          e.preventDefault();
          void this.open();
        },
      },
      h(
        "fieldset",
        null,
        h("legend", null, "Who sits where"),
        h(
          "div",
          { class: "chairs" },
          SEATS.map((s) => this.chair(s, set)),
        ),
      ),
      this.engine("North–South play", "NS", set),
      this.engine("East–West play", "EW", set),
      this.select("Robots play the cards by", this.player, this.offers?.players ?? [], (v) =>
        set(() => (this.player = v)),
      ),
      h(
        "fieldset",
        null,
        h("legend", null, "The cards"),
        h(
          "div",
          { class: "tabs" },
          (
            [
              ["random", "Random"],
              ["board", "Number"],
              ["script", "Script"],
              ["text", "Paste"],
              ["set", "Set"],
            ] as [Kind, string][]
          ).map(([kind, words]) =>
            h(
              "label",
              { class: "tab" },
              h("input", {
                type: "radio",
                name: "kind",
                value: kind,
                checked: this.kind === kind,
                onchange: () => set(() => (this.kind = kind)),
              }),
              h("span", null, words),
            ),
          ),
        ),
        this.sourceFields(set),
      ),
      h(
        "fieldset",
        { class: "checks" },
        h("legend", null, "House rules"),
        this.check("I play the hand when my robot partner declares", this.takeOver, (v) =>
          set(() => (this.takeOver = v)),
        ),
        this.check("Play cards without a choice by themselves", this.auto, (v) =>
          set(() => (this.auto = v)),
        ),
        this.check("Bidding only", this.auctionOnly, (v) => set(() => (this.auctionOnly = v))),
        this.check("Matchpoints instead of IMPs", this.scoring === "matchpoints", (v) =>
          set(() => (this.scoring = v ? "matchpoints" : "imps")),
        ),
      ),
      h(
        "button",
        { class: "button primary", type: "submit" },
        this.opening ? "Dealing…" : "Open this table",
      ),
    );
  }

  private chair(s: SeatLetter, set: (c: () => void) => void): VNode {
    const value = s === this.seat ? "me" : this.friends.has(s) ? "friend" : "robot";
    return h(
      "label",
      { class: "field" },
      h("span", null, SEAT_NAMES[s]),
      h(
        "select",
        {
          value,
          onchange: (e: Event) =>
            set(() => {
              const wish = (e.target as HTMLSelectElement).value;
              this.friends.delete(s);
              if (wish === "me") {
                this.friends.delete(s);
                this.seat = s;
              } else if (s === this.seat)
                this.seat = SEATS.find((x) => x !== s && !this.friends.has(x)) ?? s;
              if (wish === "friend" && s !== this.seat) this.friends.add(s);
            }),
        },
        h("option", { value: "me" }, "me"),
        h("option", { value: "robot" }, "robot"),
        h("option", { value: "friend" }, "a friend, by link"),
      ),
    );
  }

  private engine(label: string, who: "NS" | "EW", set: (c: () => void) => void): VNode {
    const mine = side(this.seat) === who ? " (you too)" : "";
    return this.select(label + mine, this.bidders[who], this.offers?.bidders ?? [], (v) =>
      set(() => (this.bidders[who] = v)),
    );
  }

  private select(label: string, value: string, offers: Offer[], pick: (v: string) => void): VNode {
    return h(
      "label",
      { class: "field" },
      h("span", null, label),
      h(
        "select",
        {
          value: value || offers[0]?.spec || "",
          onchange: (e: Event) => pick((e.target as HTMLSelectElement).value),
        },
        offers.length
          ? offers.map((o) => h("option", { value: o.spec }, nameOf(o)))
          : h("option", { value: "" }, "…"),
      ),
    );
  }

  private check(label: string, on: boolean, pick: (v: boolean) => void): VNode {
    return h(
      "label",
      { class: "check" },
      h("input", {
        type: "checkbox",
        checked: on,
        onchange: (e: Event) => pick((e.target as HTMLInputElement).checked),
      }),
      h("span", null, label),
    );
  }

  private sourceFields(set: (c: () => void) => void): Child {
    const input = (label: string, value: string, pick: (v: string) => void): VNode =>
      h(
        "label",
        { class: "field" },
        h("span", null, label),
        h("input", {
          inputmode: "numeric",
          pattern: "[0-9]*",
          value,
          oninput: (e: Event) => pick((e.target as HTMLInputElement).value.replace(/\D/g, "")),
        }),
      );
    if (this.kind === "board") {
      return h(
        "div",
        { class: "pair" },
        input("Board number", this.number, (v) => (this.number = v)),
        input("Deal number", this.seed, (v) => (this.seed = v)),
      );
    }
    const area = (label: string, value: string, pick: (v: string) => void, hint: string): VNode =>
      h(
        "label",
        { class: "field" },
        h("span", null, label),
        h("textarea", {
          rows: 6,
          spellcheck: "false",
          placeholder: hint,
          value,
          oninput: (e: Event) => pick((e.target as HTMLTextAreaElement).value),
        }),
      );
    if (this.kind === "script")
      return area(
        "Script in the language of dealer",
        this.script,
        (v) => (this.script = v),
        "condition hcp(north) >= 15",
      );
    if (this.kind === "text") {
      return [
        area(
          "PBN, LIN, a BBO hand viewer link, or a deal",
          this.text,
          (v) => (this.text = v),
          "https://www.bridgebase.com/tools/handviewer.html?lin=…",
        ),
        h(
          "div",
          { class: "row" },
          fileButton("Choose a file", ".pbn,.lin,.txt,.rbn,.jsonl", (text) =>
            set(() => (this.text = text)),
          ),
          h("span", { class: "soft" }, "Boards come one after the other."),
        ),
      ];
    }
    if (this.kind === "set") {
      return [
        choice(
          "Problem set",
          this.set,
          this.sets.map((s) => [s.name, s.title]),
          (v) => set(() => (this.set = v)),
        ),
        h(
          "p",
          { class: "soft" },
          this.sets.find((s) => s.name === (this.set || this.sets[0]?.name))?.words ?? "",
        ),
      ];
    }
    return h("p", { class: "soft" }, "A fresh random board each time.");
  }
}
