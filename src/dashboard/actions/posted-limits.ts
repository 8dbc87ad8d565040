import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { conflict } from '#lib/errors.ts'
import { notifications } from '../schema.ts'

/** Open posted notifications that one app, API key or person can have in an organization. */
const maxOfPoster = 200
/** Of all of them together. */
const maxOfOrganization = 1_000

/** Until the end of the transaction. */
export async function lockPosted(db: Database, organizationId: string): Promise<void> {
  const name = `posted notifications ${organizationId}`
  await db.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
}

type Posted = Pick<typeof notifications.$inferSelect, 'organizationId' | 'service' | 'postedBy'>

/** Of an organization that is locked, with the one that was just opened. @throws {Problem} 409 */
export async function requireRoom(db: Database, { organizationId, service, postedBy }: Posted): Promise<void> {
  const open = and(
    eq(notifications.organizationId, organizationId),
    notifications.posted,
    isNull(notifications.resolvedAt),
  )
  if ((await db.$count(notifications, open)) > maxOfOrganization)
    throw tooMany(`An organization can have at most ${maxOfOrganization} open notifications that were posted.`)
  const ofPoster = and(
    eq(notifications.service, service ?? ''),
    postedBy === null ? isNull(notifications.postedBy) : eq(notifications.postedBy, postedBy),
  )
  if ((await db.$count(notifications, and(open, ofPoster))) > maxOfPoster)
    throw tooMany(`An app, API key or person can have at most ${maxOfPoster} open notifications in an organization.`)
}

const tooMany = (limit: string) => conflict('too_many_notifications', `${limit} Mark some as done first.`)
