// Events of pairs that this browser takes part in or directs: their tokens, and the way from one
// round's table to the next.
// Used by the event page and the table.
import { h } from "./dom";
import { textField } from "./forms";
import { ask, keep } from "./net";
import { dialog, go, notice } from "./shell";
import type { EventPage } from "./wire";

export interface KeptEvent {
  title: string;
  at: number;
  token?: string;
  invitation?: string;
  director?: string;
}

const EVENTS = "overtrick.events";

export function keptEvents(): Record<string, KeptEvent> {
  try {
    return JSON.parse(localStorage.getItem(EVENTS) ?? "{}");
  } catch {
    return {};
  }
}

export function keepEvent(name: string, part: Partial<KeptEvent>): void {
  const all = keptEvents();
  const made: KeptEvent = { title: "", ...all[name], ...part, at: Date.now() };
  const newest = Object.entries({ ...all, [name]: made })
    .sort(([, a], [, b]) => b.at - a.at)
    .slice(0, 30);
  localStorage.setItem(EVENTS, JSON.stringify(Object.fromEntries(newest)));
}

export const eventPath = (name: string, rest = ""): string =>
  `/api/events/${encodeURIComponent(name)}${rest}`;

/** My table of this round becomes one of this browser's tables; the token is the same for all. */
export function seat(found: EventPage, token: string): string {
  const mine = found.mine;
  if (!mine?.table || !mine.seat) return "";
  keep(
    { table: mine.table, seat: mine.seat, token, invitations: {}, watching: false },
    found.title || "An event of pairs",
  );
  return mine.table;
}

/** Look now and then whether the director has begun another round, and go to its table. */
export function follow(name: string, table: string, token: string): () => void {
  let stopped = false;
  const timer = window.setInterval(() => {
    void ask<EventPage>(eventPath(name), undefined, token).then(
      (found) => {
        if (stopped) return; // the page has gone meanwhile
        const next = seat(found, token);
        if (next && next !== table) {
          notice("The next round has begun.");
          go(`/table/${next}`);
        } else if (found.state === "over") go(`/event/${name}`);
      },
      () => undefined,
    );
  }, 4000);
  return () => {
    stopped = true;
    clearInterval(timer);
  };
}

export function callDirector(name: string, token: string): void {
  let words = "";
  const box = dialog("Call the director", () => [
    textField("What has happened?", words, (v) => (words = v), { maxlength: "200" }),
    h(
      "div",
      { class: "row" },
      h(
        "button",
        {
          class: "button primary",
          onclick: () => {
            box.close();
            void ask<EventPage>(eventPath(name, "/call"), { words }, token).then(
              () => notice("The director has been called."),
              (error: Error) => notice(error.message),
            );
          },
        },
        "Call the director",
      ),
    ),
  ]);
}
