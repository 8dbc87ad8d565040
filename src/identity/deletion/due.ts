import { and, eq, exists, gt, inArray, isNull, lte, notExists, or, sql, type SQLWrapper } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { remainingOwners } from '../organizations/owners.ts'
import {
  accountDeletions,
  accountErasures,
  erasedOrganizations,
  memberships,
  organizationErasures,
  serviceKeys,
  services,
  suspensions,
  users,
} from '../schema.ts'

/** A service that erases its part of an organization before identity does. */
export interface Keeper {
  slug: string
  /** In this process. */
  here: boolean
  /** After the others, which need it until then. */
  last: boolean
}

/** Per run; the next run takes the rest. */
const batchSize = 100
/** Clocks differ between servers, and a deletion that was canceled in the last moment must not be executed. */
const safetyMarginMs = 5 * 60_000

export const isDue = (now: Date) =>
  and(isNull(suspensions.liftedAt), lte(suspensions.deletesAt, new Date(now.getTime() - safetyMarginMs)))

export const isAccountDue = (now: Date) => lte(accountDeletions.deletesAt, dueBefore(now))

export const dueBefore = (now: Date): Date => new Date(now.getTime() - safetyMarginMs)

/** In organizations without another owner: these are erased before the account. */
export const soleOwnerships = (db: Database) =>
  db
    .select({ one: sql`1` })
    .from(memberships)
    .where(
      and(
        eq(memberships.userId, accountDeletions.userId),
        eq(memberships.role, 'owner'),
        notExists(remainingOwners(db, memberships.organizationId)),
      ),
    )

/** In random order, so that erasures that fail each time don't fill each batch. */
export const inRandomOrder = sql`random()`

interface ListDue {
  serviceId: string
  keepers: readonly Keeper[]
  now: Date
}

/** Those that are to be erased, and those that identity has erased since: rows of them may have been written meanwhile. */
export async function listDue(db: Database, options: ListDue): Promise<string[]> {
  const due = await listUnerased(db, options)
  return due.length < batchSize ? [...due, ...(await listUnswept(db, options))] : due
}

/** Some minutes after identity’s erasure, when no request or job of before is still running. */
async function listUnswept(db: Database, { serviceId, now }: ListDue): Promise<string[]> {
  const { organizationId, erasedAt } = erasedOrganizations
  const rows = await db
    .select({ id: organizationId })
    .from(erasedOrganizations)
    .where(and(lte(erasedAt, dueBefore(now)), isUnsweptBy(serviceId)))
    .orderBy(inRandomOrder)
    .limit(batchSize)
  return rows.map(({ id }) => id)
}

export const isUnsweptBy = (serviceId: string) => sql`${serviceId} <> ALL (${erasedOrganizations.sweptBy})`

/** For one that erases last: those that the others have erased. */
async function listUnerased(db: Database, { serviceId, keepers, now }: ListDue): Promise<string[]> {
  const [service] = await db.select({ slug: services.slug }).from(services).where(eq(services.id, serviceId))
  const isLast = keepers.some(({ slug, last }) => last && slug === service?.slug)
  const done = db
    .select({ one: sql`1` })
    .from(organizationErasures)
    .where(
      and(
        eq(organizationErasures.organizationId, suspensions.organizationId),
        eq(organizationErasures.serviceId, serviceId),
      ),
    )
  const before = isLast ? keepers.filter(({ last }) => !last) : []
  const rows = await db
    .select({ id: suspensions.organizationId })
    .from(suspensions)
    .where(and(isDue(now), notExists(done), isErasedBy(db, before)))
    .orderBy(inRandomOrder)
    .limit(batchSize)
  return rows.map(({ id }) => id)
}

/** Those that are to be erased, and those that identity has erased since: rows of them may have been written meanwhile. */
export async function listDueAccounts(db: Database, serviceId: string, now: Date): Promise<string[]> {
  const due = await listUnerasedAccounts(db, serviceId, now)
  return due.length < batchSize ? [...due, ...(await listUnsweptAccounts(db, serviceId, now))] : due
}

/** Some minutes after identity’s erasure, when no request or job of before is still running. */
async function listUnsweptAccounts(db: Database, serviceId: string, now: Date): Promise<string[]> {
  const done = db
    .select({ one: sql`1` })
    .from(accountErasures)
    .where(
      and(
        eq(accountErasures.userId, users.id),
        eq(accountErasures.serviceId, serviceId),
        gt(accountErasures.erasedAt, users.erasedAt),
      ),
    )
  const rows = await db
    .select({ id: users.id })
    .from(users)
    .where(and(lte(users.erasedAt, dueBefore(now)), notExists(done)))
    .orderBy(inRandomOrder)
    .limit(batchSize)
  return rows.map(({ id }) => id)
}

async function listUnerasedAccounts(db: Database, serviceId: string, now: Date): Promise<string[]> {
  const done = db
    .select({ one: sql`1` })
    .from(accountErasures)
    .where(and(eq(accountErasures.userId, accountDeletions.userId), eq(accountErasures.serviceId, serviceId)))
  const rows = await db
    .select({ id: accountDeletions.userId })
    .from(accountDeletions)
    .where(and(isAccountDue(now), notExists(done)))
    .orderBy(inRandomOrder)
    .limit(batchSize)
  return rows.map(({ id }) => id)
}

export const isErasedBy = (db: Database, keepers: readonly Keeper[]) =>
  hasNoPending(
    db,
    keepers,
    db
      .select({ id: organizationErasures.serviceId })
      .from(organizationErasures)
      .where(eq(organizationErasures.organizationId, suspensions.organizationId)),
  )

export const isAccountErasedBy = (db: Database, keepers: readonly Keeper[]) =>
  hasNoPending(
    db,
    keepers,
    db
      .select({ id: accountErasures.serviceId })
      .from(accountErasures)
      .where(eq(accountErasures.userId, accountDeletions.userId)),
  )

/** A service that runs in no process and never had a service key has no data to erase. */
function hasNoPending(db: Database, keepers: readonly Keeper[], done: SQLWrapper) {
  const slugs = keepers.map(({ slug }) => slug)
  if (slugs.length === 0) return sql`true`
  const here = keepers.filter((keeper) => keeper.here).map(({ slug }) => slug)
  const key = db
    .select({ one: sql`1` })
    .from(serviceKeys)
    .where(eq(serviceKeys.serviceId, services.id))
  const pending = db
    .select({ one: sql`1` })
    .from(services)
    .where(
      and(
        inArray(services.slug, slugs),
        or(here.length > 0 ? inArray(services.slug, here) : undefined, exists(key)),
        sql`${services.id} NOT IN ${done}`,
      ),
    )
  return sql`NOT EXISTS ${pending}`
}
