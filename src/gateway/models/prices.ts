import { calcPrice, findProvider, type ConditionalPrice, type ModelInfo, type ModelPrice } from '@pydantic/genai-prices'
import type { Price, TokenUsage } from './price.ts'
import { practicePrices } from './practice-prices.ts'
import { addRates, toNanoUsd } from './rates.ts'

const cacheSize = 10_000
const hour = 3_600_000
const cached = new Map<string, Price | null>()

/** The catalog’s price at a time. Null for a model without a price, which is not a model that costs nothing. */
export function priceOf(provider: string, model: string, at: Date): Price | null {
  const key = `${Math.floor(at.getTime() / hour)} ${provider} ${model}`
  const known = cached.get(key)
  if (known !== undefined) return known
  if (cached.size >= cacheSize) cached.clear()
  const price = findPrice(provider, model, at)
  cached.set(key, price)
  return price
}

function findPrice(provider: string, model: string, at: Date): Price | null {
  if (provider === 'practice') return practicePrices.get(model) ?? null
  // Without a known provider the library would guess one by the model's name.
  if (!findProvider({ providerId: provider })) return null
  const found = calcPrice({}, model, { providerId: provider, timestamp: at })
  if (!found || !isPriced(found.model_price)) return null
  return {
    model: found.model.id,
    since: sinceOf(found.model, at),
    contextWindow: found.model.context_window ?? null,
    rates: found.model_price,
  }
}

const isPriced = (rates: ModelPrice): boolean => Object.values(rates).some((rate) => rate !== undefined)

function sinceOf({ prices }: ModelInfo, at: Date): string | null {
  if (!Array.isArray(prices)) return null
  const day = at.toISOString().slice(0, 10)
  const dates = prices.flatMap(startOf).filter((start) => start <= day)
  return dates.toSorted().at(-1) ?? null
}

const startOf = ({ constraint }: ConditionalPrice): string[] =>
  constraint?.type === 'start_date' ? [constraint.start_date] : []

/** In nano-USD, rounded up once. A kind of token without a price of its own costs as much as the plain ones. */
export function costOf({ rates }: Price, usage: TokenUsage): bigint {
  const { inputTokens, outputTokens } = usage
  const parts: RatedQuantity[] = []
  let special = 0
  let specialOutput = 0
  // Most usage has no such kind: its own few fields are looked at, not all kinds.
  for (const name of Object.keys(usage)) {
    const kind = kindOf.get(name)
    const quantity = kind && usage[kind.of]
    if (kind === undefined || quantity === undefined || quantity === 0) continue
    const { units, keys, within } = kind
    parts.push({ rate: { nanoUsd: firstOf(rates, keys, inputTokens), units }, quantity: BigInt(Math.ceil(quantity)) })
    if (within === 'input') special += quantity
    else if (within === 'output') specialOutput += quantity
  }
  const plain = [
    { quantity: inputTokens - special, keys: inputKeys },
    { quantity: outputTokens - specialOutput, keys: outputKeys },
  ]
  for (const { quantity, keys } of plain)
    if (quantity > 0)
      parts.push({
        rate: { nanoUsd: firstOf(rates, keys, inputTokens), units: million },
        quantity: BigInt(Math.ceil(quantity)),
      })
  return addRates(parts)
}

type RatedQuantity = Parameters<typeof addRates>[0][number]

const million = 1_000_000n
const thousand = 1_000n
const hourMs = 3_600_000n

interface Kind {
  of: keyof TokenUsage
  units: bigint
  /** The first that has a rate. */
  keys: readonly string[]
  /** Counted in all input or output tokens, too. */
  within?: 'input' | 'output'
}

const inputKeys = ['input_mtok']
const outputKeys = ['output_mtok']

/** What can cost something else than plain tokens. */
const kinds: readonly Kind[] = [
  { of: 'cacheReadTokens', units: million, keys: ['cache_read_mtok', 'input_mtok'], within: 'input' },
  { of: 'cacheWriteTokens', units: million, keys: ['cache_write_mtok', 'input_mtok'], within: 'input' },
  {
    of: 'cacheWrite1hTokens',
    units: million,
    keys: ['cache_write_1h_mtok', 'cache_write_mtok', 'input_mtok'],
    within: 'input',
  },
  { of: 'inputAudioTokens', units: million, keys: ['input_audio_mtok', 'input_mtok'], within: 'input' },
  { of: 'inputImageTokens', units: million, keys: ['input_image_mtok', 'input_mtok'], within: 'input' },
  { of: 'outputAudioTokens', units: million, keys: ['output_audio_mtok', 'output_mtok'], within: 'output' },
  { of: 'outputImageTokens', units: million, keys: ['output_image_mtok', 'output_mtok'], within: 'output' },
  { of: 'reasoningTokens', units: million, keys: ['output_reasoning_mtok', 'output_mtok'], within: 'output' },
  { of: 'audioMs', units: hourMs, keys: ['input_audio_hours', 'audio_hours'] },
  { of: 'webSearches', units: thousand, keys: ['web_searches_kcount'] },
  { of: 'requests', units: thousand, keys: ['requests_kcount'] },
]
const kindOf: ReadonlyMap<string, Kind> = new Map(kinds.map((kind) => [kind.of, kind]))

/** Tiers apply to the whole request, by its input tokens. */
function firstOf(rates: ModelPrice, keys: readonly string[], inputTokens: number): bigint {
  let rate: ModelPrice[string]
  for (const key of keys) if ((rate = rates[key]) !== undefined) break
  if (rate === undefined) return 0n
  if (typeof rate === 'number') return toNanoUsd(rate)
  const reached = rate.tiers
    .filter(({ start }) => inputTokens > start)
    .toSorted((one, other) => one.start - other.start)
  return toNanoUsd(reached.at(-1)?.price ?? rate.base)
}
