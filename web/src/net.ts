// Talking to the server: requests that fail with one line, and a socket that comes back.
// Used by every page; tokens stay in this browser's storage and never in an address.
import type { Frame, MadeCall, Offered as Offers, Ticket, ToldInShort } from "./wire";

/** What a call tells, as far as it is drawn; the exact text comes where somebody asked for it. */
export type Meaning = Omit<ToldInShort, "hcp" | "lengths" | "act" | "rule"> & { exact?: string };
/** A call as an auction is drawn from it. */
export type DrawnCall = Omit<MadeCall, "meaning"> & { meaning: Meaning | null };

/** What this browser remembers of a table, to find it again. */
export interface Kept extends Ticket {
  at: number;
  about?: string;
  contest?: string;
}

export class Refused extends Error {}

const BROWSER = "overtrick.browser";
let drawn = "";

/** How this browser names itself: a key of its own, which the server keeps as a hash. */
function browser(): string {
  try {
    drawn ||= localStorage.getItem(BROWSER) ?? "";
  } catch {
    /* no storage: it lasts as long as the page */
  }
  if (!drawn) {
    drawn = Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) =>
      b.toString(16).padStart(2, "0"),
    ).join("");
    try {
      localStorage.setItem(BROWSER, drawn);
    } catch {
      /* the same */
    }
  }
  return drawn;
}

export async function ask<T>(path: string, body?: unknown, token?: string): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["content-type"] = "application/json";
  if (token) headers.authorization = `Bearer ${token}`;
  if (/^\/api\/(tables|contests|events|lobby|ratings)/.test(path))
    headers["overtrick-browser"] = browser();
  const init: RequestInit = { method: body === undefined ? "GET" : "POST", headers };
  if (body !== undefined) init.body = JSON.stringify(body);
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new Refused("the server does not answer");
  }
  const answer = await response.json().catch(() => ({ error: `error ${response.status}` }));
  if (!response.ok)
    throw new Refused(
      `${answer.error ?? `error ${response.status}`}`.replace(/; see \/api\/\S+$/, ""),
    );
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

export function keep(ticket: Ticket & { contest?: string }, about?: string): void {
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
    socket.onopen = () =>
      socket.send(JSON.stringify({ type: "join", token: this.ticket.token, browser: browser() }));
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
