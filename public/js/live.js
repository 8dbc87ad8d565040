/**
 * This tab's WebSocket to `/api/live`. An element with `data-live="<topic>"` gets the event `live` when the topic
 * changes, and reloads with `hx-trigger="live"`. Several topics are separated by spaces. The one named `often`
 * is no topic of the server: it changes every 5 s. One with `data-reads` reads by POST.
 */

/** Milliseconds before reconnecting: from the first, doubled up to the longest, with random jitter. */
const minPauseMs = 1_000
const maxPauseMs = 60_000
/** Milliseconds without a message, pings included, after which the connection counts as lost. */
const silenceMs = 70_000
/** Milliseconds between two refreshes: of the first ones after a quiet time, and while changes keep coming. */
const firstEvery = 400
const refreshEvery = 2_000
const firstRefreshes = 4
const quietMs = 10_000
/** The random delay that spreads the refreshes of all tabs. */
const spread = 200

const often = 'often'
/** Milliseconds. */
const oftenEvery = 5_000
/** Milliseconds that a message of the server, or a topic of this tab, can be on its way. */
const delay = 5_000
/** Milliseconds for the request of a token. */
const tokenTimeout = 30_000

/** @type {WebSocket | null} */
let socket = null
let isConnecting = false
let isReady = false
let attempts = 0
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retryTimer
/** @type {ReturnType<typeof setTimeout> | undefined} */
let refreshTimer
/** When the page was requested, or the last time at which the server had reported every change. */
let currentAt = performance.timeOrigin
/** The times of the last refreshes. @type {number[]} */
let refreshedAt = []
let sentTopics = ''
/** @type {Set<string>} */
const stale = new Set()

/**
 * The used part of htmx's request context.
 * @typedef {{
 *   request: { method: string }, response?: { status: number }, sourceElement: Element, target: unknown, hx?: { redirect?: string }
 * }} RequestContext
 */

/**
 * Requests that change something, or the content of a live element. Nothing is refreshed until their response: shown items
 * can already be deleted, and the refresh of an older URL could replace their result.
 * @type {Set<RequestContext>}
 */
const changing = new Set()
/** @type {Set<RequestContext>} */
const refreshing = new Set()
/** The topics that a request changes by itself. @type {WeakMap<RequestContext, string[]>} */
const topicsChangedBy = new WeakMap()
/** Until then the page is leaving for another one, and isn't refreshed. */
let leavingUntil = 0
/** Milliseconds within which the other page should load. */
const leavingMs = 10_000
/**
 * Whether the person can still read the page. Once they were told that they can't, no more requests are sent.
 * @type {'open' | 'lost' | 'notified'}
 */
let access = 'open'

/** @param {Element} element */
const topicsOf = (element) => (element.getAttribute('data-live') ?? '').split(' ').filter(Boolean)

const elements = () => [...document.querySelectorAll('[data-live]')]

const wantedTopics = () => [...new Set(elements().flatMap(topicsOf))].filter((topic) => topic !== often).sort()

/** Connects when the page has topics, and sends them when they changed. @param {number} [readAt] when new ones were read */
function update(readAt) {
  const topics = wantedTopics()
  if (!socket && topics.length > 0) void connect()
  if (isReady && topics.join(' ') !== sentTopics) send(topics, { readAt })
}

async function connect() {
  if (socket || isConnecting || access !== 'open') return
  clearTimeout(retryTimer)
  isConnecting = true
  const token = await newToken()
  isConnecting = false
  if (token === null) return loseAccess()
  if (token === undefined) return retry()
  const opened = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/live`)
  socket = opened
  let heardAt = Date.now()
  const watch = setInterval(() => Date.now() - heardAt > silenceMs && lost(), silenceMs / 5)
  const lost = () => {
    clearInterval(watch)
    if (socket !== opened) return
    socket = null
    // WebSockets seem to be blocked on the way, so the page is refreshed at each attempt instead.
    if (!isReady) markStale(wantedTopics())
    isReady = false
    opened.close()
    retry()
  }
  opened.addEventListener('open', () => send(wantedTopics(), { token }))
  opened.addEventListener('message', ({ data }) => {
    heardAt = Date.now()
    handleMessage(JSON.parse(data))
  })
  opened.addEventListener('close', ({ code }) => {
    if (code === unauthorized && isReady) loseAccess()
    lost()
  })
}

/** The code with which the server closes the channel of a session that has ended. */
const unauthorized = 4401

function loseAccess() {
  if (access === 'open') access = 'lost'
  planRefresh()
}

/** A token; undefined when the server can't issue one now, null when the session has ended. */
async function newToken() {
  try {
    const signal = AbortSignal.timeout(tokenTimeout)
    const answer = await fetch('/api/live/token', { method: 'POST', headers: { accept: 'application/json' }, signal })
    if (answer.status === 401) return null
    // A suspended organization gets no token, but some of its pages can still be read, which their refresh finds out.
    if (answer.status === 403) markStale(wantedTopics())
    /** @type {string | undefined} */
    const token = answer.ok ? (await answer.json()).token : undefined
    return token
  } catch {
    return undefined
  }
}

/** @param {string[]} topics @param {{ token?: string, readAt?: number }} more */
function send(topics, { token, readAt = currentAt }) {
  sentTopics = topics.join(' ')
  socket?.send(JSON.stringify({ token, topics, staleMs: Math.max(0, Date.now() - Math.min(readAt, currentAt)) }))
}

/** @param {{ type: string, topics?: string[], refused?: string[] }} message */
function handleMessage({ type, topics = [], refused = [] }) {
  if (type === 'dropped' || refused.some((topic) => wantedTopics().includes(topic))) loseAccess()
  if (type === 'subscribed') {
    isReady = true
    attempts = 0
    update()
  }
  if (type === 'invalidate') markStale(topics)
  if (type === 'resync') markStale(wantedTopics())
  if (isReady) currentAt = Math.max(currentAt, Date.now() - delay)
}

function retry() {
  const pause = Math.min(maxPauseMs, minPauseMs * 2 ** attempts++)
  clearTimeout(retryTimer)
  retryTimer = setTimeout(() => update(), pause / 4 + (Math.random() * pause * 3) / 4)
}

/** @param {string[]} topics */
function markStale(topics) {
  for (const topic of topics) stale.add(topic)
  planRefresh()
}

/** A hidden tab is refreshed when it becomes visible. */
function planRefresh() {
  if (document.hidden || refreshTimer !== undefined || (stale.size === 0 && access !== 'lost')) return
  const pause = Math.max(0, nextRefreshAt() - Date.now(), leavingUntil - Date.now())
  refreshTimer = setTimeout(refresh, pause + Math.random() * spread)
}

function nextRefreshAt() {
  const recent = refreshedAt.filter((at) => at > Date.now() - quietMs)
  return (recent.at(-1) ?? 0) + (recent.length < firstRefreshes ? firstEvery : refreshEvery)
}

function refresh() {
  refreshTimer = undefined
  if (document.hidden || changing.size > 0) return
  if (leavingUntil > Date.now()) return planRefresh()
  if (access === 'lost') document.dispatchEvent(new CustomEvent('outdated'))
  if (access !== 'open') {
    access = 'notified'
    stale.clear()
    return
  }
  refreshedAt = [...refreshedAt.slice(1 - firstRefreshes), Date.now()]
  const changed = elements().filter((element) => topicsOf(element).some((topic) => stale.has(topic)))
  stale.clear()
  for (const element of changed) element.dispatchEvent(new CustomEvent('live'))
}

/** @param {Event} event @returns {RequestContext | null} */
const contextOf = (event) => (event instanceof CustomEvent ? event.detail.ctx : null)

/** @param {RequestContext} context */
const isRefresh = ({ request: { method }, sourceElement }) =>
  (method === 'GET' || sourceElement.hasAttribute('data-reads')) && sourceElement.hasAttribute('data-live')

/** When each request was sent. @type {WeakMap<RequestContext, number>} */
const sentAt = new WeakMap()

document.addEventListener('htmx:before:request', (event) => {
  const context = contextOf(event)
  if (!context) return
  sentAt.set(context, Date.now())
  if (isRefresh(context)) {
    refreshing.add(context)
    return
  }
  const { request, target } = context
  const replacesLive = target instanceof Element && target.matches('[data-live], :has([data-live])')
  if (request.method === 'GET' && !replacesLive) return
  changing.add(context)
  topicsChangedBy.set(context, changedTopics(context.sourceElement))
  for (const { sourceElement } of refreshing) {
    for (const topic of topicsOf(sourceElement)) stale.add(topic)
    sourceElement.dispatchEvent(new CustomEvent('htmx:abort'))
  }
})

/** Statuses of a person who can no longer read the page. */
const refusals = new Set([401, 403, 404])
/** Milliseconds after which a failed refresh is retried. */
const failedPause = 10_000

// A refresh never leaves the page, which can have unsaved input, and fails without a message. When its object was
// deleted, the page around it reloads by the trigger `gone`.
document.addEventListener('htmx:before:response', (event) => {
  const context = contextOf(event)
  if (!context || !isRefresh(context)) return
  const { status = 0 } = context.response ?? {}
  const isRedirected = Boolean(context.hx?.redirect)
  if (status < 400 && !isRedirected) return
  event.preventDefault()
  const page = context.sourceElement.closest('[hx-trigger="gone"]')
  if (status === 404 && page) return page.dispatchEvent(new CustomEvent('gone'))
  if (isRedirected || refusals.has(status)) return loseAccess()
  retryRefresh(context)
})

document.addEventListener('htmx:error', (event) => {
  const context = contextOf(event)
  if (context && isRefresh(context)) retryRefresh(context)
})

/** @param {RequestContext} context */
const retryRefresh = ({ sourceElement }) => setTimeout(() => markStale(topicsOf(sourceElement)), failedPause)

document.addEventListener('htmx:finally:request', (event) => {
  const context = contextOf(event)
  if (!context) return
  refreshing.delete(context)
  if (!changing.delete(context)) return
  if (context.hx?.redirect) leavingUntil = Date.now() + leavingMs
  else refreshSoon(topicsChangedBy.get(context) ?? [])
  planRefresh()
})

/** Milliseconds within which the channel reports the person's own change, so that one refresh serves both. */
const ownPause = 200

/**
 * The topics of the live element around a control with `data-refresh`. Read before the request, because the response can
 * remove the control.
 * @param {Element} source
 */
function changedTopics(source) {
  const elsewhere = source.getAttribute('data-refresh')
  const live = elsewhere
    ? document.querySelector(elsewhere)
    : source.matches('[data-refresh]')
      ? source.closest('[data-live]')
      : null
  return live ? topicsOf(live) : []
}

/** Refreshes the elements of these topics without the pause between refreshes. @param {string[]} topics */
function refreshSoon(topics) {
  if (topics.length === 0) return
  for (const topic of topics) stale.add(topic)
  clearTimeout(refreshTimer)
  refreshTimer = setTimeout(refresh, ownPause)
}

setInterval(() => elements().some((element) => topicsOf(element).includes(often)) && markStale([often]), oftenEvery)
document.addEventListener('htmx:after:swap', (event) => {
  const context = contextOf(event)
  update(context ? sentAt.get(context) : undefined)
})
document.addEventListener('visibilitychange', planRefresh)
addEventListener('online', () => update())
addEventListener('pageshow', () => update())
addEventListener('pagehide', () => {
  const open = socket
  socket = null
  isReady = false
  open?.close()
})
update()
