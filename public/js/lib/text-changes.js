import { diffWords } from './text-diff.js'

/** `1 more post, 2 changed`. @param {string[]} shared @param {string[]} own */
export function describeDifference(shared, own) {
  const extra = own.length - shared.length
  const changed = own.filter((text, at) => at < shared.length && text !== shared[at]).length
  const posts = Math.abs(extra) === 1 ? 'post' : 'posts'
  const more = extra === 0 ? '' : `${Math.abs(extra)} ${extra > 0 ? 'more' : 'fewer'} ${posts}`
  const edited = shared.length === 1 && own.length === 1 ? 'changed' : `${changed} changed`
  return [more, changed > 0 ? edited : ''].filter(Boolean).join(', ')
}

/**
 * Each post of a network that differs from the shared one at its place.
 * @param {string[]} shared
 * @param {string[]} own
 * @param {string} name of the network
 */
export function drawDifference(shared, own, name) {
  const title = document.createElement('small')
  title.textContent = `${name} compared with all networks`
  const posts = Array.from({ length: Math.max(shared.length, own.length) }, (_, at) => {
    const [before, after] = [shared[at], own[at]]
    const number = `Post ${at + 1}`
    if (before === undefined) return paragraph(`${number} is only on ${name}.`)
    if (after === undefined) return paragraph(`${number} of the shared text isn’t on ${name}.`)
    return before === after ? '' : drawPost(before, after)
  })
  return [title, ...posts]
}

/** @param {string} words */
function paragraph(words) {
  const made = document.createElement('p')
  made.className = 'small muted'
  made.textContent = words
  return made
}

const tags = /** @type {const} */ ({ added: 'ins', removed: 'del', same: 'span' })

/** @param {string} before @param {string} after */
function drawPost(before, after) {
  const post = document.createElement('p')
  for (const { kind, text } of diffWords(before, after)) {
    const piece = document.createElement(tags[kind])
    piece.textContent = text
    post.append(piece)
  }
  return post
}
