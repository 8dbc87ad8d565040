import type { Dialect } from './known.ts'

const anthropicVersion = '2023-06-01'

export const authHeaders = (dialect: Dialect, apiKey: string): Record<string, string> =>
  dialect === 'anthropic'
    ? { 'x-api-key': apiKey, 'anthropic-version': anthropicVersion }
    : { authorization: `Bearer ${apiKey}` }
