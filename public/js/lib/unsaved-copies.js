/**
 * Input that the server doesn't have yet. This browser keeps it for the person who typed it, until it is stored or they
 * sign out.
 */

/**
 * @typedef {{
 *   texts: string[], connectionIds: string[], media: { mediaId: string, alt: string }[], tags: string, when: string,
 *   date: string, time: string, timeZone: string
 * }} Content
 * @typedef {{
 *   brandId: string, postId: string | null, baseVersion: number | null, content: Content, version: number, personId: string
 * }} Body
 * @typedef {{ id: string, body: Body }} Copy
 */

const prefix = 'unsaved:'

/** @param {string} personId @param {string} id */
const keyOf = (personId, id) => `${prefix}${personId}:${id}`

/** @param {Copy} copy */
export function keepCopy({ id, body }) {
  try {
    localStorage.setItem(keyOf(body.personId, id), JSON.stringify({ id, body }))
  } catch {
    // Full or blocked storage: the server's copy remains.
  }
}

/** @param {string} personId @param {string} id */
export const forgetCopy = (personId, id) => localStorage.removeItem(keyOf(personId, id))

/** @param {string} start @returns {Copy[]} */
const copiesUnder = (start) =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(start))
    .map((key) => JSON.parse(localStorage.getItem(key) ?? 'null'))

/** @param {string} personId */
export const copiesOf = (personId) => copiesUnder(`${prefix}${personId}:`)

/** @param {Copy} copy @param {RequestInit} [init] */
export const sendCopy = ({ id, body }, init) =>
  fetch(`/api/unsaved-posts/${id}`, {
    method: 'PUT',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...init,
  })

/**
 * Compares input with what the server has: the same, when the response to an earlier request was lost.
 * @param {string} id @param {Content} content
 */
export async function compareStored(id, content) {
  const response = await fetch(`/api/unsaved-posts/${id}`, { headers: { accept: 'application/json' } })
  const current = response.ok ? await response.json() : null
  return { current, isSame: current !== null && ordered(current.content) === ordered(content) }
}

/** @param {Content} content */
const ordered = ({ texts, connectionIds, media, tags, when, date, time, timeZone }) =>
  JSON.stringify([
    texts,
    connectionIds,
    media.map(({ mediaId, alt }) => [mediaId, alt]),
    tags,
    when,
    date,
    time,
    timeZone,
  ])

/** Stores a copy; beside the server's when another tab stored a newer one. @param {Copy} copy */
async function storeCopy(copy) {
  const response = await sendCopy(copy)
  if (response.ok) return true
  if (response.status !== 409) return false
  const { current, isSame } = await compareStored(copy.id, copy.body.content)
  if (!current || isSame) return isSame
  const body = { ...copy.body, postId: null, baseVersion: null, version: 0 }
  return (await sendCopy({ id: crypto.randomUUID(), body })).ok
}

/** Sends copies to the server, and forgets those that it stored. @param {Copy[]} copies */
export async function storeCopies(copies) {
  const stored = await Promise.all(copies.map((copy) => storeCopy(copy).catch(() => false)))
  copies.filter((_, at) => stored[at]).forEach(({ id, body }) => forgetCopy(body.personId, id))
  return stored.some(Boolean)
}

/** Of all people of this browser. */
export const allCopies = () => copiesUnder(prefix)

const signedOut = 'signed-out'

/** Other tabs keep nothing from then on. */
export function noteSignOut() {
  for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key)
  localStorage.setItem(signedOut, String(Date.now()))
}

/** @param {() => void} react to a sign-out in another tab */
export const onSignOut = (react) => addEventListener('storage', ({ key }) => key === signedOut && react())
