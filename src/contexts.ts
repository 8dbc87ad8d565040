import type { Config } from '#config'
import type { Context } from '#lib/context.ts'
import { identity } from '#identity'
import { sandbox, social } from '#social'

/** The whole product: every context by the name that `SERVICES` takes. */
export const contexts = { identity, social } satisfies Record<string, Context>

/** What runs in this process; the sandbox network goes with social in development and tests. */
export const chosenContexts = ({ SERVICES, offlineHelps }: Config): Context[] => [
  ...SERVICES.map((name) => contexts[name]),
  ...(offlineHelps && SERVICES.includes('social') ? [sandbox] : []),
]
