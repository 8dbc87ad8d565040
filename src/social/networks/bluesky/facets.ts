/** A stretch of a text, in bytes of UTF-8, and what it leads to (app.bsky.richtext.facet). */
export interface Facet {
  index: { byteStart: number; byteEnd: number }
  features: Feature[]
}
type Feature =
  | { $type: 'app.bsky.richtext.facet#link'; uri: string }
  | { $type: 'app.bsky.richtext.facet#mention'; did: string }
  | { $type: 'app.bsky.richtext.facet#tag'; tag: string }

const addresses = /https?:\/\/[^\s<>"]+/gi
const mentions = /(?<=^|[\s(])@((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,})(?![\w-])/gi
const tags = /(?<=^|\s)[#＃]([^\s\p{P}\p{S}\p{Cf}][^\s\p{Cf}]*|_[^\s\p{Cf}]*)/gu

/** The most graphemes and bytes of a tag (app.bsky.richtext.facet#tag). */
const longestTag = 64

/** A mention before its handle was looked up. */
interface Found {
  at: number
  text: string
  feature: Feature
}

/**
 * The links, mentions and hashtags of a text. A mention of a handle that `didOf` doesn't know stays plain text.
 * Bluesky's own library finds the same; it isn't used because it takes a second and 44 MB to load.
 */
export async function facetsOf(text: string, didOf: (handle: string) => Promise<string | null>): Promise<Facet[]> {
  const found = [...linksIn(text), ...tagsIn(text), ...(await mentionsIn(text, didOf))].sort((a, b) => a.at - b.at)
  return found
    .filter(({ at }, index) => found.slice(0, index).every((before) => at >= before.at + before.text.length))
    .map(({ at, text: marked, feature }) => {
      const byteStart = bytes(text.slice(0, at))
      return { index: { byteStart, byteEnd: byteStart + bytes(marked) }, features: [feature] }
    })
}

const bytes = (text: string): number => Buffer.byteLength(text)

const linksIn = (text: string): Found[] =>
  [...text.matchAll(addresses)]
    .map((match) => ({ at: match.index, text: withoutEnd(match[0]) }))
    .filter(({ text: uri }) => URL.canParse(uri))
    .map((link) => ({ ...link, feature: { $type: 'app.bsky.richtext.facet#link', uri: link.text } }))

/** The sentence's own punctuation isn't part of an address; a closing bracket is when the address opened it. */
function withoutEnd(address: string): string {
  const bare = address.replace(/[.,;:!?'…]+$/, '')
  return bare.endsWith(')') && !bare.includes('(') ? withoutEnd(bare.slice(0, -1)) : bare
}

const tagsIn = (text: string): Found[] =>
  [...text.matchAll(tags)]
    .map((match) => ({ at: match.index, text: match[0].replace(/\p{P}+$/u, '') }))
    .filter(({ text: tag }) => /[^#＃\d\p{P}]/u.test(tag) && tag.length <= longestTag + 1)
    .map((tag) => ({ ...tag, feature: { $type: 'app.bsky.richtext.facet#tag', tag: tag.text.slice(1) } }))

async function mentionsIn(text: string, didOf: (handle: string) => Promise<string | null>): Promise<Found[]> {
  const found = [...text.matchAll(mentions)].map((match) => ({ at: match.index, text: match[0] }))
  const handles = [...new Set(found.map((mention) => handleOf(mention.text)))]
  const dids = new Map(await Promise.all(handles.map(async (handle) => [handle, await didOf(handle)] as const)))
  return found.flatMap((mention) => {
    const did = dids.get(handleOf(mention.text))
    return did ? [{ ...mention, feature: { $type: 'app.bsky.richtext.facet#mention' as const, did } }] : []
  })
}

const handleOf = (mention: string): string => mention.slice(1).toLowerCase()
