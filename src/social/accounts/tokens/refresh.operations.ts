import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { Timestamp } from '#lib/time.ts'
import { refreshAccount } from './refresh.ts'

export const refreshConnection = operation({
  route: 'POST /api/internal/connections/:id/refresh',
  summary: 'Replace expired tokens of an account',
  permission: 'service',
  callers: ['platform-gateway', 'platform-socialize'],
  transaction: false,
  audit: false,
  input: z.object({ id: Id }),
  output: z.object({
    refreshed: z.boolean().describe('False when the tokens are good for more than five minutes.'),
    expiresAt: Timestamp.nullable(),
  }),
  problems: { not_refreshable: 409, signed_out: 409, provider_error: 502 },
  run: (call) => refreshAccount(call, call.input.id),
})
