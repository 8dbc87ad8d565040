import { newId } from '#lib/ids.ts'
import { costOf } from '../models/prices.ts'
import type { TokenUsage } from '../models/price.ts'
import type { UsageRow } from '../usage/insert.ts'
import type { Bound } from './bound.ts'
import type { Candidate } from './candidates.ts'
import type { Failure } from '../providers/failure.ts'
import type { Exchange } from './types.ts'

interface Metered {
  /** What the provider reported; null when it reported nothing. */
  usage: TokenUsage | null
  /** Of what arrived, for an estimate. */
  outputBytes: number
  errorCode?: string | null
}

export interface Charge {
  usage: TokenUsage
  costNanoUsd: bigint
  certainty: UsageRow['certainty']
}

/** The provider’s own count, or without one an upper bound by what was sent and received. */
export function chargeOf({ candidate, inquiry, hold, maxOutput }: Exchange<unknown>, metered: Metered): Charge {
  const { price } = candidate
  const usage = metered.usage ? storable(metered.usage) : estimate(inquiry.bound, metered.outputBytes, maxOutput)
  const counted = price ? costOf(price, usage) : 0n
  const costNanoUsd = counted < maxCostNanoUsd ? counted : maxCostNanoUsd
  if (metered.usage) return { usage, costNanoUsd, certainty: price ? 'exact' : 'estimated' }
  const isOver = hold.enforced && costNanoUsd > hold.grantedNanoUsd
  return { usage, costNanoUsd: isOver ? hold.grantedNanoUsd : costNanoUsd, certainty: 'estimated' }
}

/** $10,000, as for reported usage. */
const maxCostNanoUsd = 10n ** 13n
/** A column of the database holds no more. */
const maxUnits = 2_000_000_000

/** Providers can report anything, and what can’t be stored would never be settled. */
const storable = (usage: TokenUsage): TokenUsage => ({
  ...usage,
  ...Object.fromEntries(Object.entries(usage).map(([name, count]) => [name, Math.min(Math.ceil(count), maxUnits)])),
})

function estimate({ inputTokens, fixed, choices }: Bound, outputBytes: number, maxOutput: number | null): TokenUsage {
  const outputTokens = maxOutput === null ? outputBytes : Math.min(outputBytes, maxOutput * choices)
  return { ...fixed, inputTokens: inputTokens ?? 0, outputTokens: outputTokens + (fixed?.outputTokens ?? 0) }
}

export function usageRow(exchange: Exchange<unknown>, charge: Charge, metered: Metered): UsageRow {
  const { call, attribution, candidate, inquiry, billed, fallbacks, startedAt, firstByteMs } = exchange
  const { usage, costNanoUsd, certainty } = charge
  const { name, quantity } = inquiry.unit ?? { name: 'token', quantity: usage.inputTokens + usage.outputTokens }
  return {
    ...rowOf(call.request.id, billed.length, attribution, candidate, call.now()),
    unit: name,
    quantity,
    costNanoUsd,
    certainty,
    metadata: inquiry.metadata ?? {},
    details: {
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      cachedTokens: usage.cacheReadTokens ?? 0,
      ...otherUnitsOf(usage),
      latencyMs: Math.round(performance.now() - startedAt),
      firstByteMs: Math.round(firstByteMs),
      status: 200,
      errorCode: metered.errorCode ?? null,
      fallbacks,
      streamed: inquiry.streams,
    },
  }
}

const hasColumn = new Set(['inputTokens', 'outputTokens', 'cacheReadTokens'])

/** What re-rating needs besides plain tokens. */
function otherUnitsOf(usage: TokenUsage) {
  const units = Object.entries(usage).filter(([name, count]) => !hasColumn.has(name) && count > 0)
  return units.length > 0 ? { otherUnits: Object.fromEntries(units) } : {}
}

interface AttemptFacts {
  requestId: string
  /** Rows of earlier attempts. */
  before: number
  at: Date
  latencyMs: number
}

type Payer = Pick<Exchange<unknown>, 'attribution'>

/** Of an attempt whose response was lost: its input, at least, can have been billed. */
export function suspectRow(facts: AttemptFacts, { attribution }: Payer, candidate: Candidate, bound: Bound): UsageRow {
  const usage = estimate(bound, 0, null)
  return {
    ...rowOf(facts.requestId, facts.before, attribution, candidate, facts.at),
    unit: 'token',
    quantity: usage.inputTokens,
    costNanoUsd: candidate.price ? costOf(candidate.price, usage) : 0n,
    certainty: 'suspect',
    metadata: {},
    details: {
      inputTokens: usage.inputTokens,
      outputTokens: 0,
      latencyMs: Math.round(facts.latencyMs),
      errorCode: 'response_lost',
    },
  }
}

/** Of an attempt that the provider refused or never answered, which costs nothing: for its error rate. */
export function failedRow(
  facts: AttemptFacts,
  { attribution }: Payer,
  candidate: Candidate,
  { problem }: Failure,
): UsageRow {
  return {
    ...rowOf(facts.requestId, facts.before, attribution, candidate, facts.at),
    unit: 'request',
    quantity: 0,
    costNanoUsd: 0n,
    certainty: 'exact',
    metadata: {},
    details: { latencyMs: Math.round(facts.latencyMs), status: problem.status, errorCode: problem.code },
  }
}

const rowOf = (
  requestId: string,
  before: number,
  { organizationId, applicationId, apiKeyId, userId }: Exchange<unknown>['attribution'],
  { provider, model, price }: Candidate,
  occurredAt: Date,
) => ({
  id: newId(),
  organizationId,
  requestId: before === 0 ? requestId : `${requestId}/${before + 1}`,
  applicationId,
  apiKeyId,
  userId,
  family: 'ai' as const,
  provider,
  model,
  priceDate: price?.since ?? null,
  occurredAt,
})
