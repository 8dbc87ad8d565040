import { Problem, retryLater } from '#lib/errors.ts'
import type { Hold } from '../budgets/types.ts'
import type { Breakers } from '../providers/breakers.ts'
import { limitedProblem, type Failure } from '../providers/failure.ts'
import type { UsageRow } from '../usage/insert.ts'
import { attributionOf, type Attribution } from './attribution.ts'
import { affordableOutput, type Bound } from './bound.ts'
import { defaultOutput } from '../providers/output.ts'
import { findCandidates, type Candidate } from './candidates.ts'
import { attempt } from './attempt.ts'
import { maxHoldNanoUsd, reserve } from './reserve.ts'
import { Timings } from './timings.ts'
import type { AiCall, Inquiry, Reached } from './types.ts'
import { failedRow, lostRow } from './usage-rows.ts'

export interface Plan {
  attribution: Attribution
  candidates: readonly Candidate[]
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
  const { attribution, candidates: planned } = await planExchange(call, inquiry)
  timings.end('auth')
  const turns = new Turns(call, inquiry, attribution)
  const candidates = await turns.holdFor(planned)
  timings.end('reserve')
  try {
    return await tryInTurn(turns, candidates, timings)
  } catch (error) {
    await turns.settle()
    throw error
  }
}

/** The holds of a call’s attempts, one after the other, and what they have cost. */
class Turns<Item> {
  readonly call: AiCall
  readonly inquiry: Inquiry<Item>
  readonly attribution: Attribution
  #hold: Hold | null = null
  #rows: UsageRow[] = []
  #rowsBefore = 0

  constructor(call: AiCall, inquiry: Inquiry<Item>, attribution: Attribution) {
    this.call = call
    this.inquiry = inquiry
    this.attribution = attribution
  }

  get hold(): Hold {
    if (!this.#hold) throw new Error('Nothing was reserved')
    return this.#hold
  }

  get billed(): readonly UsageRow[] {
    return this.#rows
  }

  get nextRequestId(): string {
    const before = this.#rowsBefore + this.#rows.length
    return before === 0 ? this.call.request.id : `${this.call.request.id}/${before + 1}`
  }

  add(row: UsageRow): void {
    this.#rows.push(row)
  }

  /** Those that the hold is for. */
  async holdFor(candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
    const { attribution, inquiry, nextRequestId: requestId } = this
    const reserved = await reserve(this.call, { attribution, candidates, bound: inquiry.bound, requestId })
    this.#hold = reserved.hold
    return reserved.candidates
  }

  async settle(): Promise<void> {
    if (!this.#hold) return
    const [hold, rows] = [this.#hold, this.#rows]
    this.#hold = null
    this.#rows = []
    this.#rowsBefore += rows.length
    await this.call.budgets.settle(hold, rows)
  }
}

async function tryInTurn<Item>(
  turns: Turns<Item>,
  planned: readonly Candidate[],
  timings: Timings,
): Promise<Reached<Item>> {
  const { call, inquiry, attribution } = turns
  const { organizationId } = attribution
  const { breakers } = call.upstreams
  const waits: Wait[] = []
  let last: Problem | null = null
  let left = [...planned]
  let fallbacks = -1
  for (let candidate = left.shift(); candidate; candidate = left.shift()) {
    fallbacks += 1
    const { circuit } = candidate
    // Before the circuit is asked: it can throw, and a probe has to have a result. Nor is it a failure of the provider.
    const adapter = inquiry.adapt(candidate)
    const maxOutput = outputFor(candidate, inquiry.bound, turns.hold)
    const body = adapter.body(maxOutput)
    const admission = breakers.admit(circuit)
    if (!admission.canCall) {
      waits.push(admission)
      continue
    }
    const startedAt = performance.now()
    const opened = await attempt(call, { organizationId, candidate, adapter, body, streams: inquiry.streams })
    const attempted = { call, inquiry, attribution, candidate, fallbacks, maxOutput, startedAt }
    const { hold, billed, nextRequestId: requestId } = turns
    if (opened.kind !== 'failed') {
      breakers.succeed(circuit)
      timings.end(inquiry.streams ? 'first-byte' : 'upstream')
      const firstByteMs = performance.now() - startedAt
      return { ...opened, exchange: { ...attempted, hold, billed, requestId, timings, firstByteMs } }
    }
    const { failure } = opened
    if (failure.isOurs) {
      breakers.abandon(circuit)
      if (!failure.retryable) throw failure.problem
      last = failure.problem
      continue
    }
    const failed = { ...attempted, hold, requestId }
    turns.add(failure.mayBeBilled ? lostRow(failed) : failedRow(failed, failure))
    noteFailure(breakers, circuit, failure)
    if (!failure.retryable) throw failure.problem
    if (failure.limitedMs === null) last = failure.problem
    else waits.push({ limited: true, retryAfterMs: failure.limitedMs })
    if (failure.mayBeBilled && left.length > 0) left = [...(await reserveAnew(turns, left, failure.problem))]
  }
  throw last ?? unavailable(waits)
}

/** A lost attempt can have cost its whole hold, so others need one of their own. @throws `problem` without budget */
async function reserveAnew(
  turns: Turns<unknown>,
  candidates: readonly Candidate[],
  problem: Problem,
): Promise<readonly Candidate[]> {
  await turns.settle()
  return turns.holdFor(candidates).catch((error: unknown) => {
    throw error instanceof Problem ? problem : error
  })
}

/** Tokens of output that the hold pays for; null where no budget is enforced. */
function outputFor({ model, price }: Candidate, bound: Bound, hold: Hold): number | null {
  if (!hold.enforced || !price) return null
  const { grantedNanoUsd, request } = hold
  if (grantedNanoUsd === request.maxNanoUsd && grantedNanoUsd < maxHoldNanoUsd)
    return bound.maxOutput ?? defaultOutput(model)
  return Math.max(affordableOutput({ model, price }, bound, hold.grantedNanoUsd), 1)
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
