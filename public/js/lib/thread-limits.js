import { lengthOf } from './text-length.js'

/**
 * The length and limit of the post of a thread that is nearest to its limit, or furthest above it, for the account that
 * is the strictest about it.
 * @param {string[]} texts
 * @param {HTMLInputElement[]} accounts of one network
 */
export function fullestPost(texts, accounts) {
  const rules = new Map(accounts.map(({ dataset }) => [rulesOf(dataset), dataset]))
  const posts = [...rules.values()].flatMap(({ limit, replyLimit = limit, address, counting, label = '' }) =>
    texts.map((text, at) => ({
      length: lengthOf(text, { address, counting }),
      limit: Number(at === 0 ? limit : replyLimit),
      // Which account it is matters where they differ.
      label: rules.size > 1 ? label : '',
    })),
  )
  const [fullest = { length: 0, limit: 0, label: '' }] = posts.toSorted(
    (a, b) => b.length / b.limit - a.length / a.limit || a.limit - b.limit,
  )
  return fullest
}

/** @param {DOMStringMap} account */
const rulesOf = ({ limit, replyLimit, address, counting }) => [limit, replyLimit, address, counting].join(' ')

/**
 * What networks don’t accept of the later posts of a thread, as the server says it.
 * @param {HTMLInputElement[]} accounts the chosen ones
 * @param {(provider: string | undefined) => number[]} imagesFor the images of each post for a network
 */
export function describeThreadLimits(accounts, imagesFor) {
  const networks = Map.groupBy(accounts, ({ dataset }) => dataset.name)
  return [...networks].flatMap(([name, ofNetwork]) => {
    const [, ...later] = imagesFor(ofNetwork[0]?.dataset.provider)
    if (later.length === 0) return []
    if (ofNetwork.some(({ dataset }) => dataset.threads === undefined))
      return [`${name} has no threads. Publish these as posts of their own.`]
    const room = Math.min(...ofNetwork.map(({ dataset }) => Number(dataset.replyMedia)))
    if (later.every((count) => count <= room)) return []
    return room === 0
      ? [`${name} takes files only in the first post of a thread.`]
      : [`${name} takes at most ${room} ${room === 1 ? 'file' : 'files'} in later posts of a thread.`]
  })
}
