/** In bytes of UTF-8 (app.bsky.richtext.facet). */
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

/** Graphemes and bytes (app.bsky.richtext.facet#tag). */
const maxTagLength = 64

interface FacetMatch {
  at: number
  text: string
  feature: Feature
}

/** A mention that `resolve` doesn't know stays plain text. Bluesky's own library takes a second and 44 MB to load. */
export async function findFacets(text: string, resolve: (handle: string) => Promise<string | null>): Promise<Facet[]> {
  const found = [...findLinks(text), ...findTags(text), ...(await findMentions(text, resolve))].sort(
    (a, b) => a.at - b.at,
  )
  return found
    .filter(({ at }, index) => found.slice(0, index).every((before) => at >= before.at + before.text.length))
    .map(({ at, text: marked, feature }) => {
      const byteStart = countBytes(text.slice(0, at))
      return { index: { byteStart, byteEnd: byteStart + countBytes(marked) }, features: [feature] }
    })
}

const countBytes = (text: string): number => Buffer.byteLength(text)

const findLinks = (text: string): FacetMatch[] =>
  [...text.matchAll(addresses)]
    .map((match) => ({ at: match.index, text: trimPunctuation(match[0]) }))
    .filter(({ text: uri }) => URL.canParse(uri))
    .map((link) => ({ ...link, feature: { $type: 'app.bsky.richtext.facet#link', uri: link.text } }))

/** Punctuation at the end isn't part of a URL; a closing bracket is, if the URL contains the opening one. */
function trimPunctuation(url: string): string {
  const bare = url.replace(/[.,;:!?'…]+$/, '')
  return bare.endsWith(')') && !bare.includes('(') ? trimPunctuation(bare.slice(0, -1)) : bare
}

const findTags = (text: string): FacetMatch[] =>
  [...text.matchAll(tags)]
    .map((match) => ({ at: match.index, text: match[0].replace(/\p{P}+$/u, '') }))
    .filter(({ text: tag }) => /[^#＃\d\p{P}]/u.test(tag) && tag.length <= maxTagLength + 1)
    .map((tag) => ({ ...tag, feature: { $type: 'app.bsky.richtext.facet#tag', tag: tag.text.slice(1) } }))

async function findMentions(text: string, resolve: (handle: string) => Promise<string | null>): Promise<FacetMatch[]> {
  const found = [...text.matchAll(mentions)].map((match) => ({ at: match.index, text: match[0] }))
  const handles = [...new Set(found.map((mention) => handleOf(mention.text)))]
  const dids = new Map(await Promise.all(handles.map(async (handle) => [handle, await resolve(handle)] as const)))
  return found.flatMap((mention) => {
    const did = dids.get(handleOf(mention.text))
    return did ? [{ ...mention, feature: { $type: 'app.bsky.richtext.facet#mention' as const, did } }] : []
  })
}

const handleOf = (mention: string): string => mention.slice(1).toLowerCase()
