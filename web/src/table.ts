// The table page: what the server shows of one seat, drawn; clicks, taps and keys sent back.
// Used at /table/NAME; the state comes whole with every frame, so a reload loses nothing. Nothing
// on it moves while a board is played: every place has its size before it is filled.
import { announce, h, later, render, type Child, type VNode } from "./dom";
import { cardAddress } from "./card";
import { hintView, hintWords } from "./coach";
import { callDirector, follow } from "./events";
import { guided, learned } from "./guide";
import { remember } from "./history";
import { dayShort, nameOf as offerName } from "./forms";
import { ask, engines, forget, keep, TableSocket, ticketOf, type Meaning } from "./net";
import {
  auctionView,
  boardMarker,
  diagram,
  dummy,
  fan,
  meaningView,
  pointed,
  trickView,
  type CardProps,
} from "./parts";
import { People } from "./people";
import { confirms, myName, pace } from "./prefs";
import { resultView, scoreSheet, totalView } from "./result";
import { bar, dialog, go, icon, notice } from "./shell";
import { click } from "./sound";
import { Story } from "./story";
import { Typing } from "./typing";
import {
  callLabel,
  callView,
  callWords,
  cardWords,
  contractView,
  isVul,
  partner,
  plus,
  points,
  impWords,
  SEAT_NAMES,
  side,
  signed,
  STRAINS,
  suitOf,
} from "./words";
import type { Frame, HintAnswer, Offered as Offers, SeatLetter, State, Ticket } from "./wire";

type Looking = { made: number } | { could: string } | null;

const NO_CLAIM = "You can claim once dummy is down.";
const NO_UNDO = "There is nothing of yours to take back.";
const NO_HINT = "A hint is there when it is your turn.";
const SMALL = "(max-width: 600px), (max-height: 560px)";

export class TablePage {
  private socket: TableSocket | null = null;
  private state: State | null = null;
  private queue: State[] = [];
  private busy = false;
  private up = true;
  private picked = "";
  private looking: Looking = null;
  private meanings = new Map<string, Meaning>();
  private meaningsAt = -1;
  private hint: HintAnswer | null = null;
  private hinting = false;
  private claiming: number | null = null;
  private wasUp = true;
  private showLast = false;
  private sentAt = -1;
  private gone = "";
  private level = 0;
  private step = 0;
  private offers: Offers | null = null;
  private readonly small = matchMedia(SMALL);
  private readonly people: People;
  private following: (() => void) | null = null;
  private readonly story = new Story(() => this.draw());
  private readonly typing: Typing;
  private readonly key = (e: KeyboardEvent): void => this.typing.press(e);

  private readonly draw = later(() => {
    render(this.root, this.page());
  });

  constructor(
    private readonly root: HTMLElement,
    private readonly table: string,
  ) {
    this.typing = new Typing({
      phase: () => (this.state?.mine && !this.waiting ? this.state.phase : "none"),
      legal: () => new Set(this.state?.legal ?? []),
      call: (call) => this.act(call, true),
      card: (card) => this.act(card, true),
      enter: () => this.enter(),
      other: (key) => this.other(key),
      changed: () => this.draw(),
    });
    this.people = new People({
      table: this.table,
      send: (m) => this.socket?.send(m) ?? false,
      state: () => this.state,
      draw: () => this.draw(),
    });
    document.addEventListener("keydown", this.key);
    this.small.addEventListener("change", this.draw);
    void engines().then(
      (found) => {
        this.offers = found;
        this.draw();
      },
      () => undefined,
    );
    void this.begin();
  }

  close(): void {
    this.following?.();
    this.socket?.close();
    this.people.close();
    document.removeEventListener("keydown", this.key);
    this.small.removeEventListener("change", this.draw);
  }

  private async begin(): Promise<void> {
    const invitation = /#join=([\w-]+)/.exec(location.hash)?.[1];
    let ticket = ticketOf(this.table);
    if (!ticket && invitation) {
      try {
        ticket = await ask<Ticket>(`/api/tables/${this.table}/join`, {
          invitation,
          name: myName(),
        });
        keep(ticket);
      } catch (error) {
        this.gone = (error as Error).message;
      }
    }
    history.replaceState(null, "", location.pathname);
    if (!ticket) {
      this.gone ||= "you have no seat at this table";
      this.draw();
      return;
    }
    this.socket = new TableSocket(
      ticket,
      (f) => this.heard(f),
      (up) => {
        this.up = up;
        if (up !== this.wasUp) announce(up ? "Connected again" : "Connection lost, trying again");
        this.wasUp = up;
        this.draw();
      },
    );
    this.draw();
  }

  // ------------------------------------------------------------ frames

  private heard(frame: Frame): void {
    if (frame.type === "state") {
      const event = frame.match?.event;
      if (event && !frame.watching && !this.following)
        this.following = follow(event, this.table, ticketOf(this.table)?.token ?? "");
      this.queue.push(frame);
      if (!this.busy) this.advance();
    } else if (frame.type === "presence") {
      const { connected, watchers } = frame;
      this.queue = this.queue.map((s) => ({ ...s, connected, watchers }));
      if (this.state) this.state = { ...this.state, connected, watchers };
      this.draw();
    } else if (frame.type === "hint") {
      this.hinting = false;
      if (frame.at === this.state?.at) {
        this.hint = frame;
        this.step = 1;
        this.looking = null;
        announce(hintWords(frame, this.step, this.state!.phase === "auction"));
      }
      this.draw();
    } else if (frame.type === "chat" || frame.type === "invited") {
      this.people.heard(frame);
    } else if (frame.type === "meanings") {
      this.meanings = new Map(frame.calls.map((c) => [c.call, c]));
      this.meaningsAt = frame.at;
      this.draw();
    } else {
      this.hinting = false;
      this.sentAt = -1;
      if (!this.state) {
        this.gone = frame.error;
        forget(this.table);
      } else notice(frame.error);
      this.draw();
    }
  }

  /** Show what is queued, one card at a time, so that eyes can follow. */
  private advance(): void {
    const next = this.queue.shift();
    if (!next) {
      this.busy = false;
      return;
    }
    const before = this.state;
    this.state = next;
    const moved = !before || next.at !== before.at || next.boards !== before.boards;
    if (moved) {
      this.picked = "";
      this.hint = null;
      this.step = 0;
      this.level = 0;
      this.hinting = false;
      this.showLast = false;
      this.sentAt = -1;
      this.typing.clear();
      if (this.looking && "could" in this.looking) this.looking = null;
      this.tell(before, next);
      if (before && next.at > before.at) click();
      const ticket = ticketOf(this.table);
      if (ticket && (!before || before.boards !== next.boards)) keep(ticket, aboutTable(next));
    }
    if (!before && next.chosen && next.humans.length > 1)
      notice("Whoever opened the table chose the cards, so it is not ranked.");
    if (next.phase === "over" && !next.watching) remember(this.table, next);
    if (next.phase === "over") this.story.want(next);
    learned(next);
    if (next.phase !== "play") this.claiming = null;
    else if (this.claiming !== null && next.can_claim) {
      this.socket?.send({ type: "claim", tricks: this.claiming });
      this.claiming = null;
    }
    if (
      next.mine &&
      next.phase === "auction" &&
      this.meaningsAt !== next.at &&
      this.queue.length === 0
    ) {
      this.meanings = new Map();
      this.socket?.send({ type: "explain" });
    }
    this.draw();
    const [card, trick] = pace();
    const grown = before !== null && next.at === before.at + 1;
    const won = grown && (next.play?.won.length ?? 0) > (before.play?.won.length ?? 0);
    const wait = !grown ? 0 : won ? trick : next.phase === "auction" ? card / 2 : card;
    this.busy = true;
    setTimeout(() => this.advance(), wait);
  }

  private tell(before: State | null, now: State): void {
    const said: string[] = [];
    if (!before || before.boards !== now.boards) {
      said.push(`Board ${now.number}, dealer ${SEAT_NAMES[now.dealer]}, vulnerable: ${now.vul}.`);
    } else if (now.at < before.at) said.push("Taken back.");
    const last = now.auction[now.auction.length - 1];
    if (now.phase === "auction" && last && now.auction.length > (before?.auction.length ?? 0)) {
      said.push(`${SEAT_NAMES[last.seat]}: ${callWords(last.call)}.`);
      if (last.meaning && last.call !== "Pass") said.push(`${last.meaning.words}.`);
    }
    if (before?.phase === "auction" && now.contract) {
      said.push(`${SEAT_NAMES[now.contract.declarer]} plays ${now.contract.text}.`);
    }
    const trick = now.play?.trick ?? (now.play && now.play.cards > 0 ? now.play.last : null);
    const played = trick?.cards[trick.cards.length - 1];
    if (played && now.play!.cards > (before?.play?.cards ?? 0)) {
      said.push(`${SEAT_NAMES[played.seat]} ${cardWords(played.card)}.`);
      if (!now.play!.trick) said.push(`${SEAT_NAMES[trick!.winner]} wins the trick.`);
    }
    if (now.result) said.push(`${now.result.text}. ${scoreWords(now)}`);
    else if (now.mine) said.push(now.phase === "auction" ? "Your call." : "Your card.");
    announce(said.join(" "));
  }

  // ------------------------------------------------------------ acting

  private get waiting(): boolean {
    return this.queue.length > 0 || this.sentAt === this.state?.at || !this.up;
  }

  private act(what: string, sure: boolean): void {
    const now = this.state;
    if (!now?.mine || this.waiting || !now.legal.includes(what)) return;
    const doubtful = confirms() || (now.phase === "auction" && far(what, now.legal));
    if (!sure && doubtful && this.picked !== what) {
      this.picked = what;
      if (now.phase === "auction") this.looking = { could: what };
      this.draw();
      return;
    }
    const message =
      now.phase === "auction" ? { type: "call", call: what } : { type: "card", card: what };
    if (this.socket?.send({ ...message, at: now.at })) this.sentAt = now.at;
    this.draw();
  }

  private enter(): void {
    if (this.picked) this.act(this.picked, true);
    else if (this.state?.phase === "over") this.simple("next");
  }

  private other(key: string): void {
    const now = this.state;
    if (!now) return;
    if (key === "i") this.askHint();
    else if (key === "u") now.can_undo ? this.simple("undo") : notice(NO_UNDO);
    else if (key === "m" && now.phase === "play") mayClaim(now) ? this.claim() : notice(NO_CLAIM);
    else if (key === "l" && now.play?.last) this.toggleLast();
    else if (key === "v" && now.result) this.review();
    else if (key === "g" && now.phase === "over") this.simple("again");
  }

  private simple(type: "undo" | "next" | "again"): void {
    this.queue = [];
    this.socket?.send({ type });
  }

  /** The first time a nudge, then the reason, then the answer. */
  private askHint(): void {
    if (this.hinting || this.state?.phase === "over") return;
    if (!this.state?.mine || this.waiting) {
      notice(NO_HINT);
      return;
    }
    this.looking = null;
    if (this.hint && this.hint.at === this.state.at) {
      if (this.step < 3) {
        this.step++;
        announce(hintWords(this.hint, this.step, this.state.phase === "auction"));
      }
    } else {
      this.hinting = true;
      this.socket?.send({ type: "hint" });
    }
    this.draw();
  }

  private toggleLast(): void {
    this.showLast = !this.showLast;
    this.draw();
  }

  private review(): void {
    if (this.state?.result) {
      go(
        `/review#lin=${encodeURIComponent(this.state.result.lin)}&table=${this.table}&board=` +
          `${this.state.boards}`,
      );
    }
  }

  private claim(): void {
    const now = this.state;
    if (!now?.play || !now.contract) return;
    // In the middle of a trick the claim is for those after it, and is made when it is complete.
    const waits = !now.can_claim;
    const left = now.play.left - (waits ? 1 : 0);
    const defending = side(now.seat) !== side(now.contract.declarer);
    const counts = defending ? [0] : Array.from({ length: left + 1 }, (_, i) => left - i);
    const box = dialog(defending ? "Concede" : "Claim", () => [
      h(
        "p",
        null,
        defending
          ? "Give declarer all the tricks that are left? It is accepted only if your side " +
              "cannot take one."
          : `${left} tricks are left. How many of them do you take? A claim stands if it holds ` +
              "for every lie of the unseen cards.",
      ),
      waits
        ? h("p", { class: "soft" }, "Your claim is made as soon as this trick is complete.")
        : null,
      h(
        "div",
        { class: "claim-counts" },
        counts.map((n) =>
          h(
            "button",
            {
              class: "button",
              onclick: () => {
                box.close();
                if (this.state?.can_claim) this.socket?.send({ type: "claim", tricks: n });
                else this.claiming = n;
              },
            },
            defending ? "Concede" : n === left ? `all ${n}` : n === 0 ? "none" : n,
          ),
        ),
      ),
    ]);
  }

  private look(looking: Looking): void {
    this.looking = looking;
    this.draw();
  }

  // ------------------------------------------------------------ drawing

  private page(): VNode[] {
    const now = this.state;
    if (this.gone || !now) {
      return [
        bar(null, () => this.draw()),
        h(
          "main",
          { class: "empty" },
          h(
            "p",
            null,
            this.gone
              ? `${this.gone[0]!.toUpperCase()}${this.gone.slice(1)}.`
              : "Setting the table…",
          ),
          this.gone
            ? h(
                "p",
                { class: "soft" },
                "Whoever opened the table can invite you by link; a link works once.",
              )
            : null,
          this.gone
            ? h("button", { class: "button primary", onclick: () => go("/") }, "To the start")
            : null,
        ),
      ];
    }
    const mine = now.mine && !this.waiting;
    return [
      bar(this.title(now), () => this.draw(), ...this.people.buttons(now), this.sheetButton(now)),
      h(
        "main",
        { class: `table phase-${now.phase}${mine ? " mine" : ""}${whose(now)}` },
        h("h1", { class: "sr-only" }, `Board ${now.number}`),
        this.felt(now),
        this.aside(now),
      ),
    ];
  }

  private title(now: State): Child {
    return [
      boardMarker(now.number, now.dealer, now.vul, bottomOf(now)),
      h(
        "div",
        { class: "contract", key: now.contract ? "contract" : "dealer" },
        now.contract
          ? [
              contractView(now.contract.text),
              h("span", { class: "by long" }, SEAT_NAMES[now.contract.declarer]),
              h(
                "span",
                { class: "by short", "aria-hidden": "true", translate: "no" },
                now.contract.declarer,
              ),
            ]
          : h("span", { class: "by" }, now.scoring === "imps" ? "IMPs" : "Matchpoints"),
      ),
      now.practice && !now.play ? null : this.count(now),
      now.practice ? this.progress(now.practice) : null,
    ];
  }

  private sheetButton(now: State): Child {
    const match = now.match;
    if (!match) return null;
    return h(
      "button",
      {
        class: "quiet sheet-button",
        onclick: () => scoreSheet(now, this.table),
        title: "Score sheet",
      },
      totalView(match, now.scoring),
    );
  }

  private count(now: State): VNode {
    const [ns, ew] = [now.play?.ns ?? 0, now.play?.ew ?? 0];
    const [ours, theirs] = side(now.seat) === "NS" ? [ns, ew] : [ew, ns];
    return h(
      "div",
      {
        class: `count${now.play ? "" : " none-yet"}`,
        "aria-hidden": now.play ? null : "true",
        role: "img",
        "aria-label": `Tricks: we ${ours}, they ${theirs}`,
      },
      h("span", null, h("small", null, "We"), h("b", null, ours)),
      h("span", null, h("small", null, "They"), h("b", null, theirs)),
    );
  }

  private progress(p: NonNullable<State["practice"]>): VNode {
    const where = p.count ? `${p.index + 1} of ${p.count}` : "";
    const earned = p.possible
      ? `${p.earned} of ${p.possible} points`
      : p.done
        ? `${impWords(signed(p.imps))} to par`
        : "";
    return h(
      "div",
      { class: "progress-note", title: (p.title || p.name).replace(/ \d+$/, "") },
      h("span", null, where),
      h("span", { class: "earned" }, where && earned ? " · " : "", earned),
    );
  }

  private felt(now: State): VNode {
    const trump = now.contract ? now.contract.text.replace(/[1-7X]/g, "") : "";
    const below = bottomOf(now);
    const seats: [string, SeatLetter][] = ["s", "w", "n", "e"].map((place, i) => [
      place,
      plus(below, i),
    ]);
    return h(
      "section",
      { class: "felt", "aria-label": "Table" },
      seats.map(([place, seat]) =>
        h(
          "div",
          {
            class: `place place-${place}`,
            key: `${place}${seat}${now.phase === "over" ? "!" : ""}`,
          },
          this.plate(now, seat),
          this.cards(now, seat, place, trump),
        ),
      ),
      h("div", { class: "centre-area", key: `centre-${now.phase}` }, this.centre(now, below)),
      h("div", { class: "turn-line", key: "turn" }, this.turn(now)),
    );
  }

  private turn(now: State): VNode {
    const words = this.turnWords(now);
    const mine = now.mine && !this.waiting;
    return h(
      "p",
      { class: `turn${mine ? " mine" : ""}`, key: typeof words === "string" ? words : "typing" },
      words,
      now.away.length || !now.turn || mine ? null : this.people.missing(now),
    );
  }

  private turnWords(now: State): Child {
    if (!this.up) return "Connection lost. Trying again…";
    if (this.typing.begun) return [h("kbd", null, this.typing.begun.toUpperCase()), " …"];
    if (now.phase === "over")
      return now.result?.claimed ? `Claimed: ${now.result.claim}` : "The board is over";
    if (now.mine && !this.waiting) {
      if (this.picked)
        return this.small.matches || confirms() ? "Tap again to confirm" : "Click again to confirm";
      if (now.phase === "auction") return "Your call";
      if (now.turn === now.contract?.dummy) return "Your card, from dummy";
      return now.turn === now.seat || now.turn === bottomOf(now)
        ? "Your card"
        : `Your card, from ${SEAT_NAMES[now.turn!]}`;
    }
    const who = now.turn!;
    const human = now.humans.includes(who) && !now.away.includes(who);
    if (human && !now.connected.includes(who)) return `${SEAT_NAMES[who]} is not here`;
    return `${SEAT_NAMES[who]} is thinking…`;
  }

  private plate(now: State, seat: SeatLetter): VNode {
    const you = seat === now.seat && !now.watching;
    const human = now.humans.includes(seat) && !now.away.includes(seat);
    const contract = now.phase !== "auction" ? now.contract : null;
    const role = contract
      ? seat === contract.declarer
        ? "declarer"
        : seat === contract.dummy
          ? "dummy"
          : ""
      : "";
    const there = now.connected.includes(seat);
    const named = now.names[seat];
    const plays = contract?.declarer === seat && bottomOf(now) === seat && !you;
    const name = plays
      ? "You play"
      : you
        ? named || "You"
        : human
          ? there
            ? named || "Guest"
            : "Empty chair"
          : "Robot";
    const system = now.systems[side(seat)];
    return h(
      "div",
      {
        key: `plate-${role}-${plays}`,
        title: you || human ? null : systemName(system),
        class:
          `plate${now.turn === seat && now.phase !== "over" ? " on" : ""}` +
          `${isVul(seat, now.vul) ? " vul" : ""}`,
      },
      h("span", { class: "letter", "aria-hidden": "true", translate: "no" }, seat),
      h(
        "span",
        { class: "who" },
        h("b", null, SEAT_NAMES[seat]),
        h(
          "small",
          { class: role ? "role" : null },
          h("i", { translate: name === named ? "no" : null }, name),
          role ? h("em", null, role) : null,
        ),
      ),
    );
  }

  private cards(now: State, seat: SeatLetter, place: string, trump: string): Child {
    if (now.phase === "over") {
      const all = now.result!.hands[seat];
      return h(
        "div",
        { class: "open-hand", key: "open" },
        diagram(all),
        h("small", { class: "hcp" }, `${points(all)} hcp`),
      );
    }
    const held = now.hands[seat];
    const places = now.places[seat];
    if (!held || !places) {
      const left = 13 - cardsPlayed(now, seat);
      return h("div", {
        class: "backs",
        key: "backs",
        role: "img",
        "aria-label": `${left} cards`,
        style: { "--n": String(left) },
      });
    }
    const active = now.mine && !this.waiting && now.phase === "play" && now.turn === seat;
    const at: CardProps = {
      legal: new Set(active ? now.legal : []),
      picked: this.picked,
      play: (card) => this.act(card, false),
      marks: this.marks(now),
    };
    const label =
      seat === now.seat ? `Your hand: ${spoken(held)}` : `${SEAT_NAMES[seat]}: ${spoken(held)}`;
    const waits = now.phase === "play" && !active ? " waits" : "";
    if (place === "s")
      return h(
        "div",
        { class: `mine-hand${waits}`, key: "hand" },
        fan(places, held, "", label, at),
      );
    if (!this.small.matches) return dummy(places, held, trump, label, at);
    // On a small screen dummy is played from in two rows, and only looked at from the side.
    return place === "n"
      ? h("div", { class: "dummy-rows", key: "rows" }, fan(places, held, trump, label, at, "slip"))
      : h(
          "div",
          { class: "dummy-side", key: "side", role: "group", "aria-label": label },
          diagram(places, new Set(places.filter((c) => !held.includes(c)))),
        );
  }

  private marks(now: State): Map<string, string> | undefined {
    if (!this.hint || this.step < 3 || this.hint.at !== now.at || now.phase !== "play")
      return undefined;
    return new Map([[this.hint.action, "★"]]);
  }

  private centre(now: State, below: SeatLetter): Child {
    if (now.phase !== "play")
      return h("div", { class: "auction-area", key: "auction" }, this.auction(now));
    const last = this.showLast ? now.play!.last : null;
    const done = last !== null || now.play!.trick === null;
    return h(
      "div",
      { class: "trick-area", key: "trick" },
      trickView(last ?? now.play!.trick ?? now.play!.last, below, done),
      last ? h("p", { class: "eyebrow last-note" }, "last trick") : null,
    );
  }

  private auction(now: State): VNode {
    return auctionView({
      calls: now.auction,
      dealer: now.dealer,
      vul: now.vul,
      you: now.watching ? null : now.seat,
      turn: now.phase === "auction" ? now.turn : null,
      chosen: this.looking && "made" in this.looking ? this.looking.made : -1,
      look: (i) => this.look(i < 0 ? null : { made: i }),
    });
  }

  private aside(now: State): VNode {
    if (now.phase === "over") {
      return h(
        "aside",
        { class: "side", key: "over", "aria-label": "Result" },
        h(
          "div",
          { class: "outcome-card" },
          resultView(
            now,
            () => scoreSheet(now, this.table),
            this.story.view(now, this.table, (to) => this.socket?.send({ type: "undo", to })),
          ),
        ),
        h("div", { class: "actions" }, this.overActions(now)),
      );
    }
    return h(
      "aside",
      {
        class: "side",
        key: "side",
        "aria-label": now.phase === "auction" ? "Bidding box and explanations" : "Auction and help",
      },
      h(
        "div",
        {
          class: "explain",
          key: "explain",
          tabindex: "0",
          role: "region",
          "aria-label": "Explanations",
        },
        this.hint || this.looking ? null : guided(now),
        troubled(now) ?? this.people.wish(now) ?? this.explanation(now),
      ),
      now.phase === "auction"
        ? this.box(now)
        : h("div", { class: "lower auction-lower", key: "called" }, this.auction(now)),
      h("div", { class: "actions", key: "actions" }, this.actions(now)),
      now.rulings.length
        ? h("p", { class: "rulings sr-only" }, now.rulings[now.rulings.length - 1]!)
        : null,
    );
  }

  private explanation(now: State): Child {
    const looking = this.looking;
    if (looking && "made" in looking) {
      const made = now.auction[looking.made];
      if (made) {
        const who =
          made.seat === now.seat
            ? "Your call showed"
            : made.seat === partner(now.seat)
              ? "Partner shows"
              : `${SEAT_NAMES[made.seat]} shows`;
        return meaningView(who, made.call, made.meaning);
      }
    }
    if (looking && "could" in looking) {
      const known = this.meanings.get(looking.could) ?? null;
      const head =
        this.picked !== looking.could
          ? "Partner will read"
          : far(looking.could, now.legal) && !confirms()
            ? "A long jump: click again to bid it. Partner will read"
            : "Tap again to bid. Partner will read";
      return meaningView(this.meaningsAt === now.at ? head : "Asking…", looking.could, known);
    }
    if (this.hint)
      return hintView(this.hint, this.step, now.phase === "auction", () => this.askHint());
    if (this.hinting)
      return h("p", { class: "eyebrow", key: "thinking" }, "The coach is thinking…");
    const last = [...now.auction].reverse().find((c) => c.call !== "Pass" && c.seat !== now.seat);
    if (now.phase === "auction" && last) {
      return meaningView(
        last.seat === partner(now.seat) ? "Partner shows" : `${SEAT_NAMES[last.seat]} shows`,
        last.call,
        last.meaning,
      );
    }
    if (now.phase === "auction") {
      const held = now.hands[now.seat] ?? [];
      return h(
        "div",
        { class: "meaning", key: "hand" },
        h("p", { class: "eyebrow" }, "Your hand"),
        h(
          "p",
          { class: "tells" },
          h("span", { class: "words" }, `${points(held)} points, ${shape(held)}`),
        ),
        this.cardLinks(now),
        h("p", { class: "soft pick-any" }, "Choose any call to see what it tells."),
        h("p", { class: "soft" }, this.systemWords(now)),
      );
    }
    return this.goal(now);
  }

  /** What both sides play, in a sentence. */
  private systemWords(now: State): string {
    const us = side(now.seat);
    const [ours, theirs] = [now.engines[us], now.engines[us === "NS" ? "EW" : "NS"]].map((e) => {
      const offer = this.offers?.bidders.find((o) => o.spec === e.bidder);
      return offer ? offerName(offer) : ownCard(e.bidder);
    });
    return ours === theirs ? `Both sides play ${ours}.` : `You play ${ours}, they play ${theirs}.`;
  }

  /** The convention cards of both sides. */
  private cardLinks(now: State): VNode {
    const us = side(now.seat);
    const [ours, theirs] = [now.systems[us], now.systems[us === "NS" ? "EW" : "NS"]].map(
      cardAddress,
    );
    return h(
      "p",
      { class: "card-links" },
      ours
        ? h("a", { href: ours, target: "_blank", rel: "noopener" }, "Your convention card")
        : null,
      theirs
        ? h("a", { href: theirs, target: "_blank", rel: "noopener" }, "Their convention card")
        : null,
    );
  }

  /** What the play is about: how many more tricks this side needs. */
  private goal(now: State): VNode {
    const contract = now.contract!;
    const play = now.play!;
    const declaring = side(now.seat) === side(contract.declarer);
    const lost = play.won.length - play.declarer_tricks;
    const need = declaring ? contract.target - play.declarer_tricks : 14 - contract.target - lost;
    const words =
      need <= 0
        ? declaring
          ? "You have made it. Every further trick counts."
          : "You have beaten it. Every further trick counts."
        : need > play.left
          ? declaring
            ? "It can no longer be made. Save what you can."
            : "It can no longer be beaten. Save what you can."
          : declaring
            ? need === 1
              ? "You need 1 more trick."
              : `You need ${need} more tricks.`
            : need === 1
              ? "To beat it you need 1 more trick."
              : `To beat it you need ${need} more tricks.`;
    return h(
      "div",
      { class: "meaning", key: words },
      h("p", { class: "eyebrow" }, `${SEAT_NAMES[contract.declarer]} plays`),
      h("p", { class: "tells" }, contractView(contract.text), h("span", { class: "words" }, words)),
      h("p", { class: "soft" }, "Choose any call to see what it showed."),
    );
  }

  // -------------------------------------------------- the bidding box and what can be done

  private bid(now: State, call: string, classes: string, label?: string): VNode {
    const can = now.mine && !this.waiting && now.legal.includes(call);
    const advised = this.hint?.action === call && this.step === 3;
    return h(
      "button",
      {
        class: `bid ${classes}${this.picked === call ? " picked" : ""}${advised ? " advised" : ""}`,
        key: call === "XX" ? "X" : call,
        "data-call": call,
        "aria-disabled": can ? null : "true",
        tabindex: can ? "0" : "-1",
        "aria-label": `${label ?? callLabel(call)}${this.could(call)}`,
        onclick: () => this.act(call, false),
        onmouseenter: (e: MouseEvent) => can && pointed(e) && this.look({ could: call }),
        onmouseleave: () => this.look(null),
        onfocus: () => can && this.look({ could: call }),
        onblur: () => this.look(null),
      },
      label ?? callView(call),
    );
  }

  /** Seven levels of five; on a small screen a row of levels and a row of suits. */
  private box(now: State): VNode {
    const idle = now.mine && !this.waiting ? "" : " idle";
    const row = (level: number): VNode =>
      h(
        "div",
        { class: "level-row", key: level, role: "group", "aria-label": `level ${level}` },
        STRAINS.map((strain) => this.bid(now, `${level}${strain}`, `strain-${strain}`)),
      );
    if (!this.small.matches) {
      return h(
        "div",
        { class: `lower box${idle}`, key: "box", role: "group", "aria-label": "Bidding box" },
        [1, 2, 3, 4, 5, 6, 7].map(row),
      );
    }
    const first = now.legal.find((c) => /^[1-7]/.test(c));
    const lowest = first ? Number(first[0]) : lowestLevel(now);
    const level = Math.max(this.level, lowest);
    return h(
      "div",
      { class: `lower box steps${idle}`, key: "box", role: "group", "aria-label": "Bidding box" },
      h(
        "div",
        { class: "level-pick", role: "group", "aria-label": "Level" },
        [1, 2, 3, 4, 5, 6, 7].map((n) =>
          h(
            "button",
            {
              class: `bid level${n === level ? " chosen" : ""}`,
              "data-level": n,
              "aria-pressed": n === level ? "true" : "false",
              "aria-disabled": n < lowest ? "true" : null,
              onclick: () => {
                if (n < lowest) return;
                this.level = n;
                this.picked = "";
                this.look(null);
              },
            },
            n,
          ),
        ),
      ),
      row(level),
    );
  }

  private could(call: string): string {
    const m = this.meanings.get(call);
    return m ? `: ${m.words}${m.ranges ? `, ${m.ranges}` : ""}` : "";
  }

  /**
   * Four buttons in the same four places; the two that could do harm by a slip never trade
   * places.
   */
  private actions(now: State): Child {
    const tool = (words: string, can: boolean, act: () => void, why = "", more = ""): VNode =>
      h(
        "button",
        {
          class: `button ${more}`,
          key: words,
          "aria-disabled": can ? null : "true",
          title: can ? null : why,
          onclick: () => (can ? act() : notice(why)),
        },
        words,
      );
    const mine = now.mine && !this.waiting;
    const first =
      now.phase === "auction"
        ? [
            this.bid(now, "Pass", "pass", "Pass"),
            this.bid(
              now,
              now.legal.includes("XX") ? "XX" : "X",
              "double",
              now.legal.includes("XX") ? "Redouble" : "Double",
            ),
          ]
        : [
            tool(
              this.showLast ? "This trick" : "Last trick",
              now.play!.last !== null,
              () => this.toggleLast(),
              "No trick is complete yet.",
            ),
            tool(
              side(now.seat) === side(now.contract!.declarer) ? "Claim" : "Concede",
              mayClaim(now),
              () => this.claim(),
              NO_CLAIM,
            ),
          ];
    const bulb = icon(
      "M9 18h6M10 21h4M12 3a6 6 0 0 0-3.500 10.900c.8.600 1 1.300 1 2.100h5c0-.8.200-1.500 " +
        "1-2.100A6 6 0 0 0 12 3z",
    );
    const undo = tool("Undo", now.can_undo, () => this.simple("undo"), NO_UNDO);
    const event = now.match?.event;
    if (event)
      return [
        ...first,
        undo,
        tool("Director", !now.watching, () =>
          callDirector(event, ticketOf(this.table)?.token ?? ""),
        ),
      ];
    return [
      ...first,
      undo,
      h(
        "button",
        {
          class: "button hint-button",
          key: "hint",
          "aria-disabled": mine ? null : "true",
          title: mine ? null : NO_HINT,
          onclick: () => this.askHint(),
        },
        bulb,
        h("span", { class: "hint-word" }, this.hint && this.step < 3 ? "More" : "Hint"),
      ),
    ];
  }

  private overActions(now: State): Child {
    const bidding = now.practice !== null || (now.play === null && now.contract !== null);
    const last = now.match !== null && now.match.index + 1 >= now.match.boards;
    const next = last
      ? "New match"
      : now.practice && now.practice.count > 1
        ? "Next problem"
        : "Next board";
    if (now.watching) return null;
    const event = now.match?.event;
    if (event)
      return [
        h("button", { class: "button", onclick: () => go(`/event/${event}`) }, "To the event"),
        now.match!.round_over
          ? h("span", { class: "soft" }, "This round is over.")
          : h("button", { class: "button primary", onclick: () => this.simple("next") }, next),
      ];
    return [
      h("button", { class: "button", onclick: () => this.review() }, "Review"),
      h(
        "button",
        { class: "button", onclick: () => this.simple("again") },
        bidding ? "Bid it again" : "Play it again",
      ),
      h("button", { class: "button primary", onclick: () => this.simple("next") }, next),
    ];
  }
}

/** Declarer or a defender, once dummy is down. */
function mayClaim(now: State): boolean {
  const dummy = now.contract?.dummy;
  return (
    !now.watching &&
    now.phase === "play" &&
    now.play!.cards > 0 &&
    (now.seat !== dummy || bottomOf(now) !== now.seat)
  );
}

/** Whose contract it is: the places beside the table differ. */
function whose(now: State): string {
  if (!now.contract || now.phase !== "play") return "";
  return side(now.contract.declarer) === side(now.seat) ? " ours" : " theirs";
}

/** Who sits below: I, or the robot partner whose hand I play; then dummy lies opposite. */
export function bottomOf(now: State): SeatLetter {
  const contract = now.contract;
  if (!contract || now.phase === "auction" || contract.dummy !== now.seat) return now.seat;
  const mine =
    now.phase === "over"
      ? !now.humans.includes(contract.declarer) && now.play !== null
      : now.hands[contract.declarer] !== undefined;
  return mine ? contract.declarer : now.seat;
}

/** A jump of two levels or more over the cheapest bid in its suit: worth a second click. */
export function far(call: string, legal: string[]): boolean {
  if (!/^[1-7]/.test(call)) return false;
  const cheapest = legal.find((c) => /^[1-7]/.test(c) && c.slice(1) === call.slice(1));
  return cheapest !== undefined && Number(call[0]) >= Number(cheapest[0]) + 2;
}

function lowestLevel(now: State): number {
  const last = [...now.auction].reverse().find((c) => /^[1-7]/.test(c.call));
  return last ? Math.min(7, Number(last.call[0]) + (last.call.endsWith("NT") ? 1 : 0)) : 1;
}

/** A few words by which a table is found again. */
function aboutTable(now: State): string {
  const match = now.match;
  if (now.practice) return now.practice.title || now.practice.name || "Bidding practice";
  if (!match) return `Board ${now.number}`;
  const what = match.day
    ? `Daily boards ${dayShort(match.day)}`
    : match.title || (now.scoring === "imps" ? "Team match" : "Matchpoints");
  return `${what}, board ${match.index + 1} of ${match.boards}`;
}

/** What a robot plays that is not in the list, or not yet: a system, or somebody's own card. */
function ownCard(spec: string): string {
  const [, name, changed] = /system=\W?([\w-]+)( [+-])?/.exec(spec) ?? ["", "two-over-one", ""];
  return systemName(name).concat(changed ? " with changes" : "");
}

const systemName = (system: string): string =>
  /^[\w-]+$/.test(system) ? system.replaceAll("-", " ").replace("sayc", "SAYC") : system;

function cardsPlayed(now: State, seat: SeatLetter): number {
  if (!now.play) return 0;
  const on = now.play.trick?.cards.some((c) => c.seat === seat) ? 1 : 0;
  return now.play.won.length + on;
}

function spoken(cards: string[]): string {
  return ["S", "H", "D", "C"]
    .map((suit) => {
      const held = cards
        .filter((c) => suitOf(c) === suit)
        .map((c) => cardWords(c).split(" of ")[0]);
      const word = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" }[suit];
      return `${word} ${held.length ? held.join(" ") : "void"}`;
    })
    .join(", ");
}

function shape(cards: string[]): string {
  return ["S", "H", "D", "C"].map((s) => cards.filter((c) => suitOf(c) === s).length).join("–");
}

function scoreWords(now: State): string {
  const ns = now.result?.score_ns ?? 0;
  return `${signed(side(now.seat) === "NS" ? ns : -ns)} for your side.`;
}

/** The server's disk is full, say: nothing is lost, the table waits. */
function troubled(now: State): VNode | null {
  return now.trouble
    ? h(
        "p",
        { class: "trouble", role: "alert" },
        "The server cannot keep this table at the moment. Nothing is lost: the table waits " +
          "and goes on by itself.",
      )
    : null;
}
