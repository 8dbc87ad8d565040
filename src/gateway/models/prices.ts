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
  const per = (units: bigint, ...keys: string[]): Rate => ({ nanoUsd: firstOf(rates, keys, inputTokens), units })
  const input: [number | undefined, Rate][] = [
    [usage.cacheReadTokens, per(million, 'cache_read_mtok', 'input_mtok')],
    [usage.cacheWriteTokens, per(million, 'cache_write_mtok', 'input_mtok')],
    [usage.cacheWrite1hTokens, per(million, 'cache_write_1h_mtok', 'cache_write_mtok', 'input_mtok')],
    [usage.inputAudioTokens, per(million, 'input_audio_mtok', 'input_mtok')],
    [usage.inputImageTokens, per(million, 'input_image_mtok', 'input_mtok')],
  ]
  const output: [number | undefined, Rate][] = [
    [usage.outputAudioTokens, per(million, 'output_audio_mtok', 'output_mtok')],
    [usage.outputImageTokens, per(million, 'output_image_mtok', 'output_mtok')],
    [usage.reasoningTokens, per(million, 'output_reasoning_mtok', 'output_mtok')],
  ]
  const parts: [number | undefined, Rate][] = [
    ...input,
    [restOf(inputTokens, input), per(million, 'input_mtok')],
    ...output,
    [restOf(outputTokens, output), per(million, 'output_mtok')],
    [usage.audioMs, per(hourMs, 'input_audio_hours', 'audio_hours')],
    [usage.webSearches, per(thousand, 'web_searches_kcount')],
    [usage.requests, per(thousand, 'requests_kcount')],
  ]
  return addRates(parts.map(([quantity = 0, rate]) => ({ rate, quantity: BigInt(Math.ceil(quantity)) })))
}

const million = 1_000_000n
const thousand = 1_000n
const hourMs = 3_600_000n

const restOf = (total: number, kinds: readonly [number | undefined, Rate][]): number =>
  Math.max(0, total - kinds.reduce((sum, [quantity = 0]) => sum + quantity, 0))

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
