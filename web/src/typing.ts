// Calls and cards from the keyboard: 1 then H, P, X, R; S then Q or Q then S.
// Used by the table page; letters that mean nothing here are passed on.
import { keys } from "./shell";

interface Around {
  phase: () => string;
  legal: () => Set<string>;
  call: (call: string) => void;
  card: (card: string) => void;
  enter: () => void;
  other: (key: string) => void;
  changed: () => void;
}

const STRAINS: Record<string, string> = { c: "C", d: "D", h: "H", s: "S", n: "NT" };
const PLAIN: Record<string, string> = { p: "Pass", x: "X", r: "XX" };

export class Typing {
  begun = "";

  constructor(private readonly around: Around) {}

  clear(): void {
    this.begun = "";
  }

  press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]"))
      return;
    const target = event.target as HTMLElement;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
    const key = event.key.toLowerCase();
    if (event.key === "?") keys();
    else if (key === "escape") this.forget();
    else if (key === "enter") {
      // A focused button gets its own Enter.
      if (target.closest("button, a")) return;
      this.around.enter();
    } else if (key.length !== 1) return;
    else if (!this.take(key)) this.around.other(key);
    else event.preventDefault();
  }

  private forget(): void {
    this.begun = "";
    this.around.changed();
  }

  /** True when the key belongs to a call or card. */
  private take(key: string): boolean {
    const phase = this.around.phase();
    if (phase === "auction") return this.bid(key);
    if (phase === "play") return this.play(key);
    return false;
  }

  private bid(key: string): boolean {
    if (/[1-7]/.test(key)) {
      this.begun = key;
      this.around.changed();
      return true;
    }
    if (this.begun && key in STRAINS) {
      this.around.call(this.begun + STRAINS[key]);
      this.forget();
      return true;
    }
    if (key in PLAIN) {
      this.begun = "";
      this.around.call(PLAIN[key]!);
      return true;
    }
    return false;
  }

  private play(key: string): boolean {
    const rank = key === "0" || key === "1" ? "T" : key.toUpperCase();
    const isRank = /[AKQJT2-9]/.test(rank) && key.length === 1;
    const isSuit = /[cdhs]/.test(key);
    if (!isRank && !isSuit) return false;
    const held = this.begun;
    const other = isSuit ? /[AKQJT2-9]/ : /[CDHS]/;
    const now = isSuit ? key.toUpperCase() : rank;
    if (held && other.test(held)) {
      this.around.card(isSuit ? now + held : held + now);
      this.forget();
    } else {
      this.begun = now;
      this.around.changed();
    }
    return true;
  }
}
