import type { Clock } from '#lib/time.ts'
import type {
  Account,
  LimitOf,
  Network,
  OutgoingLink,
  OutgoingMedia,
  PublishCall,
  PublishOutcome,
  Receipt,
  Refusal,
  Renewal,
  Unauthorized,
  VideoAccess,
} from '../networks/network.ts'
import type { Outside } from '../networks/outside.ts'
import type { AttemptEvent } from '../schema.ts'
import type { Failure, Outgoing } from './attempt.ts'

export type Ending =
  /** `closedForMs`: the account’s rate limit is used up for so long. `isShown`: the network can’t refuse it any more. */
  | { kind: 'published'; receipt: Receipt; closedForMs?: number; isShown?: true }
  | { kind: 'failed'; failure: Failure }
  /** It may have arrived: the network can't be asked. */
  | { kind: 'unknown'; message: string }
  /** It certainly did not arrive. Another attempt can follow. */
  | { kind: 'not_arrived' }
  /** It did not arrive: the network accepts no posts of this account, or of any at its host, for `waitMs`. */
  | { kind: 'throttled'; waitMs: number; limitOf: LimitOf }
  /** It did not arrive: the account's tokens can't be refreshed while the gateway is unavailable. */
  | { kind: 'waiting'; reason: 'gateway_unavailable' }
  /** The lease expired or this process shuts down: another process continues. */
  | { kind: 'lost' }

export interface SendContext {
  attempt: Outgoing
  network: Network
  account: Account
  /** Of the account’s tokens. */
  expiresAt: Date | null
  media: readonly OutgoingMedia[]
  linkPreview: OutgoingLink | null
  /** What the network prepared; null for nothing. */
  prepared: unknown
  outside: Outside
  video: VideoAccess
  timeoutMs: number
  budgetMs: number
  now: Clock
  stopping: AbortSignal
  /** Waits between two calls, and releases the slot in the meantime. */
  rest(ms: number): Promise<void>
  hasLease(): Promise<boolean>
  /** The network's posts that are no other post of Atrium. */
  filterUnclaimed(receipts: Receipt[]): Promise<Receipt[]>
  renewTokens(refused: Account, message: string): Promise<Renewal>
  onSending(): void
  onResponse(): void
}

/** Records an event of the attempt, which is written when the attempt is settled. */
export const recordEvent = (
  { attempt, now }: Pick<SendContext, 'attempt' | 'now'>,
  what: string,
  detail?: string,
): void => {
  const event: AttemptEvent = { at: now().toISOString(), what, ...(detail && { detail }) }
  attempt.events = [...attempt.events, event]
}

/** Calls the network until the post is published or refused for good, or the time for retries is over (SOC-25). */
export async function send(sending: SendContext): Promise<Ending> {
  const end = performance.now() + sending.budgetMs
  let wasUnclear = false
  for (let round = 0; ; round++) {
    await renewAhead(sending)
    if (!(await sending.hasLease())) return { kind: 'lost' }
    const outcome = await callWithRenewal(sending, callNetwork)
    if (outcome.kind === 'published') {
      const { closedForMs, isShown, ...receipt } = outcome
      return {
        kind: 'published',
        receipt,
        ...(closedForMs !== undefined && { closedForMs }),
        ...(isShown && { isShown }),
      }
    }
    if (outcome.kind === 'waiting') return outcome
    if (outcome.kind === 'unclear') {
      wasUnclear = true
      const found = await reconcile(sending, end)
      if (found.kind !== 'not_arrived') return found
    } else if (wasUnclear && outcome.code === 'duplicate_content') return reconcileDuplicate(sending, outcome)
    else if (!outcome.transient) return createFailure(outcome, outcome.code === 'signed_out')
    else if (outcome.retryAfterMs !== undefined)
      return { kind: 'throttled', waitMs: outcome.retryAfterMs, limitOf: outcome.limitOf ?? 'account' }
    const wait = backoffMs(round, sending.budgetMs)
    if (performance.now() + wait > end) return createFailure(outcome, true)
    await sending.rest(wait)
    if (sending.stopping.aborted) return { kind: 'not_arrived' }
  }
}

/** The first call arrived, although the network didn’t list the post yet when it was read back. */
async function reconcileDuplicate(sending: SendContext, { message }: Refusal): Promise<Ending> {
  const found = await reconcile(sending)
  return found.kind === 'not_arrived' ? { kind: 'unknown', message } : found
}

/** Without `unauthorized`: the call is repeated with new tokens, or refused. */
export async function callWithRenewal<Outcome extends { kind: string }>(
  sending: SendContext,
  call: (sending: SendContext) => Promise<Outcome | Unauthorized>,
): Promise<Outcome | Refusal | Extract<Ending, { kind: 'waiting' }>> {
  const first = await call(sending)
  if (!isUnauthorized(first)) return first
  const renewal = await sending.renewTokens(sending.account, first.message)
  recordEvent(sending, renewal.kind, renewal.kind === 'renewed' ? undefined : renewal.message)
  if (renewal.kind === 'later' && renewal.waitsFor) return { kind: 'waiting', reason: 'gateway_unavailable' }
  if (renewal.kind === 'later') return createRefusal('provider_error', renewal.message, true)
  if (renewal.kind === 'signed_out') return createSignedOutRefusal(sending, renewal.message)
  sending.account = { ...sending.account, tokens: renewal.tokens }
  if (!(await sending.hasLease())) return createRefusal('provider_error', first.message, true)
  const second = await call(sending)
  return isUnauthorized(second) ? createRefusal('provider_refused', second.message, false) : second
}

const isUnauthorized = (outcome: { kind: string }): outcome is Unauthorized => outcome.kind === 'unauthorized'

/**
 * Tokens that are about to expire can do so during an upload. Without new ones, the network decides on the old ones. It can
 * take longer than a lease, so the lease is checked after it.
 */
const aheadMs = 5 * 60_000

export async function renewAhead(sending: SendContext): Promise<void> {
  const { account, expiresAt, network, now } = sending
  if (!network.renew || !expiresAt || expiresAt.getTime() - now().getTime() > aheadMs) return
  // Until they expire, tokens that can't be refreshed are accepted.
  if (network.connect.by === 'authorize' && account.tokens['refresh'] === undefined) return
  const renewal = await sending.renewTokens(account, `${network.name} no longer accepts the account’s token.`)
  recordEvent(sending, renewal.kind, renewal.kind === 'renewed' ? 'Ahead of expiry.' : renewal.message)
  if (renewal.kind !== 'renewed') return
  sending.account = { ...account, tokens: renewal.tokens }
  sending.expiresAt = null
}

const createRefusal = (code: string, message: string, transient: boolean): Refusal => ({
  kind: 'refused',
  code,
  message,
  transient,
})

const createSignedOutRefusal = ({ network }: SendContext, message: string) =>
  createRefusal('signed_out', `${network.name} signed the account out. Reconnect it, then retry. (${message})`, false)

async function callNetwork(sending: SendContext): Promise<PublishOutcome> {
  const answer = sending.network.publish(createPublishCall(sending))
  sending.onSending()
  const outcome = await answer
  sending.onResponse()
  const detail =
    outcome.kind === 'published' ? outcome.permalink : 'message' in outcome ? outcome.message : outcome.reason
  recordEvent(sending, outcome.kind, detail)
  return outcome
}

export const createPublishCall = ({
  attempt,
  account,
  media,
  linkPreview,
  prepared,
  outside,
  video,
  timeoutMs,
}: SendContext): PublishCall => ({
  text: attempt.payload.text,
  replyTo: attempt.payload.replyTo,
  key: `${attempt.postId}:${attempt.payloadHash}`,
  media,
  linkPreview,
  youtube: attempt.payload.youtube ?? null,
  video,
  prepared,
  startedAt: attempt.startedAt,
  account,
  outside,
  signal: AbortSignal.timeout(timeoutMs),
})

export async function reconcile(sending: SendContext, end = performance.now() + sending.budgetMs): Promise<Ending> {
  // A request that was under way when the response was lost gets time to arrive.
  await Bun.sleep(Math.min(250, sending.timeoutMs / 10))
  for (let round = 0; ; round++) {
    await renewAhead(sending)
    if (!(await sending.hasLease())) return { kind: 'lost' }
    const answer = await sending.network.readBack(createPublishCall(sending))
    if (answer.kind === 'read') {
      const [receipt] = await sending.filterUnclaimed(answer.candidates)
      recordEvent(sending, 'read_back', receipt ? `Found: ${receipt.permalink}` : 'Not found.')
      return receipt ? { kind: 'published', receipt } : { kind: 'not_arrived' }
    }
    recordEvent(sending, 'read_back', answer.message)
    const wait = backoffMs(round, sending.budgetMs)
    if (answer.final || performance.now() + wait > end) return { kind: 'unknown', message: answer.message }
    await sending.rest(wait)
    if (sending.stopping.aborted) return { kind: 'lost' }
  }
}

type FailedOutcome = Extract<PublishOutcome, { code: string }>

export const createFailure = (
  { code, message }: FailedOutcome,
  retryable: boolean,
): Extract<Ending, { kind: 'failed' }> => ({
  kind: 'failed',
  failure: { code, message, retryable },
})

/** Doubles from 1/90 of the budget (1 s of 90 s) to 1/6, with jitter so that lanes don't retry together. */
export const backoffMs = (round: number, budgetMs: number): number =>
  Math.min(2 ** round / 90, 1 / 6) * budgetMs * (0.75 + Math.random() / 2)
