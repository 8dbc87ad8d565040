import { truncate } from '#lib/text.ts'
import { prepareContainer } from '../graph/containers.ts'
import type { OutgoingMedia, PrepareCall, Preparation, Refusal } from '../network.ts'
import { api } from './api.ts'

const maxAltCharacters = 1000

const refuse = (code: string, message: string): Refusal => ({ kind: 'refused', code, message, transient: false })

export async function prepare(call: PrepareCall): Promise<Preparation> {
  const { text: caption, media } = call
  const [first, ...others] = media
  if (!first) return refuse('media_missing', 'Instagram needs an image or a video. Add one.')
  const plan = { path: '/me/media', statusField: 'status_code', items: [], isProcessed: true } as const
  if (others.length === 0) {
    const form = { ...formOf(first), ...(isVideo(first) && { media_type: 'REELS' }), caption }
    return prepareContainer(api, call, { ...plan, form })
  }
  const items = media.map((file) => ({
    ...formOf(file),
    ...(isVideo(file) && { media_type: 'VIDEO' }),
    is_carousel_item: 'true',
  }))
  return prepareContainer(api, call, { ...plan, items, form: { media_type: 'CAROUSEL', caption } })
}

const isVideo = ({ contentType }: OutgoingMedia): boolean => contentType.startsWith('video/')

/** Videos have no alternative text on Instagram. */
const formOf = (file: OutgoingMedia): Record<string, string> =>
  isVideo(file)
    ? { video_url: file.url }
    : { image_url: file.url, ...(file.alt && { alt_text: truncate(file.alt, maxAltCharacters) }) }
