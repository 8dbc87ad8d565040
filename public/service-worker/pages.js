/**
 * Pages always come from the server, and none is kept: another person can use this browser. Without a connection, this
 * worker's own page stands in for them. API, uploads, live channels and files stay with the browser.
 */
worker.addEventListener('fetch', (event) => {
  const { request } = event
  const { pathname } = new URL(request.url)
  if (request.method !== 'GET' || request.mode !== 'navigate' || request.destination !== 'document') return
  if (!/^\/(api|assets|dev)\//.test(pathname)) event.respondWith(fetch(request).catch(showOffline))
})

function showOffline() {
  const nonce = crypto.randomUUID()
  const policy = `default-src 'none'; connect-src 'self'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return new Response(offlinePage.replaceAll('{nonce}', nonce), {
    status: 503,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': policy,
    },
  })
}
