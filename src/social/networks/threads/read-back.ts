import { mediaTypeOf, readRecent } from '../graph/read-back.ts'
import type { PublishCall, ReadBack } from '../network.ts'
import { api } from './api.ts'

/** Only posts are listed: to read replies, people would have to grant more. */
export async function readBack(call: PublishCall): Promise<ReadBack> {
  if (call.replyTo !== null)
    return { kind: 'unreadable', message: 'Threads doesn’t list the replies of an account for Atrium.', final: true }
  const mediaType = mediaTypeOf(call.media)
  return readRecent(api, call, {
    path: '/me/threads',
    fields: 'id,text,media_type,permalink,timestamp',
    isSame: ({ text = '', media_type: type }) => text.trim() === call.text.trim() && type === mediaType,
  })
}
