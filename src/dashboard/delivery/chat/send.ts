import type { Provided } from '#lib/call.ts'
import { OutboundError } from '#lib/outbound.ts'
import { problemOfStatus } from '#lib/outgoing-webhooks/attempt.ts'
import { retryAfterOf } from '../retry.ts'
import { bodyOf, formatOf, type ChatItem } from './format.ts'

const timeoutMs = 10_000
const maxAnswer = 64 * 1024
/** The webhook was deleted, or no longer posts. */
const goneStatuses = new Set([401, 403, 404, 410])

export type ChatOutcome =
  | { state: 'sent' }
  /** `gone`: it never succeeds again. `limited`: the service asked to wait. */
  | { state: 'gone' | 'failed'; problem: string }
  | { state: 'limited'; problem: string; seconds: number | null }

/** One message. Outside of a transaction. */
export async function sendToChat(
  { outbound }: Pick<Provided, 'outbound'>,
  url: string,
  items: readonly ChatItem[],
  at: Date,
): Promise<ChatOutcome> {
  const target = new URL(url)
  try {
    const response = await outbound.fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(bodyOf(formatOf(target), items)),
      redirect: 'manual',
      timeoutMs,
      maxBytes: maxAnswer,
    })
    return outcomeOf(target, response, at)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { state: 'failed', problem: error.message }
  }
}

function outcomeOf({ host }: URL, response: Response, at: Date): ChatOutcome {
  const { status } = response
  if (status >= 200 && status < 300) return { state: 'sent' }
  const problem = problemOfStatus(status) ?? `${host} responded with ${status}.`
  if (goneStatuses.has(status))
    return { state: 'gone', problem: `${problem} The webhook was deleted there, or can’t post.` }
  if (status === 429) return { state: 'limited', problem, seconds: retryAfterOf(response, at) }
  return { state: 'failed', problem }
}
