// The people at a table: links for them, chat, who is away, who looks on, changing seats, taking
// back.
// Used by the table page.
import { announce, h, type Child, type VNode } from "./dom";
import { textField } from "./forms";
import { ask, ticketOf } from "./net";
import { copy, dialog, icon, notice } from "./shell";
import { SEAT_NAMES, SEATS } from "./words";
import type { ChatWord as Word, Invited, Reach, SeatLetter, State } from "./wire";

interface Around {
  table: string;
  send: (message: unknown) => boolean;
  state: () => State | null;
  draw: () => void;
}

const LOCAL = /^(localhost|127\.|\[?::1)/;

export class People {
  private words: Word[] = [];
  private unread = 0;
  private box: HTMLDialogElement | null = null;
  private again: () => void = () => undefined;
  private typed = "";
  private reach: Reach | null = null;
  private readonly muted = new Set<SeatLetter>();

  constructor(private readonly at: Around) {}

  close(): void {
    this.box?.close();
  }

  heard(frame: Word | Invited): void {
    if (frame.type === "invited") {
      void this.share(
        frame.invitation,
        frame.watch ? "Link to look on" : `Link for ${SEAT_NAMES[frame.seat]}`,
      );
      return;
    }
    if (this.muted.has(frame.seat)) return;
    this.words = [...this.words, frame].slice(-100);
    if (this.box?.open) this.again();
    else {
      this.unread++;
      notice(`${frame.name || SEAT_NAMES[frame.seat]}: ${frame.text}`);
    }
    this.at.draw();
  }

  /** In the bar: one button for everything about people, and links while seats are empty. */
  buttons(now: State): Child[] {
    const ticket = ticketOf(this.at.table);
    const open = now.watching ? [] : now.open.filter((s) => ticket?.invitations[s]);
    return [
      ...open.map((s) =>
        h(
          "button",
          {
            class: "button small invite",
            key: `invite${s}`,
            onclick: () => void this.share(ticket!.invitations[s]!, `Link for ${SEAT_NAMES[s]}`),
          },
          `Invite ${SEAT_NAMES[s]}`,
        ),
      ),
      h(
        "button",
        {
          class: "quiet people-button",
          key: "people",
          onclick: () => this.open(),
          title: "People and chat",
        },
        icon(
          "M16 19v-1.500a3.500 3.500 0 0 0-3.500-3.500h-5A3.500 3.500 0 0 0 4 17.500V19M10 " +
            "10.500a3.200 3.200 0 1 0 0-6.500 3.200 3.200 0 0 0 0 6.500zM20 19v-1.500a3.500 " +
            "3.500 0 0 0-2.600-3.400M15 4.200a3.200 3.200 0 0 1 0 6.200",
        ),
        this.unread ? h("b", { class: "badge" }, this.unread) : null,
        h("span", { class: "sr-only" }, "People and chat"),
      ),
    ];
  }

  /** The whole address of an invitation; told with what keeps others from opening it. */
  private async share(invitation: string, what: string): Promise<void> {
    this.reach ??= await ask<Reach>("/api/here").catch(() => null);
    const local = LOCAL.test(location.host);
    const origin = local && this.reach?.addresses[0] ? this.reach.addresses[0] : location.origin;
    const address = `${origin}/table/${this.at.table}#join=${invitation}`;
    if (!local || this.reach?.open) {
      void copy(address, what);
      return;
    }
    dialog(what, () => [
      h(
        "p",
        null,
        "This server listens to this computer only, so the link works here and nowhere else.",
      ),
      h("p", { class: "soft" }, "To let others in, start it for the network:"),
      h("p", null, h("code", { translate: "no" }, "overtrick serve --host 0.0.0.0")),
      h("textarea", { readonly: true, rows: 3, class: "wide", "aria-label": what, value: address }),
    ]);
  }

  /** Somebody whose turn it is is not there: a robot may act until they are back. */
  missing(now: State): Child {
    const who = now.turn!;
    if (
      now.watching ||
      !now.humans.includes(who) ||
      now.away.includes(who) ||
      now.connected.includes(who)
    )
      return null;
    return h(
      "button",
      {
        class: "linklike",
        key: "substitute",
        onclick: () => this.at.send({ type: "substitute", seat: who }),
      },
      "Let a robot play",
    );
  }

  /** A wish to take something back, for those who have to agree. */
  wish(now: State): VNode | null {
    const asked = now.asked;
    if (!asked || now.watching) return null;
    const who = now.names[asked.seat] || SEAT_NAMES[asked.seat];
    const about = asked.about ? SEAT_NAMES[asked.about] : "";
    const [head, words] =
      asked.what === "undo"
        ? ["Taking back", `${who} would like to take back the last action.`]
        : asked.what === "substitute"
          ? ["An empty chair", `${who} would like a robot to play for ${about}.`]
          : ["An empty chair", `${who} would like to give the seat of ${about} to somebody else.`];
    const box = (...rest: Child[]): VNode =>
      h("div", { class: "meaning", key: "wish" }, h("p", { class: "eyebrow" }, head), ...rest);
    if (asked.seat === now.seat || asked.agreed.includes(now.seat))
      return box(h("p", { class: "words" }, "Waiting for the others to agree…"));
    announce(words!);
    return box(
      h("p", { class: "words" }, words),
      h(
        "div",
        { class: "row" },
        h(
          "button",
          {
            class: "button small primary",
            onclick: () => this.at.send({ type: "agree", yes: true }),
          },
          "Agree",
        ),
        h(
          "button",
          { class: "button small", onclick: () => this.at.send({ type: "agree", yes: false }) },
          "No",
        ),
      ),
    );
  }

  private open(): void {
    this.unread = 0;
    this.box = dialog("At the table", (again) => {
      this.again = again;
      const now = this.at.state();
      return now ? [this.seats(now), this.talk(now)] : null;
    });
  }

  private seats(now: State): VNode {
    const free = now.phase === "over";
    const act = (message: unknown): void => {
      this.at.send(message);
      setTimeout(() => this.box?.open && this.again(), 300);
    };
    const row = (s: SeatLetter): VNode => {
      const human = now.humans.includes(s);
      const away = now.away.includes(s);
      const there = now.connected.includes(s);
      const me = s === now.seat && !now.watching;
      const who = me
        ? now.names[s] || "You"
        : !human
          ? "Robot"
          : there
            ? now.names[s] || "Guest"
            : away
              ? "A robot, until they are back"
              : "Empty chair";
      return h(
        "li",
        { key: s },
        h("b", null, SEAT_NAMES[s]),
        h("span", { translate: who === now.names[s] ? "no" : null }, who),
        now.watching
          ? null
          : human && !there && !me
            ? [
                h(
                  "button",
                  { class: "button small", onclick: () => act({ type: "invite", seat: s }) },
                  "New link",
                ),
                away
                  ? null
                  : h(
                      "button",
                      {
                        class: "button small",
                        onclick: () => act({ type: "substitute", seat: s }),
                      },
                      "Let a robot play",
                    ),
              ]
            : null,
        human && there && !me && !now.watching ? this.company(s, act) : null,
        !now.watching && !human && free
          ? h(
              "button",
              { class: "button small", onclick: () => act({ type: "move", to: s }) },
              "Sit here",
            )
          : null,
      );
    };
    return h(
      "section",
      { class: "seats" },
      h("ul", null, SEATS.map(row)),
      known(now),
      now.watchers
        ? h(
            "p",
            { class: "soft" },
            now.watchers === 1 ? "One person looks on." : `${now.watchers} people look on.`,
          )
        : null,
      now.watching
        ? null
        : h(
            "div",
            { class: "row" },
            h(
              "button",
              { class: "button small", onclick: () => act({ type: "invite", watch: true }) },
              "Link to look on, over my shoulder",
            ),
            h(
              "button",
              { class: "button small", onclick: () => act({ type: "invite", seat: now.seat }) },
              "Hand my seat over",
            ),
          ),
    );
  }

  /** Not to read somebody, not to meet them again, to tell the host. */
  private company(seat: SeatLetter, act: (message: unknown) => void): Child {
    const muted = this.muted.has(seat);
    const mute = (): void => {
      if (muted) this.muted.delete(seat);
      else this.muted.add(seat);
      this.again();
    };
    const small = (words: string, work: () => void): VNode =>
      h("button", { class: "button small", onclick: work }, words);
    return [
      small(muted ? "Unmute" : "Mute", mute),
      small("Block", () => {
        this.muted.add(seat);
        act({ type: "block", seat });
        notice("They are not seated with you again, and you do not read each other.");
      }),
      small("Report", () => this.report(seat)),
    ];
  }

  private report(seat: SeatLetter): void {
    let why = "";
    const box = dialog("Report somebody", () => [
      h(
        "p",
        null,
        "The host of this server can read what they said last. Whom several people report " +
          "cannot chat for a week.",
      ),
      textField("Why", why, (v) => (why = v), { maxlength: "200" }),
      h(
        "div",
        { class: "row" },
        h(
          "button",
          {
            class: "button primary",
            onclick: () => {
              box.close();
              this.at.send({ type: "report", seat, why });
            },
          },
          "Report",
        ),
      ),
    ]);
  }

  private talk(now: State): VNode {
    const mute = now.watching && now.phase !== "over";
    const say = (e: Event): void => {
      e.preventDefault();
      if (this.typed.trim()) this.at.send({ type: "chat", text: this.typed.trim().slice(0, 300) });
      this.typed = "";
      this.again();
    };
    return h(
      "section",
      { class: "talk" },
      h("h3", null, "Chat"),
      h(
        "ul",
        { class: "said", role: "log" },
        this.words.length
          ? this.words.map((w, i) =>
              h(
                "li",
                { key: i, translate: "no" },
                h("b", null, w.name || SEAT_NAMES[w.seat]),
                ` ${w.text}`,
              ),
            )
          : h("li", { class: "soft" }, "Nobody has said anything yet."),
      ),
      mute
        ? h("p", { class: "soft" }, "Who looks on may speak when the board is over.")
        : h(
            "form",
            { class: "row say", onsubmit: say },
            h("input", {
              value: this.typed,
              maxlength: "300",
              "aria-label": "Say something",
              placeholder: "Say something",
              oninput: (e: Event) => (this.typed = (e.target as HTMLInputElement).value),
            }),
            h("button", { class: "button small", type: "submit" }, "Say"),
          ),
    );
  }
}

/** What everybody at a table may know about who knows what. */
function known(now: State): Child {
  const links = Object.entries(now.links).map(([s, n]) => `${SEAT_NAMES[s as SeatLetter]} ${n}`);
  const lines: Child[] = [
    now.chosen ? "Whoever opened the table chose the cards, so it is not ranked." : null,
    ...now.shared.map(
      (seats) =>
        "Played from one browser: " +
        `${[...seats].map((s) => SEAT_NAMES[s as SeatLetter]).join(", ")}.`,
    ),
    now.seen && !now.watching
      ? now.seen === 1
        ? "One other person has seen your hand."
        : `${now.seen} other people have seen your hand.`
      : null,
    links.length ? `Links to look on: ${links.join(", ")}.` : null,
  ];
  return [
    ...lines.map((words) => (words ? h("p", { class: "soft", key: words }, words) : null)),
    now.sealed
      ? h(
          "details",
          { class: "soft seal", key: "seal" },
          h(
            "summary",
            null,
            now.sealed.text
              ? "The cards are those that were promised"
              : "The cards are fixed and promised",
          ),
          h("p", null, h("code", { class: "address", translate: "no" }, now.sealed.promise)),
          now.sealed.text
            ? [
                h("p", null, "The SHA-256 of this text:"),
                h("textarea", {
                  readonly: true,
                  rows: 4,
                  class: "wide",
                  "aria-label": "What was promised",
                  value: now.sealed.text,
                }),
              ]
            : h(
                "p",
                null,
                "This is the SHA-256 of a text with all four hands, which is shown when the " +
                  "board is over.",
              ),
        )
      : null,
  ];
}
