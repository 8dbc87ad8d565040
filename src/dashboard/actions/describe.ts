import type { z } from 'zod'
import type { Call } from '#lib/call.ts'
import type { Notification } from './contract.ts'
import type { NotificationRow } from './list.ts'
import { serviceNameOf } from './services.ts'

export async function describeNotifications(
  { identity }: Pick<Call, 'identity'>,
  rows: readonly NotificationRow[],
): Promise<z.input<typeof Notification>[]> {
  const ids = rows.flatMap(({ notification: { assigneeId, resolvedBy } }) => [assigneeId, resolvedBy])
  const people = await identity.people(ids.filter((id) => id !== null))
  const personOf = (id: string | null) => (id === null ? null : { id, name: people.get(id)?.name ?? 'Former member' })
  return rows.map(({ notification, snoozedUntil }) => {
    const { id, organizationId, surface, service, kind, title, reason, href, actions } = notification
    const { raisedAt, dueAt, resolvedAt, resolvedBy, assigneeId } = notification
    return {
      id,
      organizationId,
      surface,
      service: service === null ? null : { slug: service, name: serviceNameOf(service) },
      kind,
      title,
      reason,
      href,
      actions,
      since: raisedAt,
      dueAt,
      by: serviceNameOf(service),
      state: resolvedAt ? 'resolved' : snoozedUntil ? 'snoozed' : 'open',
      snoozedUntil: resolvedAt ? null : snoozedUntil,
      assignee: personOf(assigneeId),
      resolvedAt,
      resolvedBy: personOf(resolvedBy),
    }
  })
}
