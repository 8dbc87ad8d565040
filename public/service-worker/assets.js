const cacheName = `assets-${release}`
const address = /^\/assets\/[0-9a-f]{12}\//

// A new release waits until no page of the previous one is open. Their files never mix: addresses have hashes.
worker.addEventListener('activate', (event) => event.waitUntil(deleteOthers().then(() => worker.clients.claim())))

// From a page that was loading in that moment.
worker.addEventListener('message', (event) => event.data === 'claim' && event.waitUntil(worker.clients.claim()))

async function deleteOthers() {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)))
}

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== worker.location.origin) return
  if (endsSession.has(`${request.method} ${pathname}`)) return event.waitUntil(caches.delete(cacheName))
  if (request.method !== 'GET' || request.mode === 'navigate' || request.headers.has('range')) return
  if (address.test(pathname)) event.respondWith(findAsset(event))
})

/** @param {FetchEvent} event */
async function findAsset(event) {
  const { request } = event
  // A browser without room or permission for files has no cache.
  const cache = await caches.open(cacheName).catch(() => null)
  const kept = await cache?.match(request.url, { ignoreVary: true })
  if (kept) return kept
  const response = await fetch(request)
  if (cache && response.status === 200 && response.type === 'basic')
    event.waitUntil(cache.put(request.url, response.clone()).catch(() => {}))
  return response
}
