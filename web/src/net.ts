// Talking to the server: requests that fail with one line, and a socket that comes back.
// Used by every page; tokens stay in this browser's storage and never in an address.
import type { Sentence } from "./lang";
import type { SeatLetter } from "./words";

export interface Meaning {
  words: string;
  ranges: string;
  exact?: string;
  forcing: string;
  alert: boolean;
  act: string;
  convention: string;
  rule: string;
  announce?: string;
  delayed?: boolean;
}

export interface MadeCall {
  seat: SeatLetter;
  call: string;
  alert: boolean;
  meaning: Meaning | null;
}

export interface Trick {
  leader: SeatLetter;
  cards: { seat: SeatLetter; card: string }[];
  winner: SeatLetter;
}

export interface State {
  type: "state";
  version: number;
  at: number;
  seat: SeatLetter;
  phase: "auction" | "play" | "over";
  number: number;
  boards: number;
  dealer: SeatLetter;
  vul: string;
  scoring: string;
  humans: SeatLetter[];
  connected: SeatLetter[];
  open: SeatLetter[];
  names: Partial<Record<SeatLetter, string>>;
  away: SeatLetter[];
  watching: boolean;
  watchers: number;
  match: Match | null;
  asked: { seat: SeatLetter; what: "undo" | "substitute" | "invite"; about: SeatLetter | null; agreed: SeatLetter[] } | null;
  chosen: boolean; // whoever opened the table chose the cards
  links: Partial<Record<SeatLetter, number>>; // to look on, by seat
  shared: string[]; // seats that are played from one browser
  seen: number; // other people who have seen the reader's hand
  sealed: { promise: string; text: string | null } | null;
  engines: Record<"NS" | "EW", { bidder: string; player: string }>;
  systems: Record<"NS" | "EW", string>;
  hands: Partial<Record<SeatLetter, string[]>>;
  places: Partial<Record<SeatLetter, string[]>>;
  auction: MadeCall[];
  contract: { text: string; declarer: SeatLetter; dummy: SeatLetter; target: number } | null;
  play: {
    cards: number;
    trick: Trick | null;
    last: Trick | null;
    won: SeatLetter[];
    ns: number;
    ew: number;
    declarer_tricks: number;
    left: number;
  } | null;
  turn: SeatLetter | null;
  mine: boolean;
  legal: string[];
  rulings: string[];
  trouble: string; // why nothing can be kept at the moment
  can_undo: boolean;
  can_claim: boolean;
  result: {
    text: string;
    tricks: number | null;
    score_ns: number | null;
    claimed: boolean;
    claim: string;
    hands: Record<SeatLetter, string[]>;
    lin: string;
    judged: Judged | null;
    awards: Record<string, number>;
  } | null;
  practice: {
    name: string; title: string; index: number; count: number; done: number;
    earned: number; possible: number; imps: number;
  } | null;
}

/** A result as a score sheet has it, for the reader's side. */
export interface Line {
  contract: string;
  declarer: SeatLetter | "";
  made: string;
  tricks: number | null;
  score: number;
}

/** The match a table plays: its score sheet so far, the totals, the place among all. */
export interface Match {
  contest: string;
  title: string;
  day: string;
  boards: number;
  index: number;
  players: number;
  imps: number;
  percent: number | null;
  place: number | null;
  ranked: number;
  other: string;
  sheet: {
    index: number; number: number; line: Line; robots: Line | null; imps: number | null;
    percent: number | null; unranked: "" | "chosen" | "known" | "twice"; tables: number; par: number | null; par_contracts: string[];
  }[];
}

/** A match that several people play, as its page shows it. */
export interface Contest {
  contest: string;
  title: string;
  day: string;
  boards: number;
  scoring: string;
  players: number;
  chosen: boolean;
  promise: string;
  most_players: number;
  ranking: { place: number; name: string; boards: number; imps: number; percent: number | null; helped: number; unranked: number; mine: boolean }[];
}

export interface Word {
  type: "chat";
  seat: SeatLetter;
  name: string;
  text: string;
  watching: boolean;
}

export interface Invited {
  type: "invited";
  seat: SeatLetter;
  watch: boolean;
  invitation: string;
}

/** A board that ended with the auction, scored double dummy. */
export interface Judged {
  tricks: number | null;
  score_ns: number;
  par_ns: number;
  par: string[];
  imps: number;
  award: number | null;
  best: number | null;
  best_contracts: string[];
  field_imps: number | null;
  mark: number | null;
  robots: { auction: string; contract: string; score_ns: number; award: number | null } | null;
}

export interface HintAnswer {
  type: "hint";
  at: number;
  action: string;
  why: string;
  worlds: number;
  milliseconds: number;
  engine: string;
  meaning: Meaning;
  nudge: Sentence[];
  reasons: Sentence[];
  late: Sentence[];
  short: Sentence;
  candidates: { action: string; value: number | null; error: number | null; note: string; said: Sentence[] }[];
}

export interface MeaningsAnswer {
  type: "meanings";
  at: number;
  calls: (Meaning & { call: string })[];
}

/** Who is there now: the rest of the table is as it was. */
export interface Presence {
  type: "presence";
  connected: SeatLetter[];
  watchers: number;
}

export type Frame = State | Presence | HintAnswer | MeaningsAnswer | Word | Invited | { type: "error"; error: string };

export interface Offer {
  spec: string;
  words: string;
  system: string;
}

export interface Offers {
  version: string;
  bidders: Offer[];
  players: Offer[];
}

export interface Ticket {
  table: string;
  seat: SeatLetter;
  token: string;
  invitations: Partial<Record<SeatLetter, string>>;
  watching?: boolean;
  contest?: string;
}

/** What this browser remembers of a table, to find it again. */
export interface Kept extends Ticket {
  at: number;
  about?: string;
}

export class Refused extends Error {}

const BROWSER = "overtrick.browser";
let drawn = "";

/** How this browser names itself: a key of its own, which the server keeps as a hash. */
function browser(): string {
  try {
    drawn ||= localStorage.getItem(BROWSER) ?? "";
  } catch { /* no storage: it lasts as long as the page */ }
  if (!drawn) {
    drawn = Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
    try {
      localStorage.setItem(BROWSER, drawn);
    } catch { /* the same */ }
  }
  return drawn;
}

export async function ask<T>(path: string, body?: unknown, token?: string): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["content-type"] = "application/json";
  if (token) headers["authorization"] = `Bearer ${token}`;
  if (/^\/api\/(tables|contests)/.test(path)) headers["overtrick-browser"] = browser();
  const init: RequestInit = { method: body === undefined ? "GET" : "POST", headers };
  if (body !== undefined) init.body = JSON.stringify(body);
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new Refused("the server does not answer");
  }
  const answer = await response.json().catch(() => ({ error: `error ${response.status}` }));
  if (!response.ok) throw new Refused(`${answer.error ?? `error ${response.status}`}`.replace(/; see \/api\/\S+$/, ""));
  return answer as T;
}

let offers: Promise<Offers> | null = null;

export function engines(): Promise<Offers> {
  offers ??= ask<Offers>("/api/engines").catch((error) => {
    offers = null;
    throw error;
  });
  return offers;
}

const TICKETS = "overtrick.tickets";

export function tickets(): Kept[] {
  try {
    return JSON.parse(localStorage.getItem(TICKETS) ?? "[]");
  } catch {
    return [];
  }
}

export function keep(ticket: Ticket, about?: string): void {
  const old = tickets().find((t) => t.table === ticket.table);
  const others = tickets().filter((t) => t.table !== ticket.table);
  const said = about ?? old?.about;
  const kept: Kept = { ...old, ...ticket, at: Date.now(), ...(said ? { about: said } : {}) };
  localStorage.setItem(TICKETS, JSON.stringify([kept, ...others].slice(0, 40)));
}

export function forget(table: string): void {
  localStorage.setItem(TICKETS, JSON.stringify(tickets().filter((t) => t.table !== table)));
}

export const ticketOf = (table: string): Ticket | undefined =>
  tickets().find((t) => t.table === table);

/** A socket that joins, and joins again when the connection or the server went away. */
export class TableSocket {
  private socket: WebSocket | null = null;
  private wait = 400;
  private closed = false;
  private refused = false;

  constructor(
    private readonly ticket: Ticket,
    private readonly heard: (frame: Frame) => void,
    private readonly linked: (up: boolean) => void,
  ) {
    this.connect();
  }

  private connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(
      `${scheme}://${location.host}/api/tables/${this.ticket.table}/socket`,
    );
    this.socket = socket;
    let joined = false;
    socket.onopen = () => socket.send(JSON.stringify({ type: "join", token: this.ticket.token, browser: browser() }));
    socket.onmessage = async (event) => {
      const text = typeof event.data === "string" ? event.data : await event.data.text();
      const frame = JSON.parse(text) as Frame;
      if (!joined) {
        joined = frame.type === "state";
        this.refused = frame.type === "error";
        this.wait = 400;
        this.linked(joined);
      }
      this.heard(frame);
    };
    socket.onclose = () => {
      if (this.closed || this.refused) return;
      this.linked(false);
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(4000, this.wait * 1.6);
    };
  }

  send(message: unknown): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }
}
