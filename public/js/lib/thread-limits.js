import { lengthOf } from './text-length.js'

/**
 * The length and limit of the post of a thread that is nearest to its limit, or furthest above it.
 * @param {string[]} texts
 * @param {DOMStringMap} rules of the network’s count
 */
export function fullestPost(texts, { limit, replyLimit = limit, address, counting }) {
  const posts = texts.map((text, at) => ({
    length: lengthOf(text, { address, counting }),
    limit: Number(at === 0 ? limit : replyLimit),
  }))
  const [fullest = { length: 0, limit: Number(limit) }] = posts.toSorted(
    (a, b) => b.length / b.limit - a.length / a.limit,
  )
  return fullest
}

/**
 * What networks don’t accept of the later posts of a thread, as the server says it.
 * @param {HTMLInputElement[]} accounts the chosen ones
 * @param {number[]} images of each post
 */
export function describeThreadLimits(accounts, images) {
  const [, ...later] = images
  if (later.length === 0) return []
  const networks = new Map(accounts.map(({ dataset }) => [dataset.provider, dataset]))
  return [...networks.values()].flatMap(({ name, threads, replyMedia }) => {
    if (threads === undefined) return [`${name} has no threads. Publish these as posts of their own.`]
    const room = Number(replyMedia)
    if (later.every((count) => count <= room)) return []
    return room === 0
      ? [`${name} takes files only in the first post of a thread.`]
      : [`${name} takes at most ${room} files in later posts of a thread.`]
  })
}
