import { truncate } from '#lib/text.ts'
import { createContainer, waitUntilFinished } from '../graph/containers.ts'
import type { OutgoingMedia, PublishCall } from '../network.ts'
import { api } from './api.ts'

const maxAltCharacters = 1000

/** Nothing of it is public until it is published. @throws NotCreatedError */
export async function prepareContainer(call: PublishCall): Promise<string> {
  const { text, replyTo, media } = call
  const base = { text, ...(replyTo !== null && { reply_to_id: replyTo }) }
  const [first] = media
  if (media.length > 1) {
    const children: string[] = []
    for (const file of media)
      children.push(await createContainer(api, call, '/me/threads', { ...formOf(file), is_carousel_item: 'true' }))
    for (const child of children) await waitUntilFinished(api, call, child, 'status')
    return create(call, { ...base, media_type: 'CAROUSEL', children: children.join(',') })
  }
  return create(call, { ...base, ...(first ? formOf(first) : { media_type: 'TEXT' }) })
}

async function create(call: PublishCall, form: Record<string, string>): Promise<string> {
  const id = await createContainer(api, call, '/me/threads', form)
  if (form['media_type'] !== 'TEXT') await waitUntilFinished(api, call, id, 'status')
  return id
}

const formOf = ({ contentType, url, alt }: OutgoingMedia): Record<string, string> => ({
  ...(contentType.startsWith('video/')
    ? { media_type: 'VIDEO', video_url: url }
    : { media_type: 'IMAGE', image_url: url }),
  ...(alt && { alt_text: truncate(alt, maxAltCharacters) }),
})
