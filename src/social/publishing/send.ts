import type { Clock } from '#lib/time.ts'
import type {
  Account,
  Network,
  OutgoingMedia,
  PublishCall,
  PublishOutcome,
  Receipt,
  Renewal,
} from '../networks/network.ts'
import type { Outside } from '../networks/outside.ts'
import type { AttemptEvent } from '../schema.ts'
import type { Attempt, Failure } from './attempt.ts'

/** How an attempt ended. */
export type Ending =
  | { kind: 'published'; receipt: Receipt }
  | { kind: 'failed'; failure: Failure }
  /** It may have arrived, and the network can't tell. */
  | { kind: 'unknown'; message: string }
  /** It certainly did not arrive; another attempt may follow. */
  | { kind: 'not_arrived' }
  /** It did not arrive: the network takes no posts of this account, or of any at its host, for so long. */
  | { kind: 'throttled'; waitMs: number; limitOf: 'account' | 'host' }
  /** The lease ran out, or this process shuts down: another one goes on. */
  | { kind: 'lost' }

export interface Sending {
  attempt: Attempt
  network: Network
  account: Account
  media: readonly OutgoingMedia[]
  outside: Outside
  timeoutMs: number
  budgetMs: number
  now: Clock
  /** Aborted when this process shuts down: no further retry begins. */
  stopping: AbortSignal
  /** Waits between two tries, without a place among those that are being sent. */
  rest(ms: number): Promise<void>
  /** Whether the lease covers a call that begins now. */
  covers(): Promise<boolean>
  /** The posts of the network that no other post of ours is. */
  unclaimed(receipts: Receipt[]): Promise<Receipt[]>
  /** Looks for tokens that the network takes instead of those that it just refused. */
  renew(refused: Account, message: string): Promise<Renewal>
  sending(): void
  answered(): void
}

/** What happened inside the attempt, written with its end. */
export const note = ({ attempt, now }: Pick<Sending, 'attempt' | 'now'>, what: string, detail?: string): void => {
  const event: AttemptEvent = { at: now().toISOString(), what, ...(detail && { detail }) }
  attempt.events = [...attempt.events, event]
}

/** Sends until it is there, is refused for good, or the time for retries is used up (SOC-25). */
export async function send(sending: Sending): Promise<Ending> {
  const end = performance.now() + sending.budgetMs
  for (let round = 0; ; round++) {
    if (!(await sending.covers())) return { kind: 'lost' }
    const outcome = await called(sending)
    if (outcome.kind === 'published') return { kind: 'published', receipt: outcome }
    if (outcome.kind === 'unclear') {
      const found = await find(sending, end)
      if (found.kind !== 'not_arrived') return found
    } else if (!outcome.transient) return failed(outcome, outcome.code === 'signed_out')
    else if (outcome.retryAfterMs !== undefined)
      return { kind: 'throttled', waitMs: outcome.retryAfterMs, limitOf: outcome.limitOf ?? 'account' }
    const wait = backoff(round, sending.budgetMs)
    if (performance.now() + wait > end) return failed(outcome, true)
    await sending.rest(wait)
    if (sending.stopping.aborted) return { kind: 'not_arrived' }
  }
}

/** Makes one call, and a second one with new tokens when the network refused the tokens of the first. */
async function called(sending: Sending): Promise<Exclude<PublishOutcome, { kind: 'unauthorized' }>> {
  const first = await call(sending)
  if (first.kind !== 'unauthorized') return first
  const renewal = await sending.renew(sending.account, first.message)
  note(sending, renewal.kind, renewal.kind === 'renewed' ? undefined : renewal.message)
  if (renewal.kind === 'later') return refused('provider_error', renewal.message, true)
  if (renewal.kind === 'signed_out') return signedOut(sending, renewal.message)
  sending.account = { ...sending.account, tokens: renewal.tokens }
  if (!(await sending.covers())) return refused('provider_error', first.message, true)
  const second = await call(sending)
  return second.kind === 'unauthorized' ? refused('provider_refused', second.message, false) : second
}

const refused = (code: string, message: string, transient: boolean) =>
  ({ kind: 'refused', code, message, transient }) as const

const signedOut = ({ network }: Sending, message: string) =>
  refused('signed_out', `${network.name} signed the account out. Reconnect it, then retry. (${message})`, false)

async function call(sending: Sending): Promise<PublishOutcome> {
  const answer = sending.network.publish(callOf(sending))
  sending.sending()
  const outcome = await answer
  sending.answered()
  note(sending, outcome.kind, outcome.kind === 'published' ? outcome.permalink : outcome.message)
  return outcome
}

const callOf = ({ attempt, account, media, outside, timeoutMs }: Sending): PublishCall => ({
  text: attempt.payload.text,
  replyTo: attempt.payload.replyTo,
  key: `${attempt.postId}:${attempt.payloadHash}`,
  media,
  startedAt: attempt.startedAt,
  account,
  outside,
  signal: AbortSignal.timeout(timeoutMs),
})

/** Asks the network whether the post arrived, until it tells or the time is used up. */
export async function find(sending: Sending, end = performance.now() + sending.budgetMs): Promise<Ending> {
  // What was on its way when the answer was lost gets the time to arrive.
  await Bun.sleep(Math.min(250, sending.timeoutMs / 10))
  for (let round = 0; ; round++) {
    if (!(await sending.covers())) return { kind: 'lost' }
    const answer = await sending.network.readBack(callOf(sending))
    if (answer.kind === 'read') {
      const [receipt] = await sending.unclaimed(answer.candidates)
      note(sending, 'read_back', receipt ? `Found: ${receipt.permalink}` : 'Not found.')
      return receipt ? { kind: 'published', receipt } : { kind: 'not_arrived' }
    }
    note(sending, 'read_back', answer.message)
    const wait = backoff(round, sending.budgetMs)
    if (answer.final || performance.now() + wait > end) return { kind: 'unknown', message: answer.message }
    await sending.rest(wait)
    if (sending.stopping.aborted) return { kind: 'lost' }
  }
}

type Failing = Extract<PublishOutcome, { code: string }>

const failed = ({ code, message }: Failing, retryable: boolean): Ending => ({
  kind: 'failed',
  failure: { code, message, retryable },
})

/** Doubles from a 90th of the budget (1 s of 90) to a sixth, spread so that lanes don't come back together. */
const backoff = (round: number, budgetMs: number): number =>
  Math.min(2 ** round / 90, 1 / 6) * budgetMs * (0.75 + Math.random() / 2)
