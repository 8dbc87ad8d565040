import { costOf } from '../models/prices.ts'
import type { Price, TokenUsage } from '../models/price.ts'
import { defaultOutput } from '../providers/output.ts'

/** What a request can cost at most, before it is made. */
export interface Bound {
  /** A token has at least one byte. Null when only the model’s context bounds it, as with a file to fetch. */
  inputTokens: number | null
  hasImages: boolean
  hasAudio: boolean
  /** Tokens of output that the caller allows; null when it doesn’t say. */
  maxOutput: number | null
  /** Separate responses to the same input. */
  choices: number
  /** Of output that is not text, such as the tokens of images: added to the cost as it is. */
  fixed?: TokenUsage
}

/** A response that is shorter than this is of no use. */
const leastOutput = 16

export interface Priced {
  model: string
  price: Price
}

/** Null when nothing bounds the input. */
function inputOf(price: Price, { inputTokens }: Bound): number | null {
  if (inputTokens === null) return price.contextWindow
  return price.contextWindow === null ? inputTokens : Math.min(inputTokens, price.contextWindow)
}

/** In nano-USD, of the dearest kinds of tokens that it can have. Null when it has no bound. */
export function maxCost({ model, price }: Priced, bound: Bound): bigint | null {
  return costWith(price, bound, bound.maxOutput ?? defaultOutput(model))
}

export function minCost({ model, price }: Priced, bound: Bound): bigint | null {
  return costWith(price, bound, Math.min(bound.maxOutput ?? defaultOutput(model), leastOutput))
}

function costWith(price: Price, bound: Bound, output: number): bigint | null {
  const input = inputOf(price, bound)
  if (input === null) return null
  const fixed = bound.fixed ? costOf(price, bound.fixed) : 0n
  return inputCost(price, bound, input) + outputCost(price, output * bound.choices) + fixed
}

function inputCost(price: Price, { hasImages, hasAudio }: Bound, inputTokens: number): bigint {
  const kinds: TokenUsage[] = [{ inputTokens, outputTokens: 0 }]
  const { rates } = price
  if ('cache_write_mtok' in rates) kinds.push({ inputTokens, outputTokens: 0, cacheWriteTokens: inputTokens })
  if ('cache_write_1h_mtok' in rates) kinds.push({ inputTokens, outputTokens: 0, cacheWrite1hTokens: inputTokens })
  if (hasAudio) kinds.push({ inputTokens, outputTokens: 0, inputAudioTokens: inputTokens })
  if (hasImages) kinds.push({ inputTokens, outputTokens: 0, inputImageTokens: inputTokens })
  return kinds.map((usage) => costOf(price, usage)).reduce((one, other) => (one > other ? one : other))
}

function outputCost(price: Price, outputTokens: number): bigint {
  const plain = costOf(price, { inputTokens: 0, outputTokens })
  if (!('output_reasoning_mtok' in price.rates)) return plain
  const reasoning = costOf(price, { inputTokens: 0, outputTokens, reasoningTokens: outputTokens })
  return reasoning > plain ? reasoning : plain
}

/** Output tokens per choice that `nanoUsd` pays for after the input; never more than the caller allows. */
export function affordableOutput({ model, price }: Priced, bound: Bound, nanoUsd: bigint): number {
  const allowed = bound.maxOutput ?? defaultOutput(model)
  const before = costWith(price, bound, 0) ?? nanoUsd
  const perMillion = outputCost(price, 1_000_000)
  if (perMillion === 0n) return allowed
  const tokens = ((nanoUsd - before) * 1_000_000n) / perMillion / BigInt(bound.choices)
  return tokens >= BigInt(allowed) ? allowed : Math.max(Number(tokens), 0)
}
