import { z } from 'zod'
import type { Config } from '#config'
import { failures, type Failure } from './provider.ts'
import { configuredProviders } from './providers.ts'

/** What of a page's query tells how a sign-in elsewhere ended. */
export const troubleQuery = {
  upstream: z.enum(failures).optional().catch(undefined),
  provider: z.string().max(100).optional().catch(undefined),
}

/** What became of a sign-in elsewhere, for people. */
export interface Trouble {
  reason: Failure
  /** The provider's name. */
  name: string
}

/** The same as it stands in a page's address; undefined where nothing does. */
export function troubleOf(config: Config, query: { upstream?: Failure; provider?: string }): Trouble | undefined {
  if (!query.upstream) return undefined
  const provider = configuredProviders(config).find(({ id }) => id === query.provider)
  return { reason: query.upstream, name: provider?.name ?? 'the other provider' }
}
