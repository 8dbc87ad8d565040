import { z } from 'zod'
import { auditedTransaction } from '#lib/audit.ts'
import { operation } from '#lib/operation.ts'
import { Unsubscribed } from '#views/dashboard/notifications/unsubscribe.tsx'
import { savePreferences } from '../preferences/save.ts'
import { ownerOfToken, UnsubscribeToken } from './unsubscribe-token.ts'

export const unsubscribe = operation({
  route: 'POST /unsubscribe',
  summary: 'End notification emails by an email’s link',
  permission: 'public',
  limit: 'writes',
  input: z.object({
    token: UnsubscribeToken,
    'List-Unsubscribe': z.literal('One-Click').optional().describe('What mail programs send (RFC 8058).'),
  }),
  output: z.object({ email: z.literal(false) }),
  problems: { not_found: 404 },
  transaction: false, // Identity is asked before it opens.
  run: async (call) => {
    const owner = ownerOfToken(call, call.input.token)
    if (await call.identity.isMember(owner.organizationId, owner.personId))
      await auditedTransaction(call, (db) => savePreferences({ ...call, db }, owner, { email: false }))
    return { email: false as const }
  },
  view: () => <Unsubscribed />,
})
