import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { Notification } from './contract.ts'
import type { NotificationRow } from './list.ts'
import { isOfPlatform, serviceNameOf } from './services.ts'
import { usableButtons } from './usable-buttons.ts'

type Names = ReadonlyMap<string, string>
type IdentityCall = Pick<Call, 'identity'>
type DescribingCall = Pick<Call<unknown, Actor>, 'identity' | 'actor' | 'requirementsOf'>

export async function describeNotifications(
  call: DescribingCall,
  rows: readonly NotificationRow[],
): Promise<z.input<typeof Notification>[]> {
  const [people, posters, apps, buttons] = await Promise.all([
    peopleOf(call, rows),
    postersOf(call, rows),
    appsOf(call, rows),
    Promise.all(rows.map(({ notification }) => usableButtons(call, notification.actions))),
  ])
  const personOf = (id: string | null) => (id === null ? null : { id, name: people.get(id)?.name ?? 'Former member' })
  const nameOf = (slug: string | null) => (slug === null ? undefined : apps.get(slug)) ?? serviceNameOf(slug)
  return rows.map(({ notification, snoozedUntil }, at) => {
    const { id, organizationId, surface, service, kind, title, reason, href } = notification
    const { raisedAt, dueAt, resolvedAt, resolvedBy, assigneeId, postedBy } = notification
    return {
      id,
      organizationId,
      surface,
      service: service === null ? null : { slug: service, name: nameOf(service) },
      kind,
      title,
      reason,
      href,
      actions: buttons[at] ?? [],
      since: raisedAt,
      dueAt,
      by: postedBy === null ? nameOf(service) : (people.get(postedBy)?.name ?? posters.get(postedBy) ?? 'API key'),
      state: resolvedAt ? 'resolved' : snoozedUntil ? 'snoozed' : 'open',
      snoozedUntil: resolvedAt ? null : snoozedUntil,
      assignee: personOf(assigneeId),
      resolvedAt,
      resolvedBy: personOf(resolvedBy),
    }
  })
}

function peopleOf({ identity }: IdentityCall, rows: readonly NotificationRow[]) {
  const ids = rows.flatMap(({ notification: { assigneeId, resolvedBy, postedBy } }) => [
    assigneeId,
    resolvedBy,
    postedBy,
  ])
  return identity.people(ids.filter((id) => id !== null))
}

/** API keys. All rows are of one organization. */
async function postersOf({ identity }: IdentityCall, rows: readonly NotificationRow[]): Promise<Names> {
  const [first] = rows
  const ids = rows.flatMap(({ notification }) => notification.postedBy ?? [])
  return first && ids.length > 0 ? identity.names(first.notification.organizationId, ids) : new Map()
}

/** Apps of others that posted, as their catalog entry is called. */
async function appsOf({ identity }: IdentityCall, rows: readonly NotificationRow[]): Promise<Names> {
  const posted = rows.find(({ notification: { service } }) => service !== null && !isOfPlatform(service))
  if (!posted) return new Map()
  const apps = await identity.installedApps(posted.notification.organizationId).catch(() => [])
  return new Map(apps.map(({ slug, name }) => [slug, name]))
}
