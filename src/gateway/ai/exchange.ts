import { Problem, retryLater } from '#lib/errors.ts'
import type { Hold } from '../budgets/types.ts'
import type { Breakers } from '../providers/breakers.ts'
import { limitedProblem, type Failure } from '../providers/failure.ts'
import type { UsageRow } from '../usage/insert.ts'
import { attributionOf, type Attribution } from './attribution.ts'
import { affordableOutput, minCost, type Bound } from './bound.ts'
import { findCandidates, type Candidate } from './candidates.ts'
import { attempt } from './attempt.ts'
import { reserve } from './reserve.ts'
import { Timings } from './timings.ts'
import type { AiCall, Inquiry, Reached } from './types.ts'
import { failedRow, suspectRow } from './usage-rows.ts'

export interface Plan {
  attribution: Attribution
  candidates: Candidate[]
}

export async function planExchange(
  call: AiCall,
  { requested, kinds }: Pick<Inquiry<unknown>, 'requested' | 'kinds'>,
): Promise<Plan> {
  const attribution = await attributionOf(call)
  return { attribution, candidates: await findCandidates(call, attribution, { requested, kinds }) }
}

/**
 * Reserves, then tries the candidates in turn until one responds (GTW-12). The hold is released when none does.
 * @throws {Problem} of the budget, or of the last provider
 */
export async function exchange<Item>(call: AiCall, inquiry: Inquiry<Item>): Promise<Reached<Item>> {
  const timings = new Timings(call.context.startedAt)
  const { attribution, candidates } = await planExchange(call, inquiry)
  timings.end('auth')
  const hold = await reserve(call, { attribution, candidates, bound: inquiry.bound })
  timings.end('reserve')
  const billed: UsageRow[] = []
  try {
    return await tryInTurn(call, inquiry, { attribution, candidates, hold, timings, billed })
  } catch (error) {
    await call.budgets.settle(hold, billed)
    throw error
  }
}

interface Turns extends Plan {
  hold: Hold
  timings: Timings
  billed: UsageRow[]
}

async function tryInTurn<Item>(call: AiCall, inquiry: Inquiry<Item>, turns: Turns): Promise<Reached<Item>> {
  const { candidates, hold, timings, billed } = turns
  const { breakers } = call.upstreams
  const waits: Wait[] = []
  let last: Problem | null = null
  for (const [fallbacks, candidate] of candidates.entries()) {
    const { circuit } = candidate
    // Before the circuit is asked: it can throw, and a probe has to have a result. Nor is it a failure of the provider.
    const adapter = inquiry.adapt(candidate)
    const maxOutput = outputFor(candidate, inquiry.bound, hold, billed)
    if (maxOutput === 'unaffordable') continue
    const body = adapter.body(maxOutput)
    const admission = breakers.admit(circuit)
    if (!admission.canCall) {
      waits.push(admission)
      continue
    }
    const startedAt = performance.now()
    const opened = await attempt(call, { candidate, adapter, body, streams: inquiry.streams })
    if (opened.kind !== 'failed') {
      breakers.succeed(circuit)
      timings.end(inquiry.streams ? 'first-byte' : 'upstream')
      const firstByteMs = performance.now() - startedAt
      return {
        ...opened,
        exchange: { ...turns, call, inquiry, candidate, fallbacks, maxOutput, startedAt, firstByteMs },
      }
    }
    const { failure, wasAccepted } = opened
    const facts = {
      requestId: call.request.id,
      before: billed.length,
      at: call.now(),
      latencyMs: performance.now() - startedAt,
    }
    const row = wasAccepted
      ? suspectRow(facts, turns, candidate, inquiry.bound)
      : failedRow(facts, turns, candidate, failure)
    billed.push(row)
    noteFailure(breakers, circuit, failure)
    if (!failure.retryable) throw failure.problem
    if (failure.limitedMs === null) last = failure.problem
    else waits.push({ limited: true, retryAfterMs: failure.limitedMs })
  }
  throw last ?? unavailable(waits)
}

/** Tokens of output that the rest of the hold pays for; null where no budget is enforced. */
function outputFor(
  { model, price }: Candidate,
  bound: Bound,
  hold: Hold,
  billed: readonly UsageRow[],
): number | null | 'unaffordable' {
  if (!hold.enforced || !price) return null
  const left = billed.reduce((rest, { costNanoUsd }) => rest - costNanoUsd, hold.grantedNanoUsd)
  // Only after an attempt that can have been billed: the hold is enough for each model alone.
  if ((minCost({ model, price }, bound) ?? left) > left) return 'unaffordable'
  return Math.max(affordableOutput({ model, price }, bound, left), 1)
}

function noteFailure(breakers: Breakers, circuit: string, { limitedMs, retryable }: Failure): void {
  if (limitedMs !== null) breakers.limit(circuit, limitedMs)
  else if (retryable) breakers.fail(circuit)
  // A refused request says that the provider works.
  else breakers.succeed(circuit)
}

interface Wait {
  limited: boolean
  retryAfterMs: number
}

/** No model was called, or all have reached their rate limits: 429 with the soonest of these, never a 500. */
function unavailable(waits: readonly Wait[]): Problem {
  const limited = waits.filter((wait) => wait.limited)
  const soonest = Math.min(...(limited.length > 0 ? limited : waits).map(({ retryAfterMs }) => retryAfterMs))
  if (limited.length > 0) return limitedProblem(soonest)
  const detail = 'The model failed repeatedly, so it isn’t called for a moment. Try again later.'
  return retryLater(503, 'provider_unavailable', detail, { retryAfter: Math.ceil(soonest / 1000) })
}
