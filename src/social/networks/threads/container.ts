import { truncate } from '#lib/text.ts'
import { prepareContainer } from '../graph/containers.ts'
import type { OutgoingMedia, PrepareCall, Preparation } from '../network.ts'
import { api } from './api.ts'

const maxAltCharacters = 1000

export function prepare(call: PrepareCall): Promise<Preparation> {
  const { text, replyTo, media, linkPreview } = call
  const base = { text, ...(replyTo !== null && { reply_to_id: replyTo }) }
  const [first, ...others] = media
  const plan = { path: '/me/threads', statusField: 'status', items: [], isProcessed: first !== undefined } as const
  if (!first) {
    const link = linkPreview && { link_attachment: linkPreview.url }
    return prepareContainer(api, call, { ...plan, form: { ...base, media_type: 'TEXT', ...link } })
  }
  if (others.length === 0) return prepareContainer(api, call, { ...plan, form: { ...base, ...formOf(first) } })
  const items = media.map((file) => ({ ...formOf(file), is_carousel_item: 'true' }))
  return prepareContainer(api, call, { ...plan, items, form: { ...base, media_type: 'CAROUSEL' } })
}

const formOf = ({ contentType, url, alt }: OutgoingMedia): Record<string, string> => ({
  ...(contentType.startsWith('video/')
    ? { media_type: 'VIDEO', video_url: url }
    : { media_type: 'IMAGE', image_url: url }),
  ...(alt && { alt_text: truncate(alt, maxAltCharacters) }),
})
