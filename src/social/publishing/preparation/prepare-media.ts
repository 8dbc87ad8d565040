import type { LimitOf, Preparation, PrepareCall } from '../../networks/network.ts'
import type { Failure } from '../attempt.ts'
import {
  backoffMs,
  callWithRenewal,
  createFailure,
  createPublishCall,
  recordEvent,
  renewAhead,
  type SendContext,
} from '../send.ts'

export type PreparationEnding =
  | { kind: 'ready'; prepared: unknown }
  | { kind: 'processing'; retryAfterMs: number }
  | { kind: 'failed'; failure: Failure }
  | { kind: 'throttled'; waitMs: number; limitOf: LimitOf }
  | { kind: 'waiting'; reason: 'gateway_unavailable' }
  /** The lease ended, the post was edited or this process shuts down: another process continues. */
  | { kind: 'lost' }

interface PrepareContext extends SendContext {
  progress: unknown
  /** @throws LostLeaseError */
  save: PrepareCall['save']
}

export class LostLeaseError extends Error {}

/**
 * Uploads what a post needs before the call that publishes it. The retry budget begins again with each progress, so that a
 * large file has the time that it needs while a network that accepts nothing is left after 90 seconds. An upload that begins
 * again makes progress only beyond where it was before.
 */
export async function prepareMedia(preparing: PrepareContext): Promise<PreparationEnding> {
  const { budgetMs } = preparing
  const attempt = { end: performance.now() + budgetMs, round: 0 }
  let furthest = 0
  let isLost = false
  const save: PrepareCall['save'] = async (progress, percent) => {
    await preparing.save(progress, percent).catch((error: unknown) => {
      isLost ||= error instanceof LostLeaseError
      throw error
    })
    Object.assign(preparing, { progress })
    if (percent === undefined || percent <= furthest) return
    furthest = percent
    Object.assign(attempt, { end: performance.now() + budgetMs, round: 0 })
  }
  for (; ; attempt.round++) {
    await renewAhead(preparing)
    if (!(await preparing.hasLease())) return { kind: 'lost' }
    const outcome = await callWithRenewal(preparing, () => callNetwork(preparing, save))
    if (isLost) return { kind: 'lost' }
    if (outcome.kind !== 'refused') return outcome
    if (!outcome.transient) return createFailure(outcome, outcome.code === 'signed_out')
    if (outcome.retryAfterMs !== undefined)
      return { kind: 'throttled', waitMs: outcome.retryAfterMs, limitOf: outcome.limitOf ?? 'account' }
    const wait = backoffMs(attempt.round, budgetMs)
    if (performance.now() + wait > attempt.end) return createFailure(outcome, true)
    if (!preparing.stopping.aborted) await preparing.rest(wait)
    if (preparing.stopping.aborted) return { kind: 'lost' }
  }
}

async function callNetwork(preparing: PrepareContext, save: PrepareCall['save']): Promise<Preparation> {
  const { network, outside, progress, stopping, timeoutMs } = preparing
  const prepare = network.prepare?.bind(network)
  if (!prepare) return { kind: 'ready', prepared: null }
  const outcome = await prepare({
    ...createPublishCall(preparing),
    outside: { ...outside, fetch: (url, init) => outside.fetch(url, { timeoutMs, ...init }) },
    signal: stopping,
    progress,
    save,
  })
  recordEvent(preparing, outcome.kind, 'message' in outcome ? outcome.message : undefined)
  return outcome
}
