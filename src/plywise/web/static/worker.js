// The service worker: what can be shown without the server. The server puts VERSION, FILES and DATA
// before this text: a hash of all files of the page, their addresses, and answers worth keeping.
//
// Whatever the server answers comes first, so nobody sees an old page while the server is there.
// Only when it cannot be reached does the worker answer: with the files of one version, all of
// which it has fetched together, and with the last answers of the API that change rarely.

const SHELL = `files ${VERSION}`;
const ANSWERS = `answers ${VERSION}`;
const MOST = 500; // answers that are kept; the oldest are dropped first

// Answers that are the same for everybody and do not depend on a search.
const KEPT = [/^\/api\/kinds(\/|$)/, /^\/api\/puzzles(\/|$)/, /^\/api\/exercises(\/|$)/, /^\/api\/pictures\/film$/];
// The same for requests with a body: a puzzle in pictures, and the puzzles of the day.
const ASKED = [/^\/api\/puzzles\/[^/]+$/, /^\/api\/puzzles\/[^/]+\/daily$/];

self.addEventListener("install", (event) => event.waitUntil(install()));

async function install() {
  const fresh = (address) => new Request(address, { cache: "no-cache" });
  await (await caches.open(SHELL)).addAll(FILES.map(fresh));
  await self.skipWaiting();
}

self.addEventListener("activate", (event) => event.waitUntil(activate()));

async function activate() {
  const old = (await caches.keys()).filter((name) => /^(files|answers) /.test(name) && ![SHELL, ANSWERS].includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
}

// The page asks for this when it has nothing else to do.
self.addEventListener("message", (event) => {
  if (event.data === "fetch") event.waitUntil(fetchAnswers());
});

async function fetchAnswers() {
  const cache = await caches.open(ANSWERS);
  for (const address of DATA) {
    if (await cache.match(address)) continue;
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok) await cache.put(address, answer);
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  const fits = (patterns) => patterns.some((pattern) => pattern.test(pathname));
  if (origin !== self.location.origin) return;
  if (request.method === "POST" && fits(ASKED)) event.respondWith(asked(request));
  else if (request.method !== "GET" || pathname.startsWith("/embed/")) return;
  else if (pathname.startsWith("/api/")) fits(KEPT) && event.respondWith(kept(request, request.url));
  else event.respondWith(file(request));
});

/** A file of the page; every address that a person may type is the same page. */
async function file(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const cache = await caches.open(SHELL);
    const found = await cache.match(request.mode === "navigate" ? "/" : request, { ignoreVary: true });
    if (found) return found;
    throw error;
  }
}

/** An answer of the API, kept under an address. */
async function kept(request, address) {
  const cache = await caches.open(ANSWERS);
  try {
    const answer = await fetch(request);
    if (answer.ok) await keep(cache, address, answer.clone());
    return answer;
  } catch (error) {
    const found = await cache.match(address, { ignoreVary: true });
    if (found) return found;
    throw error;
  }
}

/** The same for a request with a body, which becomes part of the address. */
async function asked(request) {
  const body = await request.clone().text();
  return kept(request, `${request.url}?asked=${encodeURIComponent(body)}`);
}

async function keep(cache, address, answer) {
  await cache.delete(address); // so that it is the newest
  await cache.put(address, answer);
  const known = await cache.keys();
  await Promise.all(known.slice(0, -MOST).map((old) => cache.delete(old)));
}
