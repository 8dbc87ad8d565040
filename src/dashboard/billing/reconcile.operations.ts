import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { SeatReconciliation } from './contract.ts'
import { reconcileSeats } from './reconcile.ts'

export const reconcileAllSeats = operation({
  route: 'POST /api/internal/seats/reconcile',
  summary: 'Verify used seats against paid ones',
  permission: 'service',
  callers: ['platform-pay', 'platform-identity', 'platform-dashboard-api', 'platform-dashboard-website'],
  input: z.object({ organizationId: Id.optional().describe('All organizations when not set.') }),
  output: SeatReconciliation,
  transaction: false,
  audit: false,
  limit: null,
  problems: { identity_unavailable: 503 },
  run: (call) => reconcileSeats(call, call.input.organizationId),
})
