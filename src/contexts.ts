import type { Context } from '#lib/context.ts'
import { identity } from '#identity'
import { social } from '#social'

/** The whole product: every context by the name that `SERVICES` takes. */
export const contexts = { identity, social } satisfies Record<string, Context>
