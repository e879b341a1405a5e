// Keeps the page itself and the lessons for times without a network; nothing else that the server says
// is kept.
const KEPT = "overtrick-page";
const FILES = [
  "/", "/static/app.js", "/static/style.css", "/static/icon.svg", "/static/manifest.webmanifest",
  "/static/figtree-latin-wght-normal.woff2", "/static/source-serif-4-latin-wght-normal.woff2",
  "/static/de.json", "/static/fr.json", "/static/pl.json",
];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

/** The network first, so that a new version is seen at once; the kept copy when there is none. */
async function answered(request, name) {
  const cache = await caches.open(KEPT);
  try {
    const fresh = await fetch(request);
    if (fresh.ok) await cache.put(name, fresh.clone());
    return fresh;
  } catch (error) {
    const kept = await cache.match(name);
    if (kept) return kept;
    throw error;
  }
}

/** Whoever looks at the list of lessons may want any of them on the train. */
async function lessonsKept(list) {
  const cache = await caches.open(KEPT);
  for (const { name } of await list.json()) {
    if (name.startsWith("technique-")) continue; // long ones are kept once they are looked at
    const path = `/api/lessons/${name}`;
    if (!(await cache.match(path))) await answered(new Request(path), path).catch(() => undefined);
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (/^\/api\/lessons(\/[\w-]+)?$/.test(pathname)) {
    const answer = answered(request, pathname);
    event.respondWith(answer.then((found) => found.clone()));
    if (pathname === "/api/lessons")
      event.waitUntil(answer.then((found) => lessonsKept(found.clone())).catch(() => undefined));
    return;
  }
  if (pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(answered(request, "/"));
  else if (pathname.startsWith("/static/")) event.respondWith(answered(request, pathname));
});
