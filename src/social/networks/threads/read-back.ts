import { mediaTypeOf, readContainerBack } from '../graph/read-back.ts'
import type { PublishCall, ReadBack } from '../network.ts'
import { api } from './api.ts'

/** Only posts are listed: to read replies, people would have to grant more. */
export function readBack(call: PublishCall): Promise<ReadBack> {
  const mediaType = mediaTypeOf(call.media)
  const listing = {
    path: '/me/threads',
    fields: 'id,text,media_type,permalink,timestamp',
    isSame: ({ text = '', media_type: type = '' }) => text.trim() === call.text.trim() && type === mediaType,
  }
  return readContainerBack(api, call, { field: 'status', listing: call.replyTo === null ? listing : null })
}
