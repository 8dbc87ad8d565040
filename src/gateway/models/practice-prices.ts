import type { Price } from './price.ts'

const priced = (model: string, rates: Price['rates'], contextWindow: number | null = 128_000): [string, Price] => [
  model,
  { model, since: null, contextWindow, rates },
]

/** Dollars, as the catalog has them: offline, budgets and usage behave as with a real provider. */
export const practicePrices: ReadonlyMap<string, Price> = new Map([
  priced('practice-small', { input_mtok: 0.1, cache_read_mtok: 0.025, output_mtok: 0.4 }),
  priced('practice-large', { input_mtok: 2.5, cache_read_mtok: 0.625, output_mtok: 10 }),
  priced('practice-image', { input_mtok: 5, input_image_mtok: 10, output_mtok: 40 }, null),
  priced('practice-embedding', { input_mtok: 0.02 }, 8_192),
  priced('practice-audio', { audio_hours: 0.36, input_audio_hours: 0.36 }, null),
])
