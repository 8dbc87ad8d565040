import type { Config } from '#config'

/** The wire format that a provider speaks: Anthropic’s Messages API, or the OpenAI API, which all others have adopted. */
export type Dialect = 'openai' | 'anthropic'

interface KnownProvider {
  baseUrl: string
  dialect?: Dialect
}

const known: Readonly<Record<string, KnownProvider>> = {
  openai: { baseUrl: 'https://api.openai.com/v1' },
  anthropic: { baseUrl: 'https://api.anthropic.com/v1', dialect: 'anthropic' },
  google: { baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai' },
  mistral: { baseUrl: 'https://api.mistral.ai/v1' },
  groq: { baseUrl: 'https://api.groq.com/openai/v1' },
  deepseek: { baseUrl: 'https://api.deepseek.com/v1' },
  openrouter: { baseUrl: 'https://openrouter.ai/api/v1' },
  together: { baseUrl: 'https://api.together.xyz/v1' },
  fireworks: { baseUrl: 'https://api.fireworks.ai/inference/v1' },
  'x-ai': { baseUrl: 'https://api.x.ai/v1' },
}

/** Of the practice models, which answer without a network in development and tests. */
export const practiceProvider = 'practice'

/** A path where this server has them. */
export const practiceUrl = ({ MODELS_URL }: Pick<Config, 'MODELS_URL'>): string => MODELS_URL ?? '/dev/models/v1'

/** Undefined for a provider of which only the organization knows the address. */
export const baseUrlOf = (provider: string): string | undefined =>
  Object.hasOwn(known, provider) ? known[provider]?.baseUrl : undefined

export const dialectOf = (provider: string): Dialect =>
  (Object.hasOwn(known, provider) ? known[provider]?.dialect : undefined) ?? 'openai'
