import { truncate } from '#lib/text.ts'
import { createContainer, waitUntilFinished } from '../graph/containers.ts'
import type { OutgoingMedia, PublishCall } from '../network.ts'
import { NotCreatedError } from '../not-created.ts'
import { api } from './api.ts'

const maxAltCharacters = 1000

/** Nothing of it is public until it is published. @throws NotCreatedError */
export async function prepareContainer(call: PublishCall): Promise<string> {
  const { text: caption, media } = call
  const [first, ...others] = media
  if (!first)
    throw new NotCreatedError({
      kind: 'refused',
      code: 'media_missing',
      message: 'Instagram needs an image or a video. Add one.',
      transient: false,
    })
  if (others.length === 0)
    return create(call, { ...formOf(first), ...(isVideo(first) && { media_type: 'REELS' }), caption })
  const children: string[] = []
  for (const file of media) {
    const form = { ...formOf(file), ...(isVideo(file) && { media_type: 'VIDEO' }), is_carousel_item: 'true' }
    children.push(await createContainer(api, call, '/me/media', form))
  }
  for (const child of children) await waitUntilFinished(api, call, child, 'status_code')
  return create(call, { media_type: 'CAROUSEL', children: children.join(','), caption })
}

async function create(call: PublishCall, form: Record<string, string>): Promise<string> {
  const id = await createContainer(api, call, '/me/media', form)
  await waitUntilFinished(api, call, id, 'status_code')
  return id
}

const isVideo = ({ contentType }: OutgoingMedia): boolean => contentType.startsWith('video/')

/** Videos have no alternative text on Instagram. */
const formOf = (file: OutgoingMedia): Record<string, string> =>
  isVideo(file)
    ? { video_url: file.url }
    : { image_url: file.url, ...(file.alt && { alt_text: truncate(file.alt, maxAltCharacters) }) }
