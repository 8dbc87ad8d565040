import { z } from 'zod'
import { lostAnswer, refusal } from '../http.ts'
import type { PublishCall, ReadBack, Receipt } from '../network.ts'
import { keptOf } from './instance.ts'
import { ask, Status } from './status.ts'

const Statuses = z.array(Status.extend({ created_at: z.string(), in_reply_to_id: z.string().nullable() }))
type Listed = z.output<typeof Statuses>[number]
const Source = z.object({ text: z.string() })

/** How far the instance's clock may be behind ours, in milliseconds. */
const slack = 60_000

/** The statuses since the attempt began that say the same in the same place, oldest first. */
export async function readBack(call: PublishCall): Promise<ReadBack> {
  try {
    const { accountId } = keptOf(call.account.metadata)
    const response = await ask(
      call,
      `/api/v1/accounts/${encodeURIComponent(accountId)}/statuses?limit=40&exclude_reblogs=true`,
    )
    if (!response.ok) return await unreadable(response)
    const since = call.startedAt.getTime() - slack
    const near = Statuses.parse(await response.json())
      .filter((status) => Date.parse(status.created_at) >= since && status.in_reply_to_id === call.replyTo)
      .toReversed()
    const candidates: Receipt[] = []
    for (const status of near) if (await saysThis(call, status)) candidates.push(receiptOf(call, status))
    return { kind: 'read', candidates }
  } catch (error) {
    return { kind: 'unreadable', message: lostAnswer('Mastodon', error).message, final: false }
  }
}

/** A status comes as HTML; its source is what was sent. */
async function saysThis(call: PublishCall, { id }: Listed): Promise<boolean> {
  const response = await ask(call, `/api/v1/statuses/${encodeURIComponent(id)}/source`)
  if (response.status === 404) return false
  const { text } = Source.parse(await response.json())
  return text.trim() === call.text.trim()
}

/** Where a status stands, for people. */
export const receiptOf = (
  { account }: Pick<PublishCall, 'account'>,
  { id, url }: { id: string; url: string | null },
): Receipt => ({
  platformPostId: id,
  permalink: url ?? new URL(`/web/statuses/${encodeURIComponent(id)}`, keptOf(account.metadata).origin).href,
})

async function unreadable(response: Response): Promise<ReadBack> {
  const { message } = await refusal('Mastodon', response)
  return { kind: 'unreadable', message, final: [401, 403, 404].includes(response.status) }
}
