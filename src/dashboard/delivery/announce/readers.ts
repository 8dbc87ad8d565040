import { and, eq, gt, inArray, max } from 'drizzle-orm'
import type { JobDependencies } from '#lib/job.ts'
import type { Database } from '#lib/db.ts'
import { visibleTo } from '../../actions/visible.ts'
import { notificationDeliveries, notificationPreferences, notifications, pushSubscriptions } from '../../schema.ts'
import { actorOfMember, readAudience } from '../audience.ts'
import { defaultPreferences, type PreferencesRow } from '../preferences/row.ts'

/** An email that follows another one so soon waits, and is gathered with what happens until then. */
export const emailPauseMs = 5 * 60_000

export interface Reader {
  id: string
  zone: string
  preferences: PreferencesRow
  subscriptions: readonly string[]
  /** Of these notifications, the ones that the person can see. */
  visible: ReadonlySet<string>
  lastEmailAt: Date | null
}

/** The people of an organization, each with what they can see of these notifications. */
export async function listReaders(
  { database: { db }, identity, now }: Pick<JobDependencies, 'database' | 'identity' | 'now'>,
  organizationId: string,
  ids: readonly string[],
): Promise<Reader[]> {
  const { organization, members } = await readAudience({ identity }, organizationId)
  if (!organization) return []
  const serviceId = await identity.serviceId('platform-dashboard-api')
  const able = members.filter(({ permissions }) => permissions.includes(`${serviceId}.notifications:read`))
  const people = able.map(({ id }) => id)
  if (people.length === 0) return []
  const [preferences, subscriptions, emails] = await Promise.all([
    db.select().from(notificationPreferences).where(eq(notificationPreferences.organizationId, organizationId)),
    db.select().from(pushSubscriptions).where(inArray(pushSubscriptions.personId, people)),
    lastEmails(db, organizationId, new Date(now().getTime() - emailPauseMs)),
  ])
  const readers: Reader[] = []
  for (const member of able) {
    const chosen = preferences.find(({ personId }) => personId === member.id) ?? defaultPreferences
    const visible = await visibleTo({ identity, actor: actorOfMember(member, organization) })
    const seen = await db
      .select({ id: notifications.id })
      .from(notifications)
      .where(and(inArray(notifications.id, [...ids]), visible))
    readers.push({
      id: member.id,
      zone: member.timeZone ?? chosen.timeZone ?? 'UTC',
      preferences: chosen,
      subscriptions: subscriptions.flatMap(({ id, personId }) => (personId === member.id ? [id] : [])),
      visible: new Set(seen.map(({ id }) => id)),
      lastEmailAt: emails.get(member.id) ?? null,
    })
  }
  return readers
}

async function lastEmails(db: Database, organizationId: string, since: Date): Promise<Map<string | null, Date | null>> {
  const { personId, settledAt, channel, state } = notificationDeliveries
  const rows = await db
    .select({ personId, at: max(settledAt) })
    .from(notificationDeliveries)
    .where(
      and(
        eq(notificationDeliveries.organizationId, organizationId),
        eq(channel, 'email'),
        eq(state, 'sent'),
        gt(settledAt, since),
      ),
    )
    .groupBy(personId)
  return new Map(rows.map(({ personId: id, at }) => [id, at]))
}
