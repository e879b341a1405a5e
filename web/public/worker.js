// Keeps the page itself for times without a network; what the server says is never kept.
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

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(answered(request, "/"));
  else if (pathname.startsWith("/static/")) event.respondWith(answered(request, pathname));
});
