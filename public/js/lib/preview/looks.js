/**
 * How a network shows a post. Where a text is cut differs a little between its apps, and networks change it without notice.
 * @typedef {{
 *   grid: 'mosaic' | 'top' | 'squares' | 'carousel' | 'strip',
 *   cut?: { characters: number, lines: number, label: string },
 *   mentions: RegExp | null,
 *   hashtags: 'all' | 'first' | 'none',
 *   links: 'full' | 'short' | 'plain',
 *   card: boolean, alt: boolean, mediaFirst: boolean
 * }} Look
 */

const handle = /(?<![\p{L}\p{N}_@/.])@[\p{L}\p{N}_.]*[\p{L}\p{N}_]/u
/** With a domain. */
const atDomain = /(?<![\p{L}\p{N}_@/.])@[a-z0-9-]+(?:\.[a-z0-9-]+)+/iu
const ofFediverse = /(?<![\p{L}\p{N}_@/.])@[a-z0-9_]+(?:@[a-z0-9-]+(?:\.[a-z0-9-]+)+)?/iu

/** @type {Look} */
const plain = {
  grid: 'squares',
  mentions: handle,
  hashtags: 'all',
  links: 'full',
  card: false,
  alt: false,
  mediaFirst: false,
}
const linkedin = { ...plain, grid: /** @type {const} */ ('top'), mentions: null, cut: cutAt(210, 3, '…more') }

/** @type {Record<string, Look>} */
const looks = {
  x: { ...plain, grid: 'mosaic', links: 'short', card: true, alt: true, cut: cutAt(280, Infinity, 'Show more') },
  bluesky: { ...plain, grid: 'mosaic', links: 'short', mentions: atDomain, alt: true },
  mastodon: { ...plain, grid: 'mosaic', links: 'short', mentions: ofFediverse, card: true, alt: true },
  threads: { ...plain, grid: 'strip', links: 'short', hashtags: 'first', card: true },
  linkedin,
  'linkedin-page': linkedin,
  facebook: { ...plain, grid: 'top', mentions: null, card: true, cut: cutAt(480, 5, 'See more') },
  instagram: { ...plain, grid: 'carousel', links: 'plain', mediaFirst: true, cut: cutAt(125, 3, 'more') },
  tiktok: { ...plain, grid: 'carousel', links: 'plain', mediaFirst: true, cut: cutAt(100, 2, 'more') },
  youtube: { ...plain, grid: 'carousel', mentions: handle, mediaFirst: true, cut: cutAt(150, 3, '...more') },
  discord: { ...plain, grid: 'mosaic', mentions: null, hashtags: 'none', card: true },
}

/** @param {number} characters @param {number} lines @param {string} label */
function cutAt(characters, lines, label) {
  return { characters, lines, label }
}

/** @param {string | undefined} provider @returns {Look} */
export const lookOf = (provider) => looks[provider ?? ''] ?? plain
