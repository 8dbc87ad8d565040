import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { LimitOptions } from '../contract/limits.ts'
import { families, limitModes, periods, scopeTypes } from '../contract/families.ts'

export const getLimitOptions = operation({
  route: 'GET /api/limits/options',
  summary: 'Get the options for limits',
  permission: 'role:owner',
  input: z.object({}),
  output: LimitOptions,
  run: async () => ({
    scopeTypes: [...scopeTypes],
    families: [...families],
    periods: [...periods],
    modes: [...limitModes],
  }),
})
