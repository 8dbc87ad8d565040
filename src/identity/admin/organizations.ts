import { and, count, desc, eq, gt, ilike, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, containsPattern, type Database } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { byId } from '#lib/paginate.ts'
import { adminOrganization } from '../contract/fields.ts'
import { withLogoUrl } from '../organizations/logo/logo-url.ts'
import { ownersOf } from '../organizations/owners.ts'
import { publishRevocation } from '../tokens/revocation.ts'
import { apiKeys, memberships, organizations, suspensions, users } from '../schema.ts'
import { notifyOwners } from '../deletion/notices.ts'
import { gracePeriodMs } from '../deletion/organizations.ts'
import type { OrganizationSearch, SuspensionDraft } from './contract.ts'
import { runningSuspension } from './suspended.ts'

const listed = {
  id: organizations.id,
  slug: organizations.slug,
  name: organizations.name,
  logoSha256: organizations.logoSha256,
  createdAt: organizations.createdAt,
  members: sql<number>`(SELECT count(*)::int FROM ${memberships} WHERE ${memberships.organizationId} = ${organizations.id})`,
  state: sql<'active' | 'suspended' | 'deleting'>`CASE WHEN ${suspensions.id} IS NULL THEN 'active'
    WHEN ${suspensions.deletesAt} IS NULL THEN 'suspended' ELSE 'deleting' END`,
  deletesAt: suspensions.deletesAt,
}

const selectOrganizations = (db: Database) =>
  db.select(listed).from(organizations).leftJoin(suspensions, runningSuspension).$dynamic()

/** Those whose name or slug contains `q`, oldest first. */
export async function listAll(db: Database, { q, state, ...page }: OrganizationSearch) {
  const slice = byId(organizations.id).slice(page)
  const rows = await selectOrganizations(db)
    .where(
      and(
        slice.where,
        q
          ? or(ilike(organizations.name, containsPattern(q)), ilike(organizations.slug, containsPattern(q)))
          : undefined,
        state ? inState[state] : undefined,
      ),
    )
    .orderBy(...slice.order)
    .limit(slice.limit)
  const { items, nextCursor } = slice.page(rows)
  return { items: items.map(withLogoUrl), nextCursor }
}

const inState = {
  active: isNull(suspensions.id),
  suspended: and(isNotNull(suspensions.id), isNull(suspensions.deletesAt)),
  deleting: isNotNull(suspensions.deletesAt),
}

type InspectionContext = Pick<Call<unknown, Actor>, 'db' | 'now' | 'countBrands'>

/** @throws {Problem} 404 */
export async function inspect({ db, now, countBrands }: InspectionContext, id: string) {
  const [found] = await selectOrganizations(db).where(eq(organizations.id, id))
  if (!found) throw notFound('organization')
  const organization = withLogoUrl(found)
  const [owners, keys, brands, history] = await Promise.all([
    ownersOf(db, id),
    countActiveKeys(db, id, now()),
    countBrands(db, id),
    suspensionsOf(db, id),
  ])
  const can = { suspend: organization.slug !== adminOrganization }
  return { ...organization, owners, apiKeys: keys, brands, suspensions: history, can }
}

async function countActiveKeys(db: Database, id: string, now: Date): Promise<number> {
  const isActive = sql`least(${apiKeys.expiresAt}, ${apiKeys.overlapEndsAt}, 'infinity') > ${now.toISOString()}::timestamptz`
  const [row] = await db
    .select({ count: count() })
    .from(apiKeys)
    .where(and(eq(apiKeys.organizationId, id), isNull(apiKeys.revokedAt), isActive))
  return row?.count ?? 0
}

const suspender = alias(users, 'suspender')
const lifter = alias(users, 'lifter')

const entry = {
  id: suspensions.id,
  reason: suspensions.reason,
  suspendedBy: { id: suspender.id, name: suspender.name },
  suspendedAt: suspensions.suspendedAt,
  liftedBy: { id: lifter.id, name: lifter.name },
  liftedAt: suspensions.liftedAt,
}

/** At most 100, newest first. */
const suspensionsOf = (db: Database, id: string) =>
  db
    .select(entry)
    .from(suspensions)
    .leftJoin(suspender, eq(suspender.id, suspensions.suspendedBy))
    .leftJoin(lifter, eq(lifter.id, suspensions.liftedBy))
    .where(eq(suspensions.organizationId, id))
    .orderBy(desc(suspensions.id))
    .limit(100)

type ActorCall = Call<unknown, Actor>

/** A scheduled deletion is paused. @throws {Problem} 404, 409 when suspended, or the super admins' own */
export async function suspend(call: ActorCall, { id, reason }: SuspensionDraft) {
  const { db, actor, events, now } = call
  const { can } = await inspect(call, id)
  if (!can.suspend) throw conflict('own_organization', 'The super admins’ own organization can’t be suspended.')
  const row = { id: newId(), organizationId: id, reason, suspendedBy: actor.principal.id, suspendedAt: now() }
  const wasDeleting = await pauseDeletion(call, id, row.suspendedAt)
  await db
    .insert(suspensions)
    .values(row)
    .catch((error: unknown) => {
      throw brokenConstraint(error) === 'suspensions_running'
        ? conflict('already_suspended', 'This organization is already suspended, or its deletion is final.')
        : error
    })
  const before = { state: wasDeleting ? 'deleting' : 'active' }
  recordChange(db, { object: 'organization', id, before, after: { state: 'suspended', reason } })
  recordChange(db, { object: 'organization', id, before, after: { state: 'suspended', reason }, organizationId: id })
  await publishRevocation(db, events, id)
  return inspect(call, id)
}

/** Mails the owners. False when no deletion can still be canceled. */
async function pauseDeletion(call: ActorCall, id: string, at: Date): Promise<boolean> {
  const { db, actor } = call
  const [held] = await db
    .update(suspensions)
    .set({ liftedAt: at, liftedBy: actor.principal.id })
    .where(and(eq(suspensions.organizationId, id), isNull(suspensions.liftedAt), gt(suspensions.deletesAt, at)))
    .returning({ id: suspensions.id })
  if (held) await notifyOwners(call, db, id, { happened: 'suspended' })
  return held !== undefined
}

/** A paused deletion is scheduled again, with 30 days to cancel it. @throws {Problem} 404 when it isn't suspended */
export async function lift(call: ActorCall, id: string): Promise<void> {
  const { db, actor, events, now } = call
  const at = now()
  const [lifted] = await db
    .update(suspensions)
    .set({ liftedAt: at, liftedBy: actor.principal.id })
    .where(and(eq(suspensions.organizationId, id), isNull(suspensions.liftedAt), isNull(suspensions.deletesAt)))
    .returning()
  if (!lifted) throw notFound('suspension')
  const isDeleting = await resumeDeletion(call, id, { heldAt: lifted.suspendedAt, at })
  const after = { state: isDeleting ? 'deleting' : 'active' }
  recordChange(db, { object: 'organization', id, before: { state: 'suspended' }, after })
  recordChange(db, { object: 'organization', id, after, organizationId: id })
  await publishRevocation(db, events, id)
}

/** Returns false without one. */
async function resumeDeletion(
  call: ActorCall,
  id: string,
  { heldAt, at }: { heldAt: Date; at: Date },
): Promise<boolean> {
  const { db } = call
  const [held] = await db
    .select({ reason: suspensions.reason, suspendedBy: suspensions.suspendedBy, by: users.name })
    .from(suspensions)
    .leftJoin(users, eq(users.id, suspensions.suspendedBy))
    .where(and(eq(suspensions.organizationId, id), isNotNull(suspensions.deletesAt), eq(suspensions.liftedAt, heldAt)))
  if (!held) return false
  const { by, ...request } = held
  const deletesAt = new Date(at.getTime() + gracePeriodMs)
  await db.insert(suspensions).values({ ...request, id: newId(), organizationId: id, suspendedAt: at, deletesAt })
  await notifyOwners(call, db, id, { happened: 'requested', by: by ?? 'Someone', deletesAt })
  return true
}
