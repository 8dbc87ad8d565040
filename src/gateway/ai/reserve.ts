import type { Call } from '#lib/call.ts'
import { refusalProblem } from '../budgets/refusal.ts'
import type { DryRun, Hold, HoldRequest } from '../budgets/types.ts'
import type { Attribution } from './attribution.ts'
import { minCost, maxCost, type Bound } from './bound.ts'
import type { Candidate } from './candidates.ts'

interface Planned {
  attribution: Attribution
  candidates: readonly Candidate[]
  bound: Bound
}

type Reserver = Pick<Call, 'budgets' | 'request'>

/** Holds the bound of the dearest candidate. @throws {Problem} 402 `budget_exceeded`, `model_unpriced`; 503 */
export async function reserve(call: Reserver, planned: Planned): Promise<Hold> {
  const result = await call.budgets.hold(holdRequestOf(call, planned))
  if (result.held) return result.hold
  throw refusalProblem(result.refusal, { cheaperModel: await findCheaper(call, planned) })
}

export const dryRun = (call: Reserver, planned: Planned): Promise<DryRun> =>
  call.budgets.dryRun(holdRequestOf(call, planned))

function holdRequestOf({ request }: Reserver, { attribution, candidates, bound }: Planned): HoldRequest {
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
    requestId: request.id,
    maxNanoUsd: largest(costs.map(({ most }) => most)),
    minNanoUsd: largest(costs.map(({ least }) => least)),
    priced: costs.every(({ most }) => most !== null),
  }
}

/** A column of the database holds little more: a request can ask for any number of tokens. */
const maxHoldNanoUsd = 10n ** 18n

function largest(amounts: readonly (bigint | null)[]): bigint {
  const most = amounts.reduce<bigint>((max, amount) => (amount !== null && amount > max ? amount : max), 0n)
  return most < maxHoldNanoUsd ? most : maxHoldNanoUsd
}

/** A later model of the chain that would fit by itself, else null. */
export async function findCheaper(call: Reserver, { attribution, candidates, bound }: Planned): Promise<string | null> {
  for (const candidate of candidates.slice(1)) {
    const { allowed } = await dryRun(call, { attribution, candidates: [candidate], bound })
    if (allowed) return `${candidate.provider}/${candidate.model}`
  }
  return null
}
