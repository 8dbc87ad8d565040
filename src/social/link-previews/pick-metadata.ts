/** Of tags that are looked at in one page. */
const maxTags = 2_000
/** Characters of one `meta` tag. */
const maxTag = 8_192
/** Of `meta` tags that are longer. */
const maxLong = 10

/**
 * The `meta` and `title` elements of a page, without those in comments, scripts, styles and drawings. Parsers that know which
 * elements are open take minutes for a hostile page; this takes time in proportion to its length.
 */
export function pickMetadata(html: string): string {
  const openings = /<(meta|title|svg|math|script|style)(?=[\s/>])|<!--/gi
  const picked: string[] = []
  let long = 0
  for (let count = 0; count < maxTags; count++) {
    const found = openings.exec(html)
    if (!found) break
    const name = found[1]?.toLowerCase()
    const from = openings.lastIndex
    const tag = name === undefined ? null : endOfTag(html, from)
    if (name === 'meta') {
      if (tag === null && (long += 1) > maxLong) break
      if (tag === null) continue
      picked.push(html.slice(found.index, tag))
      openings.lastIndex = tag
    } else {
      const isEmpty = (name === 'svg' || name === 'math') && tag !== null && html.charAt(tag - 2) === '/'
      const end = isEmpty ? tag : endOfElement(html, name, from)
      if (end === null) break
      if (name === 'title') picked.push(html.slice(found.index, end))
      openings.lastIndex = end
    }
  }
  return picked.join('')
}

/** After its `>`, which can also be in a quoted value; null when it is too long. */
function endOfTag(html: string, from: number): number | null {
  let quote = ''
  let isValue = false
  for (let at = from; at < html.length && at < from + maxTag; at++) {
    const character = html.charAt(at)
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '>') return at + 1
    else if (isValue && (character === '"' || character === "'")) quote = character
    if (character > ' ') isValue = character === '='
  }
  return null
}

const ends: Readonly<Record<string, RegExp>> = {
  title: /<\/title[^>]{0,100}>/gi,
  svg: /<\/svg[^>]{0,100}>/gi,
  math: /<\/math[^>]{0,100}>/gi,
  script: /<\/script[^>]{0,100}>/gi,
  style: /<\/style[^>]{0,100}>/gi,
}

function endOfElement(html: string, name: string | undefined, from: number): number | null {
  const end = new RegExp((name && ends[name]) || /-->/g)
  end.lastIndex = from
  return end.exec(html) ? end.lastIndex : null
}
