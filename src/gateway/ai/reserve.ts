import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { refusalProblem } from '../budgets/refusal.ts'
import { countsPlatformOnly } from '../budgets/limit.ts'
import type { DryRun, Hold, HoldRequest, Refusal } from '../budgets/types.ts'
import type { Attribution } from './attribution.ts'
import { minCost, maxCost, type Bound } from './bound.ts'
import { payerOf, type Candidate } from './candidates.ts'

interface Planned {
  attribution: Attribution
  candidates: readonly Candidate[]
  bound: Bound
  /** Of its first usage row. */
  requestId: string
}

type Reserver = Pick<Call<unknown, Actor>, 'budgets' | 'actor'>

interface Reserved {
  hold: Hold
  /** Those that the hold is for. */
  candidates: readonly Candidate[]
}

/**
 * Holds the bound of the dearest candidate. A limit of what the platform pays leaves those that the organization pays.
 * @throws {Problem} 402 `budget_exceeded`, `model_unpriced`; 503
 */
export async function reserve(call: Reserver, planned: Planned): Promise<Reserved> {
  const result = await call.budgets.hold(holdRequestOf(planned))
  if (result.held) return { hold: result.hold, candidates: planned.candidates }
  const own = ownOf(planned, result.refusal)
  if (own) return reserve(call, own)
  const cheaperModel = await findCheaper(call, planned)
  throw refusalProblem(namedIn(planned, result.refusal), { cheaperModel, seesShared: call.actor.isSuperAdmin })
}

/** What is left without the platform’s credentials, when their limit refuses; else null. */
function ownOf(planned: Planned, { limit }: Refusal): Planned | null {
  if (!countsPlatformOnly(limit)) return null
  const candidates = planned.candidates.filter((candidate) => payerOf(candidate) === 'organization')
  const isLess = candidates.length < planned.candidates.length
  return isLess && candidates.length > 0 ? { ...planned, candidates } : null
}

export async function dryRun(call: Reserver, planned: Planned): Promise<DryRun> {
  const result = await call.budgets.dryRun(holdRequestOf(planned))
  const own = result.refusal && ownOf(planned, result.refusal)
  if (own) return dryRun(call, own)
  return { ...result, refusal: result.refusal && namedIn(planned, result.refusal) }
}

/** A fallback can be the model without a price. */
function namedIn({ candidates, bound }: Planned, refusal: Refusal): Refusal {
  if (refusal.code !== 'model_unpriced') return refusal
  const unpriced = candidates.find(({ model, price }) => !price || maxCost({ model, price }, bound) === null)
  return unpriced
    ? { ...refusal, provider: unpriced.provider, model: unpriced.model, paidBy: payerOf(unpriced) }
    : refusal
}

function holdRequestOf({ attribution, candidates, bound, requestId }: Planned): HoldRequest {
  const { organizationId, applicationId, apiKeyId, userId } = attribution
  const [first] = candidates
  const costs = candidates.map(({ model, price }) => {
    const most = price && maxCost({ model, price }, bound)
    const least = price && minCost({ model, price }, bound)
    return { most: most ?? null, least: least ?? null }
  })
  return {
    organizationId,
    applicationId,
    apiKeyId,
    userId,
    family: 'ai',
    provider: first?.provider ?? '',
    model: first?.model ?? null,
    paidBy: candidates.every((candidate) => payerOf(candidate) === 'organization') ? 'organization' : 'platform',
    requestId,
    maxNanoUsd: largest(costs.map(({ most }) => most)),
    minNanoUsd: largest(costs.map(({ least }) => least)),
    priced: costs.every(({ most }) => most !== null),
  }
}

/** A column of the database holds little more: a request can ask for any number of tokens. */
export const maxHoldNanoUsd = 10n ** 18n

function largest(amounts: readonly (bigint | null)[]): bigint {
  const most = amounts.reduce<bigint>((max, amount) => (amount !== null && amount > max ? amount : max), 0n)
  return most < maxHoldNanoUsd ? most : maxHoldNanoUsd
}

/** A later model of the chain that would fit by itself, else null. */
export async function findCheaper(call: Reserver, planned: Planned): Promise<string | null> {
  for (const candidate of planned.candidates.slice(1)) {
    const { allowed } = await dryRun(call, { ...planned, candidates: [candidate] })
    if (allowed) return `${candidate.provider}/${candidate.model}`
  }
  return null
}
