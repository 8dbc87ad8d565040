/** @typedef {{ title: string, body: string, href: string, tag: string }} Message */

worker.addEventListener('push', (event) => event.waitUntil(show(event.data)))

// Browsers end subscriptions whose messages show nothing.
/** @param {PushMessageData | null} data */
function show(data) {
  const { title, body, href, tag } = read(data)
  return worker.registration.showNotification(title, {
    body,
    tag,
    icon: '/apple-touch-icon.png',
    data: { href },
  })
}

/** @param {PushMessageData | null} data @returns {Message} */
function read(data) {
  const usual = { title: 'Atrium', body: 'There is something new.', href: '/actions', tag: 'atrium' }
  try {
    return { ...usual, ...data?.json() }
  } catch {
    return usual
  }
}

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.href))
})

/** In the window that shows this page, else in a new one: others can have unsaved input. @param {unknown} href */
async function open(href) {
  const url = new URL(typeof href === 'string' ? href : '/actions', worker.location.origin)
  if (url.origin !== worker.location.origin) return
  const clients = await worker.clients.matchAll({ type: 'window' })
  const here = clients.find((client) => new URL(client.url).pathname === url.pathname)
  const moved = await here?.navigate(url.href).catch(() => null)
  await (moved ? moved.focus() : worker.clients.openWindow(url.href))
}

// Messages of the person who signed out aren't shown to the next one.
worker.addEventListener('fetch', (event) => {
  const { method, url } = event.request
  if (endsSession.has(`${method} ${new URL(url).pathname}`)) event.waitUntil(unsubscribe())
})

async function unsubscribe() {
  const subscription = await worker.registration.pushManager?.getSubscription()
  await subscription?.unsubscribe()
}
