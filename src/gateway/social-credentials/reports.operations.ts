import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { AccountReport, AccountReportResult } from '../contract/social.ts'
import { removeAccount, storeReport } from './accounts.ts'

const door = {
  permission: 'service',
  callers: ['platform-socialize'],
  // The change itself is audited where it happened.
  audit: false,
} as const

export const reportConnectedAccount = operation({
  route: 'PUT /platform/social/connections/:id',
  summary: 'Report the state of a connected account',
  ...door,
  input: AccountReport.extend({ id: Id }),
  output: AccountReportResult,
  run: async ({ db, input: { id, ...report } }) => ({ applied: await storeReport(db, id, report) }),
})

export const removeConnectedAccount = operation({
  route: 'DELETE /platform/social/connections/:id',
  summary: 'Remove a disconnected account',
  ...door,
  input: z.object({ id: Id }),
  output: z.null(),
  run: async ({ db, input, now }) => {
    await removeAccount(db, input.id, now())
    return reply(204, null)
  },
})
