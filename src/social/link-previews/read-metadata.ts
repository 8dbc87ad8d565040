import { sanitizeText, truncate } from '#lib/text.ts'
import { decodeEntities } from './entities.ts'
import { maxDescription, maxTitle } from './input.ts'
import { pickMetadata } from './pick-metadata.ts'

export interface Metadata {
  title: string
  description: string
  imageUrl: string | null
}

/** Names in `property` or `name` of a `meta` element, the preferred ones first. */
const names = {
  title: ['og:title', 'twitter:title'],
  description: ['og:description', 'twitter:description', 'description'],
  imageUrl: ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'],
}

/** Reads Open Graph data, else the title and description of a page. The title is the name of the host where a page has none. */
export function readMetadata(html: string, base: URL): Metadata {
  const found = new Map<string, string>()
  let title = ''
  let hasTitle = false
  new HTMLRewriter()
    .on('meta', {
      element: (meta) => {
        const name = (meta.getAttribute('property') ?? meta.getAttribute('name') ?? '').trim().toLowerCase()
        const content = meta.getAttribute('content')
        if (content && !found.has(name)) found.set(name, content)
      },
    })
    .on('title', {
      text: ({ text, lastInTextNode }) => {
        if (!hasTitle) title += text
        hasTitle ||= lastInTextNode && title !== ''
      },
    })
    .transform(pickMetadata(html))
  const first = (keys: readonly string[]) => clean(keys.map((key) => found.get(key)).find(Boolean) ?? '')
  return {
    title: truncate(first(names.title) || clean(title) || base.host, maxTitle),
    description: truncate(first(names.description), maxDescription),
    imageUrl: imageUrlOf(first(names.imageUrl), base),
  }
}

const clean = (text: string): string => sanitizeText(decodeEntities(text)).replace(/\s+/g, ' ').trim()

function imageUrlOf(address: string, base: URL): string | null {
  const url = address === '' ? null : URL.parse(address, base)
  return url && /^https?:$/.test(url.protocol) && url.href.length <= 2000 ? url.href : null
}
