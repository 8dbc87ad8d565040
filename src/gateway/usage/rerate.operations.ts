import { invalid } from '#lib/errors.ts'
import { operation } from '#lib/operation.ts'
import { RerateRequest, RerateResult } from '../contract/rerate.ts'
import { Place, rerate } from './rerate.ts'
import { rangeOf } from './range.ts'

const maxDays = 366

export const rerateUsage = operation({
  route: 'POST /api/usage/rerate',
  summary: 'Update past costs after a price correction',
  permission: 'super-admin',
  input: RerateRequest,
  output: RerateResult,
  run: async ({ input, actor, db, config, now }) => {
    const { from, to } = rangeOf(input, now(), maxDays)
    const { next, ...result } = await rerate(db, {
      ...input,
      from,
      to,
      organizationId: input.organizationId ?? null,
      after: input.cursor === undefined ? null : readCursor(input.cursor),
      by: actor.principal.id,
      at: now(),
      rawDays: config.USAGE_RAW_DAYS,
    })
    return { ...result, nextCursor: next && Buffer.from(JSON.stringify(next)).toString('base64url') }
  },
})

function readCursor(cursor: string): Place {
  try {
    return Place.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
  } catch {
    throw invalid([{ path: 'cursor', message: 'Must be the nextCursor of the response before.' }])
  }
}
