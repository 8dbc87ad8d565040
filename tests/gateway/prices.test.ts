import { expect, test } from 'bun:test'
import { calcPrice, findProvider } from '@pydantic/genai-prices'
import { costOf, priceOf } from '../../src/gateway/models/prices.ts'
import { toNanoUsd } from '../../src/gateway/models/rates.ts'

const at = new Date('2026-11-22T12:00:00Z')
const price = (provider: string, model: string, when = at) => {
  const found = priceOf(provider, model, when)
  if (!found) throw new Error(`${model} has no price`)
  return found
}

test.each([
  [2.5, 2_500_000_000n],
  [0.1, 100_000_000n],
  [0.075, 75_000_000n],
  [1e-7, 100n],
  [0.0000000001, 1n],
  [0, 0n],
  [1000, 1_000_000_000_000n],
])('GTW-20 dollars of the catalog are exact nano-USD: %p', (dollars, nanoUsd) => {
  expect(toNanoUsd(dollars)).toBe(nanoUsd)
})

test('GTW-20 cost is exact where floats drift, and rounded up once', () => {
  const small = price('openai', 'gpt-4o')
  expect(costOf(small, { inputTokens: 1_000, cacheReadTokens: 100, outputTokens: 500 })).toBe(7_375_000n)
  expect(costOf(price('openai', 'text-embedding-3-small'), { inputTokens: 1, outputTokens: 0 })).toBe(20n)
  const many = costOf(price('practice', 'practice-small'), { inputTokens: 3, outputTokens: 7 })
  expect(many).toBe(3_100n)
  expect(costOf(price('openai', 'whisper-1'), { inputTokens: 0, outputTokens: 0, audioMs: 1_000 })).toBe(100_000n)
})

test('GTW-20 dated price applies from its day on, and the usage can name it', () => {
  const before = price('openai', 'o3', new Date('2025-06-09T23:00:00Z'))
  const after = price('openai', 'o3', new Date('2025-06-11T00:00:00Z'))
  expect([before.since, after.since]).toEqual([null, '2025-06-10'])
  const usage = { inputTokens: 1_000_000, outputTokens: 0 }
  expect([costOf(before, usage), costOf(after, usage)]).toEqual([10_000_000_000n, 2_000_000_000n])
})

test('GTW-20 tier of a long input applies to the whole request', () => {
  const tiered = price('openai', 'gpt-5.4')
  expect(costOf(tiered, { inputTokens: 271_999, outputTokens: 0 })).toBe(679_997_500n)
  expect(costOf(tiered, { inputTokens: 272_000, outputTokens: 1 })).toBe(1_360_022_500n)
})

test('GTW-33 model without a price is null and not free; a guess by its name is no price', () => {
  expect(priceOf('openai', 'gpt-that-never-was', at)).toBeNull()
  expect(priceOf('our-own-server', 'gpt-4o', at)).toBeNull()
  expect(priceOf('practice', 'constructor', at)).toBeNull()
})

test('GTW-20 costs agree with the catalog’s own calculation for every model of the large providers', () => {
  const wrong: string[] = []
  for (const providerId of ['openai', 'anthropic', 'google', 'mistral', 'groq', 'x-ai', 'deepseek'])
    for (const { id } of findProvider({ providerId })?.models ?? [])
      for (const [input, cached, output] of [
        [1_000_003, 0, 77_777],
        [12_345, 1_234, 999],
      ] as const) {
        const known = priceOf(providerId, id, at)
        if (!known || !('input_mtok' in known.rates) || !('output_mtok' in known.rates)) continue
        const usage = { input_tokens: input, cache_read_tokens: cached, output_tokens: output }
        const theirs = calcPrice(usage, id, { providerId, timestamp: at })
        const ours = costOf(known, { inputTokens: input, cacheReadTokens: cached, outputTokens: output })
        if (!theirs || Math.abs(Number(ours) - theirs.total_price * 1e9) > 2) wrong.push(`${providerId} ${id}`)
      }
  expect(wrong).toEqual([])
})
