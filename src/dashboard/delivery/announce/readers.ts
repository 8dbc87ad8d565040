import { and, eq, gt, inArray, max } from 'drizzle-orm'
import type { JobDependencies } from '#lib/job.ts'
import type { Database } from '#lib/db.ts'
import { notificationDeliveries, notificationPreferences, pushSubscriptions } from '../../schema.ts'
import type { Audience } from '../audience.ts'
import { defaultPreferences, type PreferencesRow } from '../preferences/row.ts'
import { listVisible } from './list-visible.ts'

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

type ReadersCall = Pick<JobDependencies, 'database' | 'identity' | 'now'>

/** Of a page of people, those who use the dashboard, each with what they can see of these notifications. */
export async function listReaders(call: ReadersCall, audience: Audience, ids: readonly string[]): Promise<Reader[]> {
  const { db } = call.database
  const { organization } = audience
  const serviceId = await call.identity.serviceId('platform-dashboard-api')
  const members = audience.members.filter(({ permissions }) => permissions.includes(`${serviceId}.notifications:read`))
  const people = members.map(({ id }) => id)
  if (people.length === 0) return []
  const { organizationId, personId } = notificationPreferences
  const [preferences, subscriptions, emails, visible] = await Promise.all([
    db
      .select()
      .from(notificationPreferences)
      .where(and(eq(organizationId, organization.id), inArray(personId, people))),
    db.select().from(pushSubscriptions).where(inArray(pushSubscriptions.personId, people)),
    lastEmails(db, { organizationId: organization.id, people }, new Date(call.now().getTime() - emailPauseMs)),
    listVisible({ ...call, db: call.database.db }, { organization, members }, ids),
  ])
  return members.map(({ id, timeZone }) => {
    const chosen = preferences.find((row) => row.personId === id) ?? defaultPreferences
    return {
      id,
      zone: timeZone ?? chosen.timeZone ?? 'UTC',
      preferences: chosen,
      subscriptions: subscriptions.flatMap((row) => (row.personId === id ? [row.id] : [])),
      visible: visible.get(id) ?? new Set(),
      lastEmailAt: emails.get(id) ?? null,
    }
  })
}

async function lastEmails(
  db: Database,
  { organizationId, people }: { organizationId: string; people: string[] },
  since: Date,
): Promise<Map<string | null, Date | null>> {
  const { personId, settledAt, channel, state } = notificationDeliveries
  const rows = await db
    .select({ personId, at: max(settledAt) })
    .from(notificationDeliveries)
    .where(
      and(
        eq(notificationDeliveries.organizationId, organizationId),
        inArray(personId, people),
        eq(channel, 'email'),
        eq(state, 'sent'),
        gt(settledAt, since),
      ),
    )
    .groupBy(personId)
  return new Map(rows.map(({ personId: id, at }) => [id, at]))
}
