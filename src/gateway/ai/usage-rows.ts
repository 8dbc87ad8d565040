import { newId } from '#lib/ids.ts'
import { costOf } from '../models/prices.ts'
import type { TokenUsage } from '../models/price.ts'
import type { UsageRow } from '../usage/insert.ts'
import { maxCost, type Bound } from './bound.ts'
import { defaultOutput } from '../providers/output.ts'
import { payerOf } from './candidates.ts'
import type { Failure } from '../providers/failure.ts'
import type { Exchange } from './types.ts'

interface Metered {
  /** What the provider reported; null when it reported nothing. */
  usage: TokenUsage | null
  /** Of what arrived, for an estimate. */
  outputBytes: number
  /** Its stream wasn’t read to the end, where the usage is. */
  isCut?: boolean
  errorCode?: string | null
}

export interface Charge {
  usage: TokenUsage
  costNanoUsd: bigint
  certainty: UsageRow['certainty']
}

/** The provider’s own count, or without one an upper bound by what was sent and received. */
export function chargeOf(exchange: Exchange<unknown>, metered: Metered): Charge {
  if (metered.isCut) return boundCharge(exchange, metered.outputBytes)
  const { candidate, inquiry, hold, maxOutput } = exchange
  const { price } = candidate
  const usage = metered.usage ? storable(metered.usage) : estimate(inquiry.bound, metered.outputBytes, maxOutput)
  const counted = price ? costOf(price, usage) : 0n
  const costNanoUsd = counted < maxCostNanoUsd ? counted : maxCostNanoUsd
  if (metered.usage) return { usage, costNanoUsd, certainty: price ? 'exact' : 'estimated' }
  const isOver = hold.enforced && costNanoUsd > hold.grantedNanoUsd
  return { usage, costNanoUsd: isOver ? hold.grantedNanoUsd : costNanoUsd, certainty: 'estimated' }
}

/** What it can have cost: its output can be as long as it was allowed to be. */
function boundCharge({ candidate, inquiry, hold, maxOutput }: Attempted, outputBytes: number): Charge {
  const { model, price } = candidate
  const { bound } = inquiry
  const allowed = maxOutput ?? bound.maxOutput
  const text = allowed === null ? Math.max(defaultOutput(model) * bound.choices, outputBytes) : allowed * bound.choices
  const usage = storable(estimate(bound, text, null))
  const counted = price
    ? (maxCost({ model, price }, { ...bound, maxOutput: Math.ceil(text / bound.choices) }) ?? 0n)
    : 0n
  const most = hold.enforced ? hold.grantedNanoUsd : maxCostNanoUsd
  return { usage, costNanoUsd: counted < most ? counted : most, certainty: 'suspect' }
}

/** $10,000, as for reported usage. */
const maxCostNanoUsd = 10n ** 13n
/** A column of the database holds no more. */
const maxUnits = 2_000_000_000

/** Providers can report anything, and what can’t be stored would never be settled. */
const storable = (usage: TokenUsage): TokenUsage =>
  Object.values(usage).every((count: number) => Number.isInteger(count) && count <= maxUnits)
    ? usage
    : {
        ...usage,
        ...Object.fromEntries(
          Object.entries(usage).map(([name, count]) => [name, Math.min(Math.ceil(count), maxUnits)]),
        ),
      }

function estimate({ inputTokens, fixed, choices }: Bound, outputBytes: number, maxOutput: number | null): TokenUsage {
  const outputTokens = maxOutput === null ? outputBytes : Math.min(outputBytes, maxOutput * choices)
  return { ...fixed, inputTokens: inputTokens ?? 0, outputTokens: outputTokens + (fixed?.outputTokens ?? 0) }
}

export function usageRow(exchange: Exchange<unknown>, charge: Charge, metered: Metered): UsageRow {
  const { inquiry, fallbacks, startedAt, firstByteMs } = exchange
  const { usage, costNanoUsd, certainty } = charge
  const { name, quantity } = inquiry.unit ?? { name: 'token', quantity: usage.inputTokens + usage.outputTokens }
  return {
    ...rowOf(exchange),
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
  const units: [string, number][] = []
  for (const [name, count] of Object.entries(usage)) if (count > 0 && !hasColumn.has(name)) units.push([name, count])
  return units.length > 0 ? { otherUnits: Object.fromEntries(units) } : {}
}

/** An attempt without a response. */
type Attempted = Pick<
  Exchange<unknown>,
  'call' | 'inquiry' | 'attribution' | 'candidate' | 'hold' | 'maxOutput' | 'requestId' | 'startedAt'
>

/** Of an attempt whose response was lost: counted at what it can have cost until a person corrects it. */
export function lostRow(attempted: Attempted): UsageRow {
  const { usage, costNanoUsd, certainty } = boundCharge(attempted, 0)
  return {
    ...rowOf(attempted),
    unit: 'token',
    quantity: usage.inputTokens + usage.outputTokens,
    costNanoUsd,
    certainty,
    metadata: attempted.inquiry.metadata ?? {},
    details: {
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      ...otherUnitsOf(usage),
      latencyMs: Math.round(performance.now() - attempted.startedAt),
      errorCode: 'response_lost',
    },
  }
}

/** Of an attempt that the provider refused or never got, which costs nothing: for its error rate. */
export function failedRow(attempted: Attempted, { problem }: Failure): UsageRow {
  return {
    ...rowOf(attempted),
    unit: 'request',
    quantity: 0,
    costNanoUsd: 0n,
    certainty: 'exact',
    metadata: {},
    details: {
      latencyMs: Math.round(performance.now() - attempted.startedAt),
      status: problem.status,
      errorCode: problem.code,
    },
  }
}

function rowOf({ hold, attribution, candidate, requestId }: Attempted) {
  const { organizationId, applicationId, apiKeyId, userId } = attribution
  const id = newId()
  return {
    id,
    // No client reports it again: only its repeated commit is the same.
    payloadDigest: id.replaceAll('-', ''),
    organizationId,
    requestId,
    applicationId,
    apiKeyId,
    userId,
    family: 'ai' as const,
    paidBy: payerOf(candidate),
    provider: candidate.provider,
    model: candidate.model,
    priceDate: candidate.price?.since ?? null,
    occurredAt: hold.heldAt,
  }
}
