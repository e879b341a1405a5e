// Which page is shown: the address decides.
// The one entry of the bundle.
import { BookPage } from "./book";
import { CardPage } from "./card";
import { ClubPage } from "./club";
import { DealPage } from "./deal";
import { DecodePage } from "./decode";
import { EveningPage } from "./evening";
import { EventPage } from "./event";
import { HomePage } from "./home";
import { lang, missing, speak } from "./lang";
import { LessonPage } from "./lesson";
import { LobbyPage } from "./lobby";
import { MatchPage } from "./match";
import { MePage } from "./me";
import { PracticePage } from "./practice";
import { apply, language } from "./prefs";
import { ReviewPage } from "./review";
import { intoPage, keys, notice } from "./shell";
import { SuitPage } from "./suit";
import { TablePage } from "./table";

interface Page {
  close(): void;
}

const PAGES: Record<string, [string, new (root: HTMLElement) => Page]> = {
  "/": ["Overtrick", HomePage],
  "/review": ["Review – Overtrick", ReviewPage],
  "/practice": ["Bidding practice – Overtrick", PracticePage],
  "/decode": ["Bid decoder – Overtrick", DecodePage],
  "/book": ["System book – Overtrick", BookPage],
  "/card": ["Your convention card – Overtrick", CardPage],
  "/suit": ["Suit play – Overtrick", SuitPage],
  "/deal": ["Deals to order – Overtrick", DealPage],
  "/match": ["Matches – Overtrick", MatchPage],
  "/club": ["Matches with others – Overtrick", ClubPage],
  "/evening": ["An evening – Overtrick", EveningPage],
  "/event": ["An event of pairs – Overtrick", EventPage],
  "/lobby": ["Play with people – Overtrick", LobbyPage],
  "/lesson": ["Lesson – Overtrick", LessonPage],
  "/me": ["Your bridge – Overtrick", MePage],
};

let page: Page | null = null;
let path = "";

function route(): void {
  const root = document.getElementById("app")!;
  const wanted =
    location.pathname + (location.pathname === "/review" ? location.hash : location.search);
  if (page && wanted === path) return;
  path = wanted;
  const navigated = page !== null;
  page?.close();
  root.replaceChildren();
  const table = /^\/table\/([\w-]+)$/.exec(location.pathname)?.[1];
  const address =
    /^\/(club|evening|event|lesson)(?=\/)/.exec(location.pathname)?.[0] ?? location.pathname;
  const [title, Found] = PAGES[address] ?? PAGES["/"]!;
  page = table ? new TablePage(root, table) : new Found(root);
  if (!table && !PAGES[address]) {
    history.replaceState(null, "", "/");
    path = "/";
    notice("There is no such page; this is the start.");
  }
  document.title = table ? "Table – Overtrick" : title;
  scrollTo(0, 0);
  if (navigated) setTimeout(() => document.activeElement === document.body && intoPage(), 60);
}

apply();
addEventListener("popstate", route);
document.addEventListener("keydown", (e) => {
  if (e.key === "?" && !/^(INPUT|TEXTAREA|SELECT)$/.test((e.target as HTMLElement).tagName)) keys();
});
if (lang() !== language()) void speak(language()).then(route);
else route();
if ("serviceWorker" in navigator && isSecureContext)
  void navigator.serviceWorker.register("/worker.js").catch(() => undefined);
Object.assign(window, { overtrick: { missing } });
