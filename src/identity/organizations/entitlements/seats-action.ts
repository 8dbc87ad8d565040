import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { job } from '#lib/job.ts'
import { listCauses, raiseAction, resolveAction } from '#lib/raised-actions.ts'
import { seatsKind } from '../../notification-kinds.ts'
import { lockEntitlement, seatsOf } from './entitlements.ts'

const prefix = 'identity.seats:'

/** After people left, or the number of seats changed, in the same transaction. */
export async function updateSeatsAction(db: Database, organizationId: string): Promise<void> {
  const { seats } = await lockEntitlement(db, organizationId)
  const { used, paid } = await seatsOf(db, organizationId, seats)
  const cause = `${prefix}${organizationId}`
  if (paid === null || used <= paid) return resolveAction(db, cause)
  const extra = used - paid
  await raiseAction(db, {
    kind: seatsKind,
    organizationId,
    cause,
    title: extra === 1 ? 'One seat more in use than paid' : `${extra} seats more in use than paid`,
    reason: `${used} people and agents are in the organization, and ${paid} ${paid === 1 ? 'seat is' : 'seats are'} paid. No one can join until members are removed or an owner adds seats.`,
    href: '/settings/members',
    actions: [
      { label: 'Add seats', method: 'GET', href: '/settings/billing', style: 'primary' },
      { label: 'See members', method: 'GET', href: '/settings/members' },
    ],
  })
}

/** After accounts were erased with their memberships. */
export const updateSeatsActions = job({
  name: 'identity.update-seats-actions',
  input: z.object({}),
  run: ({ database }) =>
    database.transaction(async (tx) => {
      for (const cause of await listCauses(tx, prefix)) await updateSeatsAction(tx, cause.slice(prefix.length))
    }),
})
