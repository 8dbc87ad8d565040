import twitter from 'twitter-text'

/** As X counts: links 23, emoji 2, letters of most alphabets 1, all else 2. */
export const countPost = (text: string): number => twitter.parseTweet(text).weightedLength

const shortLink = /https:\/\/t\.co\/\w+/g

/** Without what X changes of a text: the form of links, Unicode, and space at its ends. */
export function comparableText(text: string): string {
  const normal = text.normalize('NFC').trim()
  let comparable = ''
  let from = 0
  for (const { url, indices } of twitter.extractUrlsWithIndices(normal)) {
    comparable += `${normal.slice(from, indices[0])}${comparableLink(url)}`
    from = indices[1]
  }
  return comparable + normal.slice(from)
}

interface ShownPost {
  text: string
  links: readonly { url: string; expanded: string }[]
  hasMedia: boolean
}

/** The same of a text as the API returns it: with short links, media linked at the end, and three characters escaped. */
export function comparableShown({ text, links, hasMedia }: ShownPost): string {
  const expanded = new Map(links.map((link) => [link.url, link.expanded]))
  const ownLinks = hasMedia ? text.replace(/\s*https:\/\/t\.co\/\w+$/, '') : text
  return ownLinks
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll(shortLink, (link) => comparableLink(expanded.get(link) ?? link))
    .normalize('NFC')
    .trim()
}

const comparableLink = (link: string): string => link.replace(/^https?:\/\//i, '').replace(/\/$/, '')
