import { calcPrice, findProvider, type ConditionalPrice, type ModelInfo, type ModelPrice } from '@pydantic/genai-prices'
import type { Price, TokenUsage } from './price.ts'
import { practicePrices } from './practice-prices.ts'
import { addRates, toNanoUsd, type Rate } from './rates.ts'

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
  const parts: { rate: Rate; quantity: bigint }[] = []
  const add = (quantity: number | undefined, units: bigint, ...keys: string[]): number => {
    if (quantity === undefined || quantity === 0) return 0
    const rate = { nanoUsd: firstOf(rates, keys, inputTokens), units }
    parts.push({ rate, quantity: BigInt(Math.ceil(quantity)) })
    return quantity
  }
  const special =
    add(usage.cacheReadTokens, million, 'cache_read_mtok', 'input_mtok') +
    add(usage.cacheWriteTokens, million, 'cache_write_mtok', 'input_mtok') +
    add(usage.cacheWrite1hTokens, million, 'cache_write_1h_mtok', 'cache_write_mtok', 'input_mtok') +
    add(usage.inputAudioTokens, million, 'input_audio_mtok', 'input_mtok') +
    add(usage.inputImageTokens, million, 'input_image_mtok', 'input_mtok')
  add(Math.max(0, inputTokens - special), million, 'input_mtok')
  const specialOutput =
    add(usage.outputAudioTokens, million, 'output_audio_mtok', 'output_mtok') +
    add(usage.outputImageTokens, million, 'output_image_mtok', 'output_mtok') +
    add(usage.reasoningTokens, million, 'output_reasoning_mtok', 'output_mtok')
  add(Math.max(0, outputTokens - specialOutput), million, 'output_mtok')
  add(usage.audioMs, hourMs, 'input_audio_hours', 'audio_hours')
  add(usage.webSearches, thousand, 'web_searches_kcount')
  add(usage.requests, thousand, 'requests_kcount')
  return addRates(parts)
}

const million = 1_000_000n
const thousand = 1_000n
const hourMs = 3_600_000n

/** Tiers apply to the whole request, by its input tokens. */
function firstOf(rates: ModelPrice, keys: readonly string[], inputTokens: number): bigint {
  const rate = keys.map((key) => rates[key]).find((found) => found !== undefined)
  if (rate === undefined) return 0n
  if (typeof rate === 'number') return toNanoUsd(rate)
  const reached = rate.tiers
    .filter(({ start }) => inputTokens > start)
    .toSorted((one, other) => one.start - other.start)
  return toNanoUsd(reached.at(-1)?.price ?? rate.base)
}
