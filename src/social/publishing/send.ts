import type { Clock } from '#lib/time.ts'
import type { Network, PublishOutcome, Receipt } from '../networks/network.ts'
import type { AttemptEvent } from '../schema.ts'
import type { Attempt, Failure } from './fence.ts'

/** How an attempt ended. */
export type Ending =
  | { kind: 'published'; receipt: Receipt }
  | { kind: 'failed'; failure: Failure }
  /** It may have arrived, and the network can't tell. */
  | { kind: 'unknown'; message: string }
  /** It certainly did not arrive; another attempt may follow. */
  | { kind: 'not_arrived' }
  /** The lease ran out, or this process shuts down: another one goes on. */
  | { kind: 'lost' }

export interface Sending {
  attempt: Attempt
  network: Network
  sandboxUrl: string
  timeoutMs: number
  budgetMs: number
  now: Clock
  /** Aborted when this process shuts down: no further retry begins. */
  stopping: AbortSignal
  /** Whether the lease covers a call that begins now. */
  covers(): Promise<boolean>
  /** The posts of the network that no other post of ours is. */
  unclaimed(receipts: Receipt[]): Promise<Receipt[]>
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
    const outcome = await call(sending)
    note(sending, outcome.kind, outcome.kind === 'published' ? outcome.permalink : outcome.message)
    if (outcome.kind === 'published') return { kind: 'published', receipt: outcome }
    if (outcome.kind === 'unclear') {
      const found = await find(sending, end)
      if (found.kind !== 'not_arrived') return found
    } else if (!outcome.transient) return failed(outcome, false)
    const wait = delay(outcome, round, sending.budgetMs)
    if (performance.now() + wait > end) return failed(outcome, true)
    await pause(wait, sending.stopping)
    if (sending.stopping.aborted) return { kind: 'not_arrived' }
  }
}

async function call({ network, attempt, sandboxUrl, timeoutMs, sending, answered }: Sending): Promise<PublishOutcome> {
  const { payload, externalAccount: account } = attempt
  const answer = network.publish({ ...payload, account, sandboxUrl, signal: AbortSignal.timeout(timeoutMs) })
  sending()
  const outcome = await answer
  answered()
  return outcome
}

/** Asks the network whether the post arrived, until it tells or the time is used up. */
export async function find(sending: Sending, end = performance.now() + sending.budgetMs): Promise<Ending> {
  // What was on its way when the answer was lost gets the time to arrive.
  await Bun.sleep(Math.min(250, sending.timeoutMs / 10))
  for (let round = 0; ; round++) {
    if (!(await sending.covers())) return { kind: 'lost' }
    const { attempt, network, sandboxUrl, timeoutMs } = sending
    const signal = AbortSignal.timeout(timeoutMs)
    const { payload, externalAccount: account, startedAt: since } = attempt
    const answer = await network.readBack({ ...payload, account, sandboxUrl, signal, since })
    if (answer.kind === 'read') {
      const [receipt] = await sending.unclaimed(answer.candidates)
      note(sending, 'read_back', receipt ? `It is there: ${receipt.permalink}` : 'It is not there.')
      return receipt ? { kind: 'published', receipt } : { kind: 'not_arrived' }
    }
    note(sending, 'read_back', answer.message)
    const wait = backoff(round, sending.budgetMs)
    if (answer.final || performance.now() + wait > end) return { kind: 'unknown', message: answer.message }
    await pause(wait, sending.stopping)
    if (sending.stopping.aborted) return { kind: 'lost' }
  }
}

const failed = ({ code, message }: Exclude<PublishOutcome, { kind: 'published' }>, retryable: boolean): Ending => ({
  kind: 'failed',
  failure: { code, message, retryable },
})

const delay = (outcome: PublishOutcome, round: number, budgetMs: number): number =>
  (outcome.kind === 'refused' ? outcome.retryAfterMs : undefined) ?? backoff(round, budgetMs)

/** Doubles from a 90th of the budget (1 s of 90) to a sixth, spread so that lanes don't come back together. */
const backoff = (round: number, budgetMs: number): number =>
  Math.min(2 ** round / 90, 1 / 6) * budgetMs * (0.75 + Math.random() / 2)

function pause(ms: number, stopping: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = () => {
    clearTimeout(timer)
    stopping.removeEventListener('abort', done)
    resolve()
  }
  const timer = setTimeout(done, ms)
  stopping.addEventListener('abort', done)
  if (stopping.aborted) done()
  return promise
}
