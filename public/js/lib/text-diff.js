/** @typedef {{ kind: 'same' | 'added' | 'removed', text: string }} Piece */

/** Cells of the table in which common words are found: longer texts are compared as a whole. */
const maxCells = 1_000_000

/**
 * The words that were added to a text and removed from it.
 * @param {string} before
 * @param {string} after
 * @returns {Piece[]}
 */
export function diffWords(before, after) {
  const [old, now] = [wordsOf(before), wordsOf(after)]
  let start = 0
  while (start < Math.min(old.length, now.length) && old[start] === now[start]) start++
  let end = 0
  while (end < Math.min(old.length, now.length) - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const same = (/** @type {string[]} */ words) => words.map((text) => /** @type {const} */ ({ kind: 'same', text }))
  return join([
    ...same(now.slice(0, start)),
    ...compare(old.slice(start, old.length - end), now.slice(start, now.length - end)),
    ...same(now.slice(now.length - end)),
  ])
}

/** Words and what is between them. @param {string} text */
const wordsOf = (text) => text.match(/\s+|[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? []

/** By the longest common subsequence. @param {string[]} old @param {string[]} now @returns {Piece[]} */
function compare(old, now) {
  if (old.length * now.length > maxCells)
    return [
      { kind: 'removed', text: old.join('') },
      { kind: 'added', text: now.join('') },
    ]
  const width = now.length + 1
  const lengths = new Uint32Array((old.length + 1) * width)
  const lengthAt = (/** @type {number} */ i, /** @type {number} */ j) => lengths[i * width + j] ?? 0
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = now.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        old[i] === now[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1))
  /** @type {Piece[]} */
  const pieces = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    const [removed = '', added = ''] = [old[i], now[j]]
    if (i < old.length && j < now.length && removed === added) {
      pieces.push({ kind: 'same', text: added })
      i++
      j++
    } else if (j >= now.length || (i < old.length && lengthAt(i + 1, j) >= lengthAt(i, j + 1))) {
      pieces.push({ kind: 'removed', text: removed })
      i++
    } else {
      pieces.push({ kind: 'added', text: added })
      j++
    }
  }
  return pieces
}

/** Neighbours of one kind as one piece. @param {Piece[]} pieces @returns {Piece[]} */
const join = (pieces) =>
  pieces.reduce((/** @type {Piece[]} */ joined, { kind, text }) => {
    const last = joined.at(-1)
    if (last?.kind !== kind) return [...joined, { kind, text }]
    last.text += text
    return joined
  }, [])
