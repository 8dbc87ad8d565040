/** @typedef {import('./looks.js').Look} Look */
/** @typedef {{ kind: 'text' | 'link' | 'mention' | 'hashtag', text: string }} Token */

const link = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}'…]/iu
const hashtag = /(?<![\p{L}\p{N}_&/#])#[\p{L}\p{N}_]*\p{L}[\p{L}\p{N}_]*/u
/** Characters that short links have. */
const longestLink = 28

/**
 * The parts of a text that the network turns into links.
 * @param {string} text @param {Pick<Look, 'mentions' | 'hashtags' | 'links'>} look @returns {Token[]}
 */
function tokensOf(text, { mentions, hashtags, links }) {
  const patterns = [`(?<link>${link.source})`, `(?<hashtag>${hashtag.source})`]
  if (mentions) patterns.push(`(?<mention>${mentions.source})`)
  /** @type {Token[]} */
  const tokens = []
  let [at, tags] = [0, 0]
  for (const match of text.matchAll(new RegExp(patterns.join('|'), 'giu'))) {
    const { link: url, hashtag: tag } = match.groups ?? {}
    const kind = url ? 'link' : tag ? 'hashtag' : 'mention'
    const isPlain =
      (kind === 'link' && links === 'plain') ||
      (kind === 'hashtag' && (hashtags === 'none' || (hashtags === 'first' && tags++ > 0)))
    if (isPlain) continue
    if (match.index > at) tokens.push({ kind: 'text', text: text.slice(at, match.index) })
    tokens.push({ kind, text: match[0] })
    at = match.index + match[0].length
  }
  return at < text.length ? [...tokens, { kind: 'text', text: text.slice(at) }] : tokens
}

/** As X, Bluesky, Mastodon and Threads show a link. @param {string} url */
function shortenLink(url) {
  const shown = url.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '')
  return shown.length > longestLink ? `${shown.slice(0, longestLink - 1)}…` : shown
}

/**
 * The beginning that is shown before a reader asks for the rest; null when it is all.
 * @param {string} text @param {Look['cut']} cut
 */
function beginningOf(text, cut) {
  if (!cut) return null
  const lines = text.split('\n')
  const byLines = lines.length > cut.lines ? lines.slice(0, cut.lines).join('\n') : text
  const characters = [...byLines]
  if (characters.length <= cut.characters) return byLines === text ? null : byLines.trimEnd()
  const short = characters.slice(0, cut.characters).join('')
  // Between words, unless one of them is very long.
  const space = short.search(/\s\S*$/)
  return (space > short.length / 2 ? short.slice(0, space) : short).trimEnd()
}

/**
 * @param {string} text @param {Look} look
 * @param {{ isWhole: boolean, expand: () => void }} reading
 */
export function drawText(text, look, { isWhole, expand }) {
  const paragraph = document.createElement('p')
  const beginning = isWhole ? null : beginningOf(text, look.cut)
  paragraph.append(...tokensOf(beginning ?? text, look).map((token) => drawToken(token, look)))
  if (beginning === null || !look.cut) return paragraph
  const more = document.createElement('button')
  Object.assign(more, { type: 'button', className: 'more', textContent: look.cut.label })
  more.addEventListener('click', expand)
  paragraph.append('… ', more)
  return paragraph
}

/** @param {Token} token @param {Look} look */
function drawToken({ kind, text }, { links }) {
  if (kind === 'text') return text
  const drawn = document.createElement('span')
  drawn.dataset.token = kind
  drawn.textContent = kind === 'link' && links === 'short' ? shortenLink(text) : text
  return drawn
}

/** The address of the first link. @param {string} text */
export const firstLink = (text) => link.exec(text)?.[0] ?? null
