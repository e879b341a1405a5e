// The table page: what the server shows of one seat, drawn; clicks, taps and keys sent back.
// Used at /table/NAME; the state comes whole with every frame, so a reload loses nothing.
import { announce, h, later, render, type Child, type VNode } from "./dom";
import {
  ask, forget, keep, TableSocket, ticketOf,
  type Frame, type HintAnswer, type Judged, type Meaning, type State, type Ticket,
} from "./net";
import { auctionView, boardMarker, diagram, dummy, fan, meaningView, trickView, type CardProps } from "./parts";
import { confirms, pace } from "./prefs";
import { bar, copy, dialog, go, icon, notice } from "./shell";
import { Typing } from "./typing";
import {
  callLabel, callView, callWords, cardWords, coloured, contractView, isVul, partner, pip, plus, points,
  rankOf, shownRank, SEAT_NAMES, SEATS, side, STRAINS, suitOf, type SeatLetter,
} from "./words";

type Looking = { made: number } | { could: string } | null;

const NO_CLAIM = "You can claim between two tricks, once dummy is down.";
const NO_UNDO = "There is nothing of yours to take back.";
const NO_HINT = "A hint is there when it is your turn.";

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
  private wasUp = true;
  private showLast = false;
  private sentAt = -1;
  private gone = "";
  private readonly typing: Typing;
  private readonly key = (e: KeyboardEvent): void => this.typing.press(e);

  private readonly draw = later(() => {
    render(this.root, this.page());
  });

  constructor(private readonly root: HTMLElement, private readonly table: string) {
    this.typing = new Typing({
      phase: () => (this.state?.mine && !this.waiting ? this.state.phase : "none"),
      legal: () => new Set(this.state?.legal ?? []),
      call: (call) => this.act(call, true),
      card: (card) => this.act(card, true),
      enter: () => this.enter(),
      other: (key) => this.other(key),
      changed: () => this.draw(),
    });
    document.addEventListener("keydown", this.key);
    void this.begin();
  }

  close(): void {
    this.socket?.close();
    document.removeEventListener("keydown", this.key);
  }

  private async begin(): Promise<void> {
    const invitation = /#join=([\w-]+)/.exec(location.hash)?.[1];
    let ticket = ticketOf(this.table);
    if (!ticket && invitation) {
      try {
        ticket = await ask<Ticket>(`/api/tables/${this.table}/join`, { invitation });
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
    this.socket = new TableSocket(ticket, (f) => this.heard(f), (up) => {
      this.up = up;
      if (up !== this.wasUp) announce(up ? "Connected again" : "Connection lost, trying again");
      this.wasUp = up;
      this.draw();
    });
    this.draw();
  }

  // ------------------------------------------------------------ frames

  private heard(frame: Frame): void {
    if (frame.type === "state") {
      this.queue.push(frame);
      if (!this.busy) this.advance();
    } else if (frame.type === "hint") {
      this.hinting = false;
      if (frame.at === this.state?.at) {
        this.hint = frame;
        this.looking = null;
        announce(`Hint: ${this.hintWords(frame)}`);
      }
      this.draw();
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
      this.hinting = false;
      this.showLast = false;
      this.sentAt = -1;
      this.typing.clear();
      if (this.looking && "could" in this.looking) this.looking = null;
      this.tell(before, next);
    }
    if (next.mine && next.phase === "auction" && this.meaningsAt !== next.at && this.queue.length === 0) {
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
    if (!sure && confirms() && this.picked !== what) {
      this.picked = what;
      if (now.phase === "auction") this.looking = { could: what };
      this.draw();
      return;
    }
    const message = now.phase === "auction" ? { type: "call", call: what } : { type: "card", card: what };
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
    else if (key === "m" && now.phase === "play") now.can_claim ? this.claim() : notice(NO_CLAIM);
    else if (key === "l" && now.play?.last) this.toggleLast();
    else if (key === "v" && now.result) this.review();
    else if (key === "g" && now.phase === "over") this.simple("again");
  }

  private simple(type: "undo" | "next" | "again"): void {
    this.queue = [];
    this.socket?.send({ type });
  }

  private askHint(): void {
    if (this.hinting || this.state?.phase === "over") return;
    if (!this.state?.mine || this.waiting) {
      notice(NO_HINT);
      return;
    }
    this.hinting = true;
    this.socket?.send({ type: "hint" });
    this.draw();
  }

  private toggleLast(): void {
    this.showLast = !this.showLast;
    this.draw();
  }

  private review(): void {
    if (this.state?.result) {
      go(`/review#lin=${encodeURIComponent(this.state.result.lin)}&table=${this.table}`);
    }
  }

  private claim(): void {
    const now = this.state;
    if (!now?.play || !now.contract) return;
    const left = now.play.left;
    const defending = side(now.seat) !== side(now.contract.declarer);
    const counts = defending ? [0] : Array.from({ length: left + 1 }, (_, i) => left - i);
    const box = dialog(defending ? "Concede" : "Claim", () => [
      h("p", null, defending
        ? "Give declarer all the tricks that are left? It is accepted only if your side cannot take one."
        : `${left} tricks are left. How many of them do you take? A claim stands if it holds for every lie of the unseen cards.`),
      h("div", { class: "claim-counts" }, counts.map((n) =>
        h("button", { class: "button", onclick: () => {
          box.close();
          this.socket?.send({ type: "claim", tricks: n });
        } }, defending ? "Concede" : n === left ? `all ${n}` : n === 0 ? "none" : n))),
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
      return [bar(null, () => this.draw()), h("main", { class: "empty" },
        h("p", null, this.gone ? `${this.gone[0]!.toUpperCase()}${this.gone.slice(1)}.` : "Setting the table…"),
        this.gone ? h("p", { class: "soft" }, "Whoever opened the table can invite you by link; a link works once.") : null,
        this.gone ? h("button", { class: "button primary", onclick: () => go("/") }, "To the start") : null)];
    }
    return [
      bar(this.title(now), () => this.draw(), this.invite(now)),
      h("main", { class: `table phase-${now.phase}${now.mine && !this.waiting ? " mine" : ""}` },
        h("h1", { class: "sr-only" }, `Board ${now.number}`),
        this.felt(now), this.aside(now)),
    ];
  }

  private title(now: State): Child {
    return [
      boardMarker(now.number, now.dealer, now.vul, now.seat),
      now.contract
        ? h("div", { class: "contract" }, contractView(now.contract.text),
            h("span", { class: "by" }, ` ${SEAT_NAMES[now.contract.declarer]}`))
        : h("div", { class: "contract" }, h("span", { class: "by" }, `Dealer ${SEAT_NAMES[now.dealer]}`)),
      now.play ? this.count(now) : null,
      now.practice ? this.progress(now.practice) : null,
    ];
  }

  private count(now: State): VNode {
    const ours = side(now.seat) === "NS" ? now.play!.ns : now.play!.ew;
    const theirs = side(now.seat) === "NS" ? now.play!.ew : now.play!.ns;
    return h("div", { class: "count", role: "img", "aria-label": `Tricks: we ${ours}, they ${theirs}` },
      h("span", null, h("small", null, "We"), h("b", null, ours)),
      h("span", null, h("small", null, "They"), h("b", null, theirs)));
  }

  private progress(p: NonNullable<State["practice"]>): VNode {
    const where = p.count ? `${p.index + 1} of ${p.count}` : "";
    const earned = p.possible ? `${p.earned} of ${p.possible} points` : p.done ? `${signed(p.imps)} IMP to par` : "";
    return h("div", { class: "progress-note", title: p.title || p.name }, h("span", null, where), where && earned ? " · " : "", h("span", { class: "earned" }, earned));
  }

  private invite(now: State): Child {
    const ticket = ticketOf(this.table);
    const open = now.open.filter((s) => ticket?.invitations[s]);
    if (!open.length) return null;
    return open.map((s) => h("button", { class: "button small", onclick: () =>
      void copy(`${location.origin}/table/${this.table}#join=${ticket!.invitations[s]}`, `Link for ${SEAT_NAMES[s]}`) },
      `Invite ${SEAT_NAMES[s]}`));
  }

  private felt(now: State): VNode {
    const trump = now.contract ? now.contract.text.replace(/[1-7X]/g, "") : "";
    const seats: [string, SeatLetter][] = ["s", "w", "n", "e"].map((place, i) => [place, plus(now.seat, i)]);
    return h("section", { class: "felt", "aria-label": "Table" },
      seats.map(([place, seat]) =>
        h("div", { class: `place place-${place}`, key: place }, this.plate(now, seat), this.cards(now, seat, place, trump))),
      h("div", { class: "centre-area", key: "centre" }, this.centre(now)),
      h("p", { class: `turn${now.mine && !this.waiting ? " mine" : ""}`, key: "turn" }, this.turnWords(now)));
  }

  private turnWords(now: State): Child {
    if (!this.up) return "Connection lost. Trying again…";
    if (this.typing.begun) return [h("kbd", null, this.typing.begun.toUpperCase()), " …"];
    if (now.phase === "over") return now.result?.claimed ? `Claimed: ${now.result.claim}` : "The board is over";
    if (now.mine && !this.waiting) {
      if (this.picked) return "Tap again to confirm";
      if (now.phase === "auction") return "Your call";
      return now.turn === now.seat ? "Your card" : `Your card, from ${now.turn === now.contract?.dummy ? "dummy" : SEAT_NAMES[now.turn!]}`;
    }
    const who = now.turn!;
    const human = now.humans.includes(who);
    if (human && !now.connected.includes(who)) return `${SEAT_NAMES[who]} is not here yet`;
    return `${SEAT_NAMES[who]} is thinking…`;
  }

  private plate(now: State, seat: SeatLetter): VNode {
    const you = seat === now.seat;
    const human = now.humans.includes(seat);
    const role = now.contract && now.phase !== "auction"
      ? seat === now.contract.declarer ? "declarer" : seat === now.contract.dummy ? "dummy" : "" : "";
    const name = you ? "You" : human ? (now.connected.includes(seat) ? "Guest" : "Empty chair") : "Robot";
    const engine = you || human ? null : `bids by ${now.engines[side(seat)].bidder}, plays by ${now.engines[side(seat)].player}`;
    return h("div", { title: engine, class: `plate${now.turn === seat && now.phase !== "over" ? " on" : ""}${isVul(seat, now.vul) ? " vul" : ""}` },
      h("span", { class: "letter", "aria-hidden": "true" }, seat),
      h("span", { class: "who" }, h("b", null, SEAT_NAMES[seat]), h("small", { class: role ? "role" : null }, role ? [h("i", null, `${name}, `), role] : name)));
  }

  private cards(now: State, seat: SeatLetter, place: string, trump: string): Child {
    if (now.phase === "over") {
      const all = now.result!.hands[seat];
      return h("div", { class: "open-hand" }, diagram(all), h("small", { class: "hcp" }, `${points(all)} hcp`));
    }
    const held = now.hands[seat];
    if (!held) {
      const left = 13 - cardsPlayed(now, seat);
      return h("div", { class: "backs", role: "img", "aria-label": `${left} cards`, style: { "--n": String(left) } });
    }
    const active = now.mine && !this.waiting && now.phase === "play" && now.turn === seat;
    const at: CardProps = {
      legal: new Set(active ? now.legal : []), picked: this.picked,
      play: (card) => this.act(card, false), marks: this.marks(now),
    };
    const label = seat === now.seat ? `Your hand: ${spoken(held)}` : `${SEAT_NAMES[seat]}: ${spoken(held)}`;
    const waits = now.phase === "play" && !active ? " waits" : "";
    return place === "s"
      ? h("div", { class: `mine-hand${waits}` }, fan(held, trump, label, at))
      : dummy(held, trump, label, at);
  }

  private marks(now: State): Map<string, string> | undefined {
    if (!this.hint || this.hint.at !== now.at || now.phase !== "play") return undefined;
    return new Map([[this.hint.action, "★"]]);
  }

  private centre(now: State): Child {
    if (now.phase === "auction") return this.auction(now);
    if (now.phase === "over") return this.result(now);
    const last = this.showLast ? now.play!.last : null;
    const done = last !== null || now.play!.trick === null;
    return [
      trickView(last ?? now.play!.trick ?? now.play!.last, now.seat, done),
      last ? h("p", { class: "eyebrow" }, "last trick") : null,
    ];
  }

  private auction(now: State): VNode {
    return auctionView({
      calls: now.auction, dealer: now.dealer, vul: now.vul, you: now.seat,
      turn: now.phase === "auction" ? now.turn : null,
      chosen: this.looking && "made" in this.looking ? this.looking.made : -1,
      look: (i) => this.look(i < 0 ? null : { made: i }),
    });
  }

  private result(now: State): VNode {
    const judged = now.result!.judged;
    const bidding = now.result!.tricks === null && now.contract !== null && now.play === null;
    const points = judged ? judged.score_ns : now.result!.score_ns ?? 0;
    const mine = side(now.seat) === "NS" ? points : -points;
    return h("div", { class: `result${judged ? " judged" : ""}` },
      h("p", { class: "outcome" }, coloured(now.result!.text.replace(/^passed/, "Passed").replace(/([=+-]\d*) by/, " $1 by").replace(" -", " −")), judged && judged.tricks !== null ? h("span", { class: "soft" }, ` ${judged.tricks} tricks double dummy`) : null),
      bidding && !judged ? h("p", { class: "soft" }, "Working out what it is worth…")
        : h("p", { class: `score ${mine > 0 ? "plus" : mine < 0 ? "minus" : ""}` }, signed(mine)),
      judged ? this.judgement(now, judged) : null,
      h("div", { class: "row" },
        h("button", { class: "button primary", onclick: () => this.simple("next") }, now.practice && now.practice.count > 1 ? "Next problem" : "Next board"),
        h("button", { class: "button", onclick: () => this.review() }, "Review"),
        h("button", { class: "button", onclick: () => this.simple("again") }, bidding || judged ? "Bid it again" : "Play it again")));
  }

  /** A bidding board: beside par, beside the awards, beside the robots. */
  private judgement(now: State, judged: Judged): VNode {
    const sign = side(now.seat) === "NS" ? 1 : -1;
    const par = sign * judged.par_ns;
    const robots = judged.robots;
    const awards = Object.entries(now.result!.awards).sort((a, b) => b[1] - a[1]).slice(0, 7);
    return h("div", { class: "judgement" },
      judged.award !== null ? h("p", { class: "award" }, h("b", null, judged.award), ` of ${judged.best} points`) : null,
      h("p", null, "Par ", h("b", null, signed(par)), judged.par.length ? [" for ", coloured(judged.par[0]!)] : null, `: ${judged.imps === 0 ? "level with it" : `${signed(judged.imps)} IMP`}.`),
      robots ? h("p", { class: "soft" }, "Two robots: ", robots.auction.split(" ").filter((c, i, all) => c !== "Pass" || i < all.length - 3).map((c, i) => [i ? " " : "", callView(c)]),
        ", ", robots.contract === "passed out" ? "passed out" : coloured(robots.contract), ` ${signed(sign * robots.score_ns)}`, robots.award !== null ? `, ${robots.award} points` : "", ".") : null,
      awards.length ? h("p", { class: "awards" }, awards.map(([c, n]) => h("span", { class: "tag" }, awardName(c), ` ${n}`))) : null);
  }

  private aside(now: State): VNode {
    return h("aside", { class: "side", "aria-label": now.phase === "auction" ? "Bidding box and explanations" : "Auction and help" },
      h("div", { class: `explain${this.hint ? " hinted" : ""}` }, this.explanation(now)),
      now.phase === "auction" ? this.box(now) : h("div", { class: "panel" }, this.auction(now)),
      h("div", { class: "tools" }, this.tools(now)),
      now.rulings.length ? h("p", { class: "rulings" }, now.rulings[now.rulings.length - 1]!) : null);
  }

  private explanation(now: State): Child {
    const looking = this.looking;
    if (looking && "made" in looking) {
      const made = now.auction[looking.made];
      if (made) {
        const who = made.seat === now.seat ? "Your call showed" : made.seat === partner(now.seat) ? "Partner shows" : `${SEAT_NAMES[made.seat]} shows`;
        return meaningView(who, made.call, made.meaning);
      }
    }
    if (looking && "could" in looking) {
      const known = this.meanings.get(looking.could) ?? null;
      const head = this.picked === looking.could ? "Tap again to bid. Partner will read" : "Partner will read";
      return meaningView(this.meaningsAt === now.at ? head : "Asking…", looking.could, known);
    }
    if (this.hint) return this.hintView(this.hint);
    if (this.hinting) return h("p", { class: "eyebrow" }, "The engine is thinking…");
    const last = [...now.auction].reverse().find((c) => c.call !== "Pass" && c.seat !== now.seat);
    if (now.phase === "auction" && last) {
      return meaningView(last.seat === partner(now.seat) ? "Partner shows" : `${SEAT_NAMES[last.seat]} shows`, last.call, last.meaning);
    }
    if (now.phase === "auction") {
      const held = now.hands[now.seat] ?? [];
      return h("div", { class: "meaning" }, h("p", { class: "eyebrow" }, "Your hand"),
        h("p", { class: "tells" }, h("span", { class: "words" }, `${points(held)} points, ${shape(held)}`)),
        h("p", { class: "soft" }, "Point at any call to see what it tells."),
        h("p", { class: "soft" }, systemWords(now)));
    }
    return this.goal(now);
  }

  /** What the play is about: how many more tricks this side needs. */
  private goal(now: State): VNode {
    const contract = now.contract;
    if (!contract || !now.play) {
      return h("div", { class: "meaning" }, h("p", { class: "eyebrow" }, "The auction"),
        h("p", { class: "soft" }, "Point at any call to see what it showed."));
    }
    const declaring = side(now.seat) === side(contract.declarer);
    const made = now.play.declarer_tricks;
    const lost = now.play.won.length - made;
    const need = declaring ? contract.target - made : 14 - contract.target - lost;
    const more = (n: number): string => `${n} more ${n === 1 ? "trick" : "tricks"}`;
    const words = now.phase === "over" ? "The board is over."
      : need <= 0 ? (declaring ? "You have made it." : "You have beaten it.")
      : need > now.play.left ? (declaring ? "It can no longer be made." : "It can no longer be beaten.")
      : `${declaring ? "You need" : "To beat it you need"} ${more(need)}.`;
    return h("div", { class: "meaning" },
      h("p", { class: "eyebrow" }, `${SEAT_NAMES[contract.declarer]} plays`),
      h("p", { class: "tells" }, contractView(contract.text), h("span", { class: "words" }, words)),
      h("p", { class: "soft" }, "Point at any call to see what it showed."));
  }

  private hintWords(hint: HintAnswer): string {
    const what = this.state?.phase === "auction" ? callWords(hint.action) : cardWords(hint.action);
    return `${what}. ${this.state?.phase === "auction" ? hint.meaning.words : hint.why}`;
  }

  private hintView(hint: HintAnswer): VNode {
    const bidding = this.state!.phase === "auction";
    const draw = (a: string): VNode => (bidding ? callView(a) : h("span", { class: "call" }, pip(suitOf(a)), shownRank(rankOf(a))));
    const others = hint.candidates.filter((c) => c.action !== hint.action).slice(0, 4);
    return h("div", { class: "meaning hint" },
      h("p", { class: "eyebrow" }, hint.worlds ? `Hint, from ${hint.worlds} possible deals` : "Hint"),
      h("p", { class: "tells" }, draw(hint.action),
        h("span", { class: "words" }, coloured(bidding ? hint.meaning.words : hint.why || hint.meaning.words))),
      // A rule's reason is its meaning again, with its place in the file.
      bidding && hint.why && !hint.why.startsWith(hint.meaning.words) ? h("p", { class: "soft" }, coloured(hint.why)) : null,
      others.length ? h("ul", { class: "others" }, others.map((c) =>
        h("li", null, draw(c.action), h("span", null, coloured(c.note))))) : null);
  }

  private box(now: State): VNode {
    const legal = new Set(now.mine && !this.waiting ? now.legal : []);
    const last = [...now.auction].reverse().find((c) => /^[1-7]/.test(c.call));
    const lowest = last ? Number(last.call[0]) + (last.call.endsWith("NT") ? 1 : 0) : 1;
    const button = (call: string, classes: string, label?: string): VNode =>
      h("button", {
        class: `bid ${classes}${this.picked === call ? " picked" : ""}${this.hint?.action === call ? " advised" : ""}`,
        "data-call": call, "aria-disabled": legal.has(call) ? null : "true", tabindex: legal.has(call) ? "0" : "-1",
        "aria-label": `${label ?? callLabel(call)}${this.could(call)}`,
        onclick: () => this.act(call, false),
        onmouseenter: () => legal.has(call) && this.look({ could: call }),
        onmouseleave: () => this.look(null),
        onfocus: () => legal.has(call) && this.look({ could: call }),
        onblur: () => this.look(null),
      }, label ?? callView(call));
    const rows: VNode[] = [];
    for (let level = lowest; level <= 7; level++) {
      rows.push(h("div", { class: "level-row", key: level, role: "group", "aria-label": `level ${level}` },
        STRAINS.map((strain) => button(`${level}${strain}`, strainClass(strain)))));
    }
    return h("div", { class: `box${legal.size ? "" : " idle"}`, role: "group", "aria-label": "Bidding box" },
      h("div", { class: "levels" }, rows),
      h("div", { class: "plain-calls" },
        button("Pass", "pass", "Pass"),
        h("button", { class: "bid hint-button", "aria-disabled": legal.size ? null : "true", onclick: () => this.askHint() },
          icon("M9 18h6M10 21h4M12 3a6 6 0 0 0-3.500 10.900c.8.600 1 1.300 1 2.100h5c0-.8.200-1.500 1-2.100A6 6 0 0 0 12 3z"), " Hint"),
        button(now.legal.includes("XX") ? "XX" : "X", "double", now.legal.includes("XX") ? "Redouble" : "Double")));
  }

  private could(call: string): string {
    const m = this.meanings.get(call);
    return m ? `: ${m.words}${m.ranges ? `, ${m.ranges}` : ""}` : "";
  }

  private tools(now: State): Child {
    const tool = (words: string, can: boolean, act: () => void, why = ""): VNode =>
      h("button", { class: "button", "aria-disabled": can ? null : "true", title: can ? null : why, onclick: () => (can ? act() : notice(why)) }, words);
    const playing = now.phase === "play";
    return [
      playing || now.can_undo ? tool("Undo", now.can_undo, () => this.simple("undo"), NO_UNDO) : null,
      playing ? tool("Hint", now.mine && !this.waiting, () => this.askHint(), NO_HINT) : null,
      playing ? tool(this.showLast ? "This trick" : "Last trick", now.play!.last !== null, () => this.toggleLast(), "No trick is complete yet.") : null,
      playing ? tool(side(now.seat) === side(now.contract!.declarer) ? "Claim" : "Concede", now.can_claim, () => this.claim(), NO_CLAIM) : null,
    ];
  }
}

function awardName(key: string): Child {
  if (key === "P") return "pass";
  const found = /^([NESW]?)([1-7])([CDHSN])(X*)P?$/.exec(key);
  return found ? [found[1]!, contractView(`${found[2]}${found[3] === "N" ? "NT" : found[3]}${found[4]}`)] : key;
}

/** What both sides play, in a sentence. */
function systemWords(now: State): string {
  const us = side(now.seat);
  const [ours, theirs] = [now.systems[us], now.systems[us === "NS" ? "EW" : "NS"]].map((s) => (s === "sayc" ? "SAYC" : /^[\w-]+$/.test(s) ? s.replaceAll("-", " ") : s));
  return ours === theirs ? `Both sides play ${ours}.` : `You play ${ours}, they play ${theirs}.`;
}

function strainClass(strain: string): string {
  return strain === "NT" ? "strain-NT" : `strain-${strain}`;
}

function cardsPlayed(now: State, seat: SeatLetter): number {
  if (!now.play) return 0;
  const on = now.play.trick?.cards.some((c) => c.seat === seat) ? 1 : 0;
  return now.play.won.length + on;
}

function spoken(cards: string[]): string {
  return ["S", "H", "D", "C"].map((suit) => {
    const held = cards.filter((c) => suitOf(c) === suit).map((c) => cardWords(c).split(" of ")[0]);
    const word = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" }[suit];
    return `${word} ${held.length ? held.join(" ") : "void"}`;
  }).join(", ");
}

function shape(cards: string[]): string {
  return ["S", "H", "D", "C"].map((s) => cards.filter((c) => suitOf(c) === s).length).join("–");
}

export function signed(n: number): string {
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0";
}

function scoreWords(now: State): string {
  const ns = now.result?.score_ns ?? 0;
  return `${signed(side(now.seat) === "NS" ? ns : -ns)} for your side.`;
}

export { SEATS };
