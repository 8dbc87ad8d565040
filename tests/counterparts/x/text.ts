const links =
  /https?:\/\/[^\s<>"]+[^\s<>".,;:!?)\]]|\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|app|de|uk|eu|test|example)\b(?:\/\S*)?/gi
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const emoji = /^(?:\p{Extended_Pictographic}|\p{Regional_Indicator}|[#*\d]\uFE0F?\u20E3)/u

/** Ranges of code points that count half, as the configuration of twitter-text has them. */
const light = [
  [0, 4351],
  [8192, 8205],
  [8208, 8223],
  [8242, 8247],
] as const

/** The weighted length: links are 23, emoji 2, letters of most alphabets 1, all else 2. */
export function weightedLength(text: string): number {
  const normal = text.normalize('NFC')
  const found = normal.match(links)?.length ?? 0
  let length = found * 23
  for (const { segment } of segmenter.segment(normal.replaceAll(links, '')))
    if (emoji.test(segment)) length += 2
    else for (const character of segment) length += isLight(character.codePointAt(0) ?? 0) ? 1 : 2
  return length
}

const isLight = (code: number): boolean => light.some(([from, to]) => code >= from && code <= to)

export interface Link {
  start: number
  end: number
  url: string
  expanded_url: string
  display_url: string
}

/** The text as the API returns it: links shortened, media linked at the end, `&`, `<` and `>` escaped. */
export function shortenLinks(text: string, media: string[]): { text: string; links: Link[] } {
  const found: Link[] = []
  const shortened = text.replaceAll(links, (link) => {
    const url = `https://t.co/${shortOf(link)}`
    const expanded_url = link.includes('://') ? link : `http://${link}`
    found.push({ start: 0, end: 0, url, expanded_url, display_url: link.replace(/^https?:\/\//, '') })
    return url
  })
  const whole = media.length > 0 ? `${shortened} https://t.co/${shortOf(media.join())}`.trim() : shortened
  const escaped = whole.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  let from = 0
  for (const link of found) {
    link.start = escaped.indexOf(link.url, from)
    link.end = link.start + link.url.length
    from = link.end
  }
  return { text: escaped, links: found }
}

const shortOf = (link: string): string =>
  new Bun.CryptoHasher('sha256').update(link).digest('base64url').replaceAll(/[-_]/g, 'x').slice(0, 10)
