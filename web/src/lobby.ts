// The lobby: strangers find each other for a few boards; who does not want to wait sits down with
// robots, whose seats are for those who come.
// Used at /lobby.
import { announce, h, later, render, type VNode } from "./dom";
import { choice, textField } from "./forms";
import { ask, keep } from "./net";
import { change, myName } from "./prefs";
import { bar, go } from "./shell";
import type { LobbyPage as Lobby } from "./wire";

export class LobbyPage {
  private found: Lobby | null = null;
  private name = myName();
  private boards = "4";
  private wait = "";
  private since = 0;
  private problem = "";
  private timer = 0;
  private closed = false;

  private readonly draw = later(() =>
    render(this.root, [bar(null, () => this.draw()), this.main()]),
  );

  constructor(private readonly root: HTMLElement) {
    this.draw();
    void this.look();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    if (this.wait) void ask<Lobby>("/api/lobby", this.wish({ leave: true })).catch(() => undefined);
  }

  private wish(more: Record<string, unknown> = {}): Record<string, unknown> {
    return { name: myName(), boards: Number(this.boards), wait: this.wait, ...more };
  }

  /** Ask again, as somebody who waits or as somebody who only looks. */
  private async look(more: Record<string, unknown> = {}): Promise<void> {
    clearTimeout(this.timer);
    const asking = this.since > 0;
    try {
      const found = await ask<Lobby>("/api/lobby", asking ? this.wish(more) : undefined);
      if (this.closed) return;
      this.found = found;
      this.problem = "";
      if (asking) this.wait = found.wait;
      if (found.ticket) {
        this.wait = "";
        keep(found.ticket);
        announce("Somebody plays with you.");
        go(`/table/${found.ticket.table}`);
        return;
      }
    } catch (error) {
      this.problem = (error as Error).message;
    }
    this.draw();
    this.timer = window.setTimeout(() => void this.look(), this.since ? 2000 : 5000);
  }

  private seek(): void {
    change({ name: this.name });
    this.since = Date.now();
    void this.look();
    this.draw();
  }

  private stop(): void {
    const wish = this.wish({ leave: true });
    this.since = 0;
    this.wait = "";
    void ask<Lobby>("/api/lobby", wish).then(
      () => this.look(),
      () => undefined,
    );
    this.draw();
  }

  private main(): VNode {
    const others = this.found?.waiting ?? [];
    const seconds = this.since ? Math.floor((Date.now() - this.since) / 1000) : 0;
    return h(
      "main",
      { class: "tool lobby" },
      h(
        "header",
        { class: "tool-head" },
        h("h1", null, "Play with people"),
        h(
          "p",
          { class: "lead" },
          "Whoever comes second is your partner, the next ones are your opponents. Robots play " +
            "until they come.",
        ),
      ),
      h(
        "section",
        { class: "panel enter" },
        this.since
          ? [
              h("h2", null, "Looking for company…"),
              h("p", { class: "soft" }, `${seconds} seconds so far.`),
              h(
                "div",
                { class: "row" },
                h(
                  "button",
                  { class: "button primary", onclick: () => void this.look({ begin: true }) },
                  "Begin with robots meanwhile",
                ),
                h("button", { class: "button", onclick: () => this.stop() }, "Wait no longer"),
              ),
            ]
          : [
              h(
                "div",
                { class: "pair" },
                textField("Your name, as others see it", this.name, (v) => (this.name = v), {
                  maxlength: "24",
                  autocomplete: "nickname",
                }),
                choice(
                  "Boards",
                  this.boards,
                  [
                    ["1", "one board"],
                    ["4", "four boards"],
                    ["8", "eight boards"],
                  ],
                  (v) => {
                    this.boards = v;
                    this.draw();
                  },
                ),
              ),
              h(
                "div",
                { class: "row" },
                h(
                  "button",
                  { class: "button primary large", onclick: () => this.seek() },
                  "Find company",
                ),
              ),
            ],
        this.problem ? h("p", { class: "problem", role: "alert" }, this.problem) : null,
      ),
      h(
        "section",
        { class: "panel" },
        h("h2", null, "Who waits now"),
        others.length
          ? h(
              "ul",
              null,
              others.map((w, i) =>
                h(
                  "li",
                  { key: i },
                  w.name ? h("b", { translate: "no" }, w.name) : h("b", null, "Somebody"),
                  " ",
                  h("span", { class: "soft" }, `Boards: ${w.boards}`),
                ),
              ),
            )
          : h("p", { class: "soft" }, "Nobody at the moment."),
        h(
          "p",
          { class: "soft" },
          "At the table: the button with two heads has the chat, in which you can mute, block or " +
            "report somebody. Whom you block is never seated with you again.",
        ),
      ),
    );
  }
}
