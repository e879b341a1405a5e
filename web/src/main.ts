// Which page is shown: the address decides.
// The one entry of the bundle.
import { DecodePage } from "./decode";
import { HomePage } from "./home";
import { apply } from "./prefs";
import { ReviewPage } from "./review";
import { keys } from "./shell";
import { TablePage } from "./table";

interface Page {
  close(): void;
}

let page: Page | null = null;
let path = "";

function route(): void {
  const root = document.getElementById("app")!;
  const wanted = location.pathname + (location.pathname === "/review" ? location.hash : "");
  if (page && wanted === path) return;
  path = wanted;
  page?.close();
  root.replaceChildren();
  const table = /^\/table\/([\w-]+)$/.exec(location.pathname)?.[1];
  if (table) page = new TablePage(root, table);
  else if (location.pathname === "/review") page = new ReviewPage(root);
  else if (location.pathname === "/decode") page = new DecodePage(root);
  else page = new HomePage(root);
  document.title = table ? "Overtrick: table" : "Overtrick";
}

apply();
addEventListener("popstate", route);
document.addEventListener("keydown", (e) => {
  if (e.key === "?" && !/^(INPUT|TEXTAREA|SELECT)$/.test((e.target as HTMLElement).tagName)) keys();
});
route();
