import { z } from 'zod'
import { request } from '../graph/api.ts'
import { interpretRefusal } from '../graph/refusal.ts'
import { classifyFailure } from '../http.ts'
import type { PublishCall, ReadBack } from '../network.ts'
import { api } from './api.ts'

const Listed = z.object({
  id: z.string().regex(/^\d{1,30}$/),
  text: z.string().catch(''),
  media_type: z.string(),
  permalink: z.url(),
})
const List = z.object({
  data: z.array(Listed),
  paging: z
    .object({ cursors: z.object({ after: z.string().optional() }), next: z.string().optional() })
    .optional()
    .catch(undefined),
})

/** How far the clock of Threads can be behind ours. */
const clockSkewMs = 60_000
const maxPages = 5
const pageSize = 100

/** Finds the posts since the attempt began with the same text and kind of media, oldest first. */
export async function readBack(call: PublishCall): Promise<ReadBack> {
  // Only posts are listed: to read replies, people would have to grant more.
  if (call.replyTo !== null)
    return { kind: 'unreadable', message: 'Threads doesn’t list the replies of an account for Atrium.', final: true }
  try {
    const since = String(Math.floor((call.startedAt.getTime() - clockSkewMs) / 1000))
    const query: Record<string, string> = { fields: 'id,text,media_type,permalink', limit: String(pageSize), since }
    const found: z.output<typeof Listed>[] = []
    for (let page = 0; page < maxPages; page++) {
      const response = await request(api, call, '/me/threads', { query })
      if (!response.ok) {
        const outcome = await interpretRefusal(api.name, response)
        const { message } = outcome
        return { kind: 'unreadable', message, final: outcome.kind === 'unauthorized' }
      }
      const { data, paging } = List.parse(await response.json())
      found.push(...data.filter((post) => isSame(call, post)))
      const after = paging?.cursors.after
      if (data.length < pageSize || after === undefined) break
      query['after'] = after
    }
    const candidates = found.toReversed().map(({ id, permalink }) => ({ platformPostId: id, permalink }))
    return { kind: 'read', candidates }
  } catch (error) {
    return { kind: 'unreadable', message: classifyFailure(api.name, error).message, final: false }
  }
}

const isSame = ({ text, media }: PublishCall, post: z.output<typeof Listed>): boolean =>
  post.text.trim() === text.trim() && post.media_type === mediaTypeOf(media)

function mediaTypeOf([first, ...others]: PublishCall['media']): string {
  if (!first) return 'TEXT_POST'
  if (others.length > 0) return 'CAROUSEL_ALBUM'
  return first.contentType.startsWith('video/') ? 'VIDEO' : 'IMAGE'
}
