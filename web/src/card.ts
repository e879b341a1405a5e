// The convention card: choose a system, switch conventions, save, share by link, print, play it,
// measure it.
// Used at /card; the card is in the address, so that a link is the card.
import { h, later, render, type Child, type VNode } from "./dom";
import { choice, fileButton, nameOf, textField } from "./forms";
import { ask, engines, keep, Refused } from "./net";
import { myName } from "./prefs";
import { bar, copy, download, go, link, notice } from "./shell";
import { coloured } from "./words";
import type {
  CardGains as Piece,
  CardRead,
  CardShown,
  Offered as Offers,
  SwitchRow as Switch,
  SystemName,
  Ticket,
} from "./wire";

interface Saved {
  name: string;
  card: string;
}

/** A card as it is shown; one that was read from a file may have lines that mean nothing here. */
type Shown = CardShown & { unmapped?: string[] };

const CARDS = "overtrick.cards";
const DEALS = 2048; // after which a comparison ends by itself
const CARD_LINE = /^[a-z0-9-]+( [+-][a-z0-9-]+)*( character=[a-z]+)?$/;
const CHARACTERS: [string, string][] = [
  ["", "show what they say"],
  ["usual", "may be a point light or heavy"],
  ["free", "may be two points or a card off"],
];

/** The address of a card, if what a side declares is one. */
export function cardAddress(system: string): string | null {
  return CARD_LINE.test(system) ? `/card#${new URLSearchParams({ card: system })}` : null;
}

export function savedCards(): Saved[] {
  try {
    const found = JSON.parse(localStorage.getItem(CARDS) ?? "[]") as Saved[];
    return found
      .filter((s) => CARD_LINE.test(String(s.card)))
      .map((s) => ({ name: String(s.name), card: s.card }));
  } catch {
    return [];
  }
}

/** The engines, and the cards saved in this browser: robots that play them are offered too. */
export function withCards(found: Offers): Offers {
  const own = savedCards().map((s) => ({
    spec: `partner(system='${s.card}')`,
    words: s.name,
    system: s.card,
  }));
  const known = new Set(found.bidders.map((o) => o.spec));
  return { ...found, bidders: [...found.bidders, ...own.filter((o) => !known.has(o.spec))] };
}

export class CardPage {
  private offers: Offers | null = null;
  private systems: { name: string; title: string }[] = [];
  private shown: Shown | null = null;
  private name = "";
  private problem = "";
  private asked = 0;
  private opponents = "";
  private opening = false;
  private cost: (Piece & { running: boolean; seed: number }) | null = null;
  private stop = new AbortController();

  private readonly draw = later(() =>
    render(this.root, [bar(null, () => this.draw()), this.main()]),
  );

  constructor(private readonly root: HTMLElement) {
    this.draw();
    void engines().then(
      (found) => {
        this.offers = found;
        this.draw();
      },
      () => undefined,
    );
    void ask<SystemName[]>("/api/systems").then(
      (found) => {
        this.systems = found;
        this.draw();
      },
      () => undefined,
    );
    addEventListener("hashchange", this.look);
    this.look();
  }

  close(): void {
    removeEventListener("hashchange", this.look);
    this.stop.abort();
  }

  private readonly look = (): void => {
    if (location.pathname !== "/card") return;
    const wish = new URLSearchParams(location.hash.slice(1));
    this.name = (wish.get("name") ?? "").slice(0, 60);
    void this.load(wish.get("card") ?? savedCards()[0]?.card ?? "two-over-one");
  };

  private async load(card: string): Promise<void> {
    const asked = ++this.asked;
    try {
      const found = await ask<CardShown>("/api/card", { card, name: this.name });
      if (asked !== this.asked) return;
      this.show(found);
    } catch (error) {
      if (asked !== this.asked) return;
      this.problem = (error as Error).message;
      this.draw();
      if (!this.shown && card !== "two-over-one") void this.loadAgain();
    }
  }

  /** A link that says nothing we know: the standard is shown beside the reason. */
  private async loadAgain(): Promise<void> {
    const reason = this.problem;
    await this.load("two-over-one");
    this.problem = reason;
    this.draw();
  }

  private show(found: Shown): void {
    if (this.shown?.card !== found.card) this.halt(true);
    this.shown = found;
    this.name = found.name || this.name;
    this.problem = "";
    this.address();
    this.draw();
  }

  private address(): void {
    const wish = { card: this.shown!.card, ...(this.name ? { name: this.name } : {}) };
    history.replaceState(null, "", `/card#${new URLSearchParams(wish)}`);
  }

  /** Set a switch; what contradicts it is left to the standard, and the server settles the rest. */
  private set(chosen: Switch, on: boolean): void {
    const shown = this.shown!;
    const changed = new Map(
      shown.switches.filter((s) => s.on !== s.standard).map((s) => [s.name, s.on]),
    );
    for (const s of shown.switches) {
      const rival = on && (chosen.excludes.includes(s.name) || s.excludes.includes(chosen.name));
      const leans = !on && s.needs.includes(chosen.name);
      if ((rival || leans) && changed.get(s.name) === true) changed.delete(s.name);
      if (on && chosen.needs.includes(s.name)) changed.delete(s.name);
    }
    changed.delete(chosen.name);
    if (on !== chosen.standard) changed.set(chosen.name, on);
    this.change(changed, shown.character);
  }

  /** The card with these switches changed, played by a robot of this character. */
  private change(changed: Map<string, boolean>, character: string): void {
    const words = [...changed].map(([name, is]) => `${is ? "+" : "-"}${name}`);
    const manner = character ? [`character=${character}`] : [];
    void this.load([this.shown!.system, ...words, ...manner].join(" "));
  }

  private save(): void {
    const mine = { name: this.name || this.shown!.title, card: this.shown!.card };
    const others = savedCards().filter((s) => s.name !== mine.name);
    localStorage.setItem(CARDS, JSON.stringify([mine, ...others].slice(0, 20)));
    notice("Card saved in this browser");
    this.draw();
  }

  private async read(text: string, file: string): Promise<void> {
    try {
      this.show(await ask<CardRead>("/api/card/read", { text, file }));
    } catch (error) {
      this.problem = (error as Error).message;
      this.draw();
    }
  }

  private toml(): string {
    const shown = this.shown!;
    const changed = shown.switches
      .filter((s) => s.on !== s.standard)
      .map((s) => `${s.name} = ${s.on}`);
    return [
      "card = 1",
      ...(this.name ? [`name = ${JSON.stringify(this.name)}`] : []),
      `system = "${shown.system}"`,
      ...(shown.character ? [`character = "${shown.character}"`] : []),
      "",
      "[switches]",
      ...changed,
      "",
    ].join("\n");
  }

  private async play(): Promise<void> {
    if (this.opening || !this.offers) return;
    this.opening = true;
    this.draw();
    const usual = usualPlayer();
    const player = (this.offers.players.find((o) => o.spec === usual) ?? this.offers.players[0]!)
      .spec;
    const theirs =
      this.opponents === "same"
        ? this.shown!.robot
        : this.opponents || this.offers.bidders[0]!.spec;
    try {
      const ticket = await ask<Ticket>("/api/tables", {
        seat: "S",
        humans: ["S"],
        ns: { bidder: this.shown!.robot, player },
        ew: { bidder: theirs, player },
        name: myName(),
      });
      keep(ticket);
      go(`/table/${ticket.table}`);
    } catch (error) {
      this.problem = (error as Error).message;
      this.opening = false;
      this.draw();
    }
  }

  /** Deals bid by this card and by the standard, some at a time; whoever leaves stops them. */
  private async measure(): Promise<void> {
    this.halt(false);
    const { signal } = this.stop;
    const card = this.shown!.card;
    const cost = this.cost ?? {
      deals: 0,
      sum: 0,
      squares: 0,
      changed: 0,
      running: true,
      seed: Math.floor(Math.random() * 1e9),
    };
    cost.running = true;
    this.cost = cost;
    this.draw();
    const until = cost.deals + DEALS;
    try {
      while (cost.deals < until && !signal.aborted) {
        const piece = await patient({ card, seed: cost.seed, start: cost.deals }, signal);
        cost.deals += piece.deals;
        cost.sum += piece.sum;
        cost.squares += piece.squares;
        cost.changed += piece.changed;
        if (this.cost === cost) this.draw();
      }
    } catch (error) {
      if (!signal.aborted) this.problem = (error as Error).message;
    }
    cost.running = false;
    if (this.cost === cost) this.draw();
  }

  private halt(forget: boolean): void {
    this.stop.abort();
    this.stop = new AbortController();
    if (forget) this.cost = null;
  }

  // ------------------------------------------------------------ drawing

  private main(): VNode {
    const shown = this.shown;
    return h(
      "main",
      { class: "tool" },
      h(
        "header",
        { class: "tool-head" },
        h("h1", null, "Your convention card"),
        h(
          "p",
          { class: "lead" },
          "The system you play with the robot, switch by switch. Its calls are bid and " +
            "explained by this card, and the opponents are told of it.",
        ),
      ),
      this.problem ? h("p", { class: "problem", role: "alert" }, this.problem) : null,
      shown
        ? h(
            "div",
            { class: "book" },
            h(
              "aside",
              { class: "stack" },
              this.choose(shown),
              this.changes(shown),
              this.table(shown),
              this.price(shown),
            ),
            h(
              "section",
              { class: "panel card-switches", "aria-label": "Conventions" },
              this.switches(shown),
            ),
          )
        : h("p", { class: "soft" }, "Reading the card…"),
    );
  }

  private choose(shown: Shown): VNode {
    const saved = savedCards();
    const systems = this.systems.length
      ? this.systems
      : [{ name: shown.system, title: shown.title }];
    return h(
      "section",
      { class: "panel" },
      choice(
        "System",
        shown.system,
        systems.map((s) => [s.name, s.title]),
        (v) => void this.load(v),
      ),
      saved.length
        ? choice(
            "Saved cards",
            "",
            [["", "choose…"], ...saved.map((s) => [s.card, s.name] as [string, string])],
            (v) => {
              const found = saved.find((s) => s.card === v);
              if (!found) return;
              this.name = found.name;
              void this.load(found.card);
            },
          )
        : null,
      textField(
        "Name of the card",
        this.name,
        (v) => {
          this.name = v;
          this.address();
        },
        { maxlength: "60" },
      ),
      h(
        "div",
        { class: "row" },
        h("button", { class: "button", onclick: () => this.save() }, "Save"),
        h(
          "button",
          { class: "button", onclick: () => void copy(location.href, "Link to the card") },
          "Copy link",
        ),
      ),
      h(
        "div",
        { class: "row" },
        h(
          "a",
          { class: "button small", target: "_blank", rel: "noopener", href: this.printing("acbl") },
          "Print (ACBL)",
        ),
        h(
          "a",
          { class: "button small", target: "_blank", rel: "noopener", href: this.printing("wbf") },
          "Print (WBF)",
        ),
        h(
          "button",
          { class: "button small", onclick: () => download("card.toml", this.toml()) },
          "Download",
        ),
        fileButton(
          "Read a file",
          ".toml,.bbsa",
          (text) =>
            void this.read(
              text,
              text.trimStart().startsWith("System type") ? "card.bbsa" : "card.toml",
            ),
        ),
      ),
      shown.unmapped?.length
        ? h(
            "details",
            { class: "unmapped", open: true },
            h("summary", null, `${shown.unmapped.length} lines of that card have no switch here`),
            h(
              "ul",
              null,
              shown.unmapped.map((line) => h("li", null, h("code", null, line))),
            ),
          )
        : null,
    );
  }

  private printing(form: string): string {
    return (
      "/api/card/print?" +
      `${new URLSearchParams({ card: this.shown!.card, name: this.name, form })}`
    );
  }

  private changes(shown: Shown): VNode {
    const changed = shown.switches.filter((s) => s.on !== s.standard);
    return h(
      "section",
      { class: "panel", "aria-live": "polite" },
      h("h2", null, "Against the standard"),
      changed.length
        ? h(
            "ul",
            { class: "card-changes" },
            changed.map((s) =>
              h(
                "li",
                { key: s.name },
                h("span", { class: `tag ${s.on ? "good" : "bad"}` }, s.on ? "on" : "off"),
                h("span", null, coloured(s.title)),
                h(
                  "button",
                  {
                    class: "linklike",
                    "aria-label": `${s.title}: as in the standard`,
                    onclick: () => this.set(s, s.standard),
                  },
                  "undo",
                ),
              ),
            ),
          )
        : h("p", { class: "soft" }, "Nothing is changed."),
    );
  }

  private table(shown: Shown): VNode {
    const offers = (this.offers?.bidders ?? []).filter((o) => /^(partner|rules)/.test(o.spec));
    const choices: [string, string][] = [
      ...offers.map((o) => [o.spec, nameOf(o)] as [string, string]),
      ["same", "this card too"],
    ];
    return h(
      "section",
      { class: "panel" },
      h("h2", null, "Play it"),
      choice("Calls of the robot", shown.character, CHARACTERS, (v) => {
        const changed = shown.switches.filter((s) => s.on !== s.standard);
        this.change(new Map(changed.map((s) => [s.name, s.on])), v);
      }),
      choice("The opponents play", this.opponents || offers[0]?.spec || "", choices, (v) => {
        this.opponents = v;
        this.draw();
      }),
      h(
        "div",
        { class: "row" },
        h(
          "button",
          {
            class: "button primary",
            "aria-disabled": this.opening || !this.offers ? "true" : null,
            onclick: () => void this.play(),
          },
          this.opening ? "Sitting down…" : "Play a board",
        ),
        link(
          `/book#${new URLSearchParams({ system: shown.card })}`,
          { class: "button" },
          "Open its book",
        ),
      ),
    );
  }

  private price(shown: Shown): VNode {
    const cost = this.cost;
    const plain = shown.switches.every((s) => s.on === s.standard);
    const mean = cost?.deals ? cost.sum / cost.deals : 0;
    const spread =
      cost && cost.deals > 1 ? Math.max(0, cost.squares / cost.deals - mean * mean) : 0;
    const error = cost && cost.deals > 1 ? Math.sqrt(spread / (cost.deals - 1)) : 0;
    return h(
      "section",
      { class: "panel" },
      h("h2", null, "What does this cost?"),
      plain
        ? h(
            "p",
            { class: "soft" },
            "This is the standard: change a switch, and it can be compared.",
          )
        : h(
            "p",
            { class: "soft" },
            "The same random deals are bid by this card and by the standard, against the " +
              "same opponents.",
          ),
      cost?.deals
        ? h(
            "div",
            { class: "tile" },
            h(
              "b",
              null,
              `${mean < 0 ? "−" : "+"}${Math.abs(mean).toFixed(2)} ± ${error.toFixed(2)}`,
            ),
            h("span", { class: "soft" }, "IMPs a board, with its standard error"),
            h("span", { class: "soft" }, `${cost.deals} deals, ${cost.changed} of them different`),
            cost.running ? null : h("span", null, verdict(mean, error)),
          )
        : null,
      plain
        ? null
        : h(
            "div",
            { class: "row" },
            cost?.running
              ? h(
                  "button",
                  {
                    class: "button",
                    onclick: () => {
                      this.halt(false);
                      this.draw();
                    },
                  },
                  "Stop",
                )
              : h(
                  "button",
                  { class: "button", onclick: () => void this.measure() },
                  cost?.deals ? "Go on" : "Compare",
                ),
            cost?.running
              ? h("progress", {
                  max: DEALS,
                  value: cost.deals % DEALS,
                  "aria-label": "deals compared",
                })
              : null,
          ),
    );
  }

  private switches(shown: Shown): Child {
    const topics = [...new Set(shown.switches.map((s) => s.topic))];
    const title = new Map(shown.switches.map((s) => [s.name, s.title]));
    return topics.map((topic) =>
      h(
        "fieldset",
        { class: "card-topic", key: topic },
        h("legend", null, topic || "Other"),
        shown.switches.filter((s) => s.topic === topic).map((s) => this.item(s, title)),
      ),
    );
  }

  private item(s: Switch, title: Map<string, string>): VNode {
    const notes = [
      ...s.needs.map((n) => ["needs", n] as const),
      ...s.excludes.map((n) => ["not with", n] as const),
    ].filter(([, n]) => title.has(n));
    return h(
      "label",
      {
        class: `card-switch${s.on ? "" : " off"}${s.on !== s.standard ? " changed" : ""}`,
        key: s.name,
      },
      h("input", {
        type: "checkbox",
        name: s.name,
        checked: s.on,
        disabled: s.fixed,
        onchange: (e: Event) => this.set(s, (e.target as HTMLInputElement).checked),
      }),
      h(
        "span",
        { class: "card-words" },
        h("b", null, coloured(s.title)),
        s.on !== s.standard ? h("span", { class: "tag" }, "changed") : null,
        s.fixed ? h("span", { class: "tag" }, "part of the system") : null,
        h("span", { class: "soft" }, coloured(s.about)),
        notes.length
          ? h(
              "small",
              { class: "soft" },
              notes.map(([word, n], i) => [i ? " · " : "", word, " ", coloured(title.get(n)!)]),
            )
          : null,
      ),
    );
  }
}

/** Who plays the robots' cards on the start page. */
function usualPlayer(): string {
  try {
    return String(
      (JSON.parse(localStorage.getItem("overtrick.choices") ?? "{}") as { player?: string })
        .player ?? "",
    );
  } catch {
    return "";
  }
}

function verdict(mean: number, error: number): string {
  if (Math.abs(mean) < 2 * error || error === 0) return "No difference that these deals can show.";
  return mean > 0 ? "It gains." : "It costs.";
}

/** A piece of the comparison; when the server is busy, it is asked again a little later. */
async function patient(
  wish: { card: string; seed: number; start: number },
  signal: AbortSignal,
): Promise<Piece> {
  for (let tries = 0; ; tries++) {
    const answer = await fetch("/api/card/cost", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(wish),
      signal,
    });
    if (answer.ok) return (await answer.json()) as Piece;
    if ((answer.status !== 429 && answer.status !== 503) || tries > 20) {
      throw new Refused(
        ((await answer.json().catch(() => ({}))) as { error?: string }).error ??
          `error ${answer.status}`,
      );
    }
    await new Promise((done) => setTimeout(done, 2000));
    if (signal.aborted) throw new Refused("stopped");
  }
}
