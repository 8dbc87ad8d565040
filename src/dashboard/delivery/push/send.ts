import { generateRequestDetails } from 'web-push'
import type { JobDependencies } from '#lib/job.ts'
import { mailFrom } from '#lib/mail.ts'
import { OutboundError } from '#lib/outbound.ts'
import { retryAfterOf } from '../retry.ts'
import type { PushSubscriptionDraft } from './contract.ts'
import type { Message } from './payload.ts'

/** Seconds that a push service keeps a message for a browser that is away. */
const ttlSeconds = 24 * 60 * 60
const timeoutMs = 10_000
const maxAnswer = 64 * 1024

export type PushOutcome =
  | { state: 'sent' }
  | { state: 'gone' }
  | { state: 'refused'; problem: string }
  | { state: 'later'; problem: string; seconds: number | null }

interface Keys {
  publicKey: string
  privateKey: string
}

/** Encrypted for the browser (RFC 8291) and signed with VAPID (RFC 8292). Outside of a transaction. */
export async function sendMessage(
  { outbound, config, now }: JobDependencies,
  { endpoint, keys }: PushSubscriptionDraft,
  vapid: Keys,
  { payload, urgent }: Pick<Message, 'payload'> & { urgent: boolean },
): Promise<PushOutcome> {
  const details = generateRequestDetails({ endpoint, keys }, JSON.stringify(payload), {
    vapidDetails: { subject: subjectOf(config), ...vapid },
    TTL: ttlSeconds,
    urgency: urgent ? 'high' : 'normal',
    contentEncoding: 'aes128gcm',
  })
  try {
    const response = await outbound.fetch(details.endpoint, {
      method: 'POST',
      headers: details.headers,
      body: new Uint8Array(details.body),
      redirect: 'manual',
      timeoutMs,
      maxBytes: maxAnswer,
    })
    return outcomeOf(response, now())
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return { state: 'later', problem: error.message, seconds: null }
  }
}

function outcomeOf(response: Response, at: Date): PushOutcome {
  const { status } = response
  if (status >= 200 && status < 300) return { state: 'sent' }
  if (status === 404 || status === 410) return { state: 'gone' }
  const problem = `The push service responded with ${status}.`
  if (status === 429 || status >= 500) return { state: 'later', problem, seconds: retryAfterOf(response, at) }
  return { state: 'refused', problem }
}

/** How the operators of push services reach the operator of this server. */
function subjectOf(config: JobDependencies['config']): string {
  const from = mailFrom(config)
  return `mailto:${/<([^>]+)>/.exec(from)?.[1] ?? from}`
}
