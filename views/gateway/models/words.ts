import type { Lifecycle, ModelPrice, RateName, UseCase } from '#gateway/types'
import { timeText } from '#views/ui/time.tsx'

export const useCaseNames: Record<UseCase, { name: string; of: string }> = {
  text: { name: 'Writing', of: 'Writing help, planning' },
  'short-text': { name: 'Short text', of: 'Tags, alt text, replies' },
  image: { name: 'Images', of: 'Generating and editing' },
  transcription: { name: 'Transcription', of: 'Dictation, captions' },
  embedding: { name: 'Embeddings', of: 'Search' },
}

export const lifecycleNames: Record<Lifecycle, string> = {
  active: 'Active',
  preview: 'Preview',
  deprecated: 'Deprecated',
  retired: 'Retired',
}

/** Such as `15 Jan 2027`. */
export const dayText = (day: string): string => timeText(`${day}T00:00:00Z`, 'UTC', 'shortDay')

const rateWords: Record<RateName, string> = {
  inputPerMillion: 'in',
  outputPerMillion: 'out',
  cacheReadPerMillion: 'cache read',
  cacheWritePerMillion: 'cache write',
  audioInputPerMillion: 'audio in',
  imageInputPerMillion: 'image in',
  audioOutputPerMillion: 'audio out',
  imageOutputPerMillion: 'image out',
  audioPerHour: 'per hour of audio',
  requestsPerThousand: 'per 1,000 calls',
  webSearchesPerThousand: 'per 1,000 searches',
}

const isPerMillion = (name: string): boolean => name.endsWith('PerMillion')
const isRateName = (name: string): name is RateName => name in rateWords

const rateText = (name: RateName, dollars: string): string => {
  const [whole = '0', fraction = ''] = dollars.split('.')
  return `$${whole}.${fraction.padEnd(2, '0')} ${rateWords[name]}`
}

const ratesOf = ({ rates }: Pick<ModelPrice, 'rates'>): [RateName, string][] =>
  Object.entries(rates).flatMap(([name, value]) => (isRateName(name) && value !== undefined ? [[name, value]] : []))

/** Such as `$2.50 in, $10.00 out per 1M tokens`. */
export function priceText(price: Pick<ModelPrice, 'rates'>): string {
  const rates = ratesOf(price)
  const tokens = rates.filter(([name]) => isPerMillion(name)).map((rate) => rateText(...rate))
  const others = rates.filter(([name]) => !isPerMillion(name)).map((rate) => rateText(...rate))
  return [...(tokens.length > 0 ? [`${tokens.join(', ')} per 1M tokens`] : []), ...others].join(', ')
}

/** The two rates that decide most bills. */
export function shortPriceText(price: Pick<ModelPrice, 'rates'>): string {
  const { inputPerMillion, outputPerMillion } = price.rates
  if (inputPerMillion === undefined && outputPerMillion === undefined) return priceText(price)
  return priceText({
    rates: {
      ...(inputPerMillion !== undefined && { inputPerMillion }),
      ...(outputPerMillion !== undefined && { outputPerMillion }),
    },
  })
}

/** Of the model's page; undefined for a name that only reported usage has, and that can't be configured or priced. */
export const modelHref = (provider: string, model: string): string | undefined =>
  /^[a-z0-9][a-z0-9-]{0,39}$/.test(provider) && /^[!-~]{1,200}$/.test(model)
    ? `/gateway/models/${provider}/${encodeURIComponent(model)}`
    : undefined

/** Of a reference such as `openai/gpt-4o`. */
export const modelOf = (ref: string): string => ref.slice(ref.indexOf('/') + 1)

const noticeDays = 60
const dayMs = 24 * 60 * 60_000

/** Whether it ends within 60 days, or already has. */
export const isEnding = (
  { status, retiresOn }: { status: Lifecycle; retiresOn: string | null },
  now = Date.now(),
): boolean => status === 'retired' || (retiresOn !== null && Date.parse(retiresOn) - now < noticeDays * dayMs)
