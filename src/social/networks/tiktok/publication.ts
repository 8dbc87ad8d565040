import { z } from 'zod'
import type { Account, NetworkCall, PublishedCall, PublishedCheck, Receipt } from '../network.ts'
import { NotCreatedError } from '../not-created.ts'
import { step } from './api.ts'
import { failedPublication } from './failed-publication.ts'

const PostId = z.union([z.string(), z.number().transform(String)])
const Status = z.object({
  status: z.string(),
  fail_reason: z.string().catch('without a reason'),
  uploaded_bytes: z.number().catch(0),
  publicaly_available_post_id: z.array(PostId).catch([]),
})
export type Publication = z.output<typeof Status>

/** @throws NotCreatedError */
export const getPublication = (call: NetworkCall, publishId: string): Promise<Publication> =>
  step(call, '/v2/post/publish/status/fetch/', { publish_id: publishId }, Status)

export const isPublished = ({ status }: Publication): boolean =>
  status === 'PUBLISH_COMPLETE' || status === 'SEND_TO_USER_INBOX'

const StoredAccount = z.object({ username: z.string() })

/** Only public posts have an ID, once they are published. */
export function receiptOf(
  { metadata }: Account,
  publishId: string,
  { publicaly_available_post_id: [id] }: Pick<Publication, 'publicaly_available_post_id'>,
  kind: 'video' | 'photo',
): Receipt {
  const profile = `https://www.tiktok.com/@${StoredAccount.parse(metadata).username}`
  return id === undefined
    ? { platformPostId: publishId, permalink: profile }
    : { platformPostId: id, permalink: `${profile}/${kind}/${id}` }
}

/** A post that TikTok still processed when it was published is known by its publication. */
export async function checkPublished(call: PublishedCall): Promise<PublishedCheck> {
  if (/^\d+$/.test(call.platformPostId)) return { kind: 'shown' }
  try {
    const publication = await getPublication(call, call.platformPostId)
    if (publication.status === 'FAILED') return failedPublication(publication.fail_reason)
    if (!isPublished(publication)) return { kind: 'processing' }
    const kind = call.platformPostId.startsWith('v_') ? 'video' : 'photo'
    return { kind: 'shown', receipt: receiptOf(call.account, call.platformPostId, publication, kind) }
  } catch (error) {
    if (!(error instanceof NotCreatedError)) throw error
    return error.outcome.kind === 'unauthorized' ? error.outcome : { kind: 'processing' }
  }
}
