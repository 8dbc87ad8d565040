import { z } from 'zod'
import { roles } from '#lib/actor.ts'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { emitWebhook, type EmitDependencies } from '#lib/outgoing-webhooks/emit.ts'
import { webhookEvent } from '#lib/outgoing-webhooks/event.ts'

const memberJoined = webhookEvent({
  type: 'member.joined',
  summary: 'A person joined the organization',
  permission: 'role:admin',
  data: z.object({
    memberId: Id,
    name: z.string(),
    role: z.enum(roles),
    invited: z.boolean().describe('False for a person who joined by single sign-on.'),
  }),
})

export const memberEvents = [memberJoined]

interface Joined {
  organizationId: string
  user: { id: string; name: string }
  role: z.output<typeof memberJoined.data>['role']
  invited: boolean
}

/** On the transaction that added them. */
export const emitMemberJoined = (
  tx: Database,
  emitting: EmitDependencies,
  { organizationId, user: { id, name }, ...data }: Joined,
): Promise<void> =>
  emitWebhook(tx, emitting, { organizationId, event: memberJoined, data: { memberId: id, name, ...data } })
