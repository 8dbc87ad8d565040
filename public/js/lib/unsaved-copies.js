/**
 * Input that the server doesn't have yet. This browser keeps it for the person who typed it, until it is stored or they
 * sign out.
 */

/**
 * @typedef {{
 *   texts: string[], connectionIds: string[], media: { mediaId: string, alt: string, part?: number }[], tags: string, when: string,
 *   date: string, time: string, timeZone: string, youtube?: import('./youtube-fields.js').YouTubeInput | undefined,
 *   firstComment?: string | undefined, campaign?: string,
 *   linkPreview?: import('./link-field.js').Card | null | undefined,
 *   ownTexts?: { provider: string, texts: string[] }[]
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

/** Of one person, or of all people of this browser. @param {string} [personId] */
export const copiesOf = (personId) => copiesUnder(personId === undefined ? prefix : `${prefix}${personId}:`)

/** @param {Copy} copy @param {RequestInit} [init] */
export const sendCopy = ({ id, body }, init) =>
  fetch(`/api/unsaved-posts/${id}`, {
    method: 'PUT',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    ...init,
  })

/** @param {string} id */
export async function readStored(id) {
  const response = await fetch(`/api/unsaved-posts/${id}`, { headers: { accept: 'application/json' } })
  return response.ok ? response.json() : null
}

/** The response to an earlier request can have been lost. @param {string} id @param {Content} content */
async function isStored(id, content) {
  const stored = await readStored(id)
  return stored !== null && isSame(stored.content, content)
}

/** @param {Content} one @param {Content} other */
export const isSame = (one, other) => ordered(one) === ordered(other)

/** @param {Content} content */
const ordered = ({
  texts,
  ownTexts = [],
  connectionIds,
  media,
  tags,
  campaign = '',
  firstComment,
  linkPreview,
  youtube,
  ...schedule
}) =>
  JSON.stringify([
    texts,
    ownTexts.map((own) => [own.provider, own.texts]),
    connectionIds,
    media.map(({ mediaId, alt, part = 0 }) => [mediaId, alt, part]),
    tags,
    campaign,
    firstComment,
    linkPreview && [linkPreview.url, linkPreview.title, linkPreview.description, linkPreview.imageUrl],
    youtube && [youtube.title, youtube.privacy, youtube.tags, youtube.madeForKids],
    [schedule.when, schedule.date, schedule.time, schedule.timeZone],
  ])

/** Stores a copy: as a new post when another tab stored a newer one, or its post was deleted. @param {Copy} copy */
async function storeCopy(copy) {
  const response = await sendCopy(copy)
  if (response.ok) return true
  if (response.status === 409 && (await isStored(copy.id, copy.body.content))) return true
  if (![404, 409].includes(response.status)) return false
  const body = { ...copy.body, postId: null, baseVersion: null, version: 0 }
  return (await sendCopy({ id: crypto.randomUUID(), body })).ok
}

/** Sends copies to the server, and forgets those that it stored. @param {Copy[]} copies */
export async function storeCopies(copies) {
  const stored = await Promise.all(copies.map((copy) => storeCopy(copy).catch(() => false)))
  copies.filter((_, at) => stored[at]).forEach(({ id, body }) => forgetCopy(body.personId, id))
  return stored.some(Boolean)
}

/** Undefined on pages without an account. */
export const signedInPerson = () => {
  const form = document.querySelector('form[data-person]')
  return form instanceof HTMLElement ? form.dataset.person : undefined
}

/** Of texts that a tab keeps (`kept-input`). */
export const textPrefix = 'unsaved-text:'

/** @param {string} [personId] */
function textKeys(personId = '') {
  try {
    return Object.keys(sessionStorage).filter((key) => key.startsWith(textPrefix + personId))
  } catch {
    return []
  }
}

/** @param {string} [personId] */
export const hasTexts = (personId) => personId !== undefined && textKeys(personId).length > 0

/** Another person uses this tab now. Texts of pages without an account remain. @param {string} personId */
export function forgetTextsOfOthers(personId) {
  for (const key of textKeys())
    if (![personId, '/'].some((owner) => key.startsWith(textPrefix + owner))) sessionStorage.removeItem(key)
}

const signedOut = 'signed-out'

/** Forgets a person's copies; other tabs keep nothing from then on. @param {string} [personId] */
export function noteSignOut(personId) {
  for (const { id, body } of copiesOf(personId)) forgetCopy(body.personId, id)
  for (const key of textKeys(personId)) sessionStorage.removeItem(key)
  localStorage.setItem(signedOut, String(Date.now()))
}

/** @param {() => void} react to a sign-out in another tab */
export const onSignOut = (react) => addEventListener('storage', ({ key }) => key === signedOut && react())
