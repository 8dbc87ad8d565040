import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import { isAllowed } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { brokenConstraint, type Database } from '#lib/db.ts'
import { conflict, notFound, Problem } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { byId } from '#lib/paginate.ts'
import { slugOf } from '#lib/slug.ts'
import type { Organization, OrganizationDetail, OrganizationEdit } from '../contract.ts'
import { entitlementOf } from './entitlements/entitlements.ts'
import { adminOrganization } from '../contract/fields.ts'
import { callbackUrl } from '../sign-in/social-login/callback-url.ts'
import { publishRevocation } from '../tokens/revocation.ts'
import { memberships, organizations, suspensions } from '../schema.ts'
import { hasSecondFactor, requireOwnSecondFactor } from '../sign-in/second-factor/required.ts'
import type { OfLogo } from '#lib/images/logo.ts'
import { withLogoUrl } from './logo/logo-url.ts'
import { claimNumberedSlug } from './slugs/numbered.ts'
import { requireUnreserved } from './slugs/reserved.ts'
import { countSecondFactors } from './members/second-factors.ts'

interface OrganizationInput {
  name: string
  slug?: string
  /** When it isn't `slug`. */
  slugField?: string
  developerWorkspace: boolean
  timeZone?: string
}

/** `db` is a transaction. */
export type CreationContext = Pick<Call, 'db' | 'now' | 'ownNames'>

/** @throws {Problem} 409 when the requested slug is taken, 422 for a reserved one */
export async function createOrganization(
  { db, now, ownNames }: CreationContext,
  owner: Actor['principal'],
  input: OrganizationInput,
): Promise<Organization> {
  const { name, developerWorkspace, timeZone = null, slugField = 'slug' } = input
  requireUnreserved({ ownNames }, input.slug, slugField)
  const createdAt = now()
  const values = { id: newId(), name, developerWorkspace, timeZone, createdAt }
  const slug = input.slug
    ? await insertWithSlug(db, values, input.slug)
    : await insertWithFreeSlug(db, values, ownNames)
  if (!slug) throw slugTaken(slugField)
  const { id } = values
  await db.insert(memberships).values({ organizationId: id, userId: owner.id, role: 'owner', createdAt })
  recordChange(db, { object: 'organization', id, after: { name, slug }, by: owner, organizationId: id })
  return { id, slug, name, role: 'owner', timeZone, logoUrl: null, requiresSecondFactor: false }
}

const slugTaken = (path: string) =>
  new Problem(409, 'slug_taken', 'Another organization has this slug. Choose a different one.', {
    errors: [{ path, message: 'Another organization has this slug.' }],
  })

type Values = Omit<typeof organizations.$inferInsert, 'slug'>

async function insertWithSlug(db: Database, values: Values, slug: string): Promise<string | undefined> {
  const [row] = await db
    .insert(organizations)
    .values({ ...values, slug })
    .onConflictDoNothing({ target: organizations.slug })
    .returning({ slug: organizations.slug })
  return row?.slug
}

/** `acme`, `acme-2`, `acme-3` …: the first slug that is neither taken nor reserved. */
const insertWithFreeSlug = (db: Database, values: Values, ownNames: ReadonlySet<string>): Promise<string> =>
  claimNumberedSlug(db, slugOf(values.name, 'workspace'), {
    ownNames,
    taken: [{ table: organizations, column: organizations.slug }],
    take: async (slug) => (await insertWithSlug(db, values, slug)) !== undefined,
  })

export const isSlugFree = async (db: Database, slug: string): Promise<boolean> =>
  (await db.select({ id: organizations.id }).from(organizations).where(eq(organizations.slug, slug))).length === 0

const organizationColumns = {
  id: organizations.id,
  slug: organizations.slug,
  name: organizations.name,
  role: memberships.role,
  timeZone: organizations.timeZone,
  logoSha256: organizations.logoSha256,
  requiresSecondFactor: organizations.requiresSecondFactor,
}

const selectOrganizations = (db: Database) =>
  db
    .select(organizationColumns)
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .$dynamic()

/** Oldest first. */
export async function organizationsOf(db: Database, userId: string): Promise<Organization[]> {
  const rows = await selectOrganizations(db).where(eq(memberships.userId, userId)).orderBy(asc(organizations.id))
  return rows.map(withLogoUrl)
}

type CallerContext = Pick<Call<unknown, Actor>, 'db' | 'actor'>

/** Those that the session can work in. */
export async function listOrganizations({ db, actor }: CallerContext, page: { limit: number; cursor?: string }) {
  const slice = byId(organizations.id).slice(page)
  const within = actor.onlyIn ? eq(organizations.id, actor.onlyIn) : undefined
  const rows = await db
    .select({ ...organizationColumns, deletesAt: suspensions.deletesAt })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .leftJoin(suspensions, and(eq(suspensions.organizationId, organizations.id), isNull(suspensions.liftedAt)))
    .where(and(eq(memberships.userId, actor.principal.id), within, slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  const { items, nextCursor } = slice.page(rows)
  return { items: items.map((row) => toOwnOrganization(actor, row)), nextCursor }
}

type OwnRow = Omit<Organization, 'logoUrl'> & OfLogo & { deletesAt: Date | null }

const toOwnOrganization = (actor: Actor, { deletesAt, ...organization }: OwnRow) => ({
  ...withLogoUrl(organization),
  current: organization.id === actor.organization?.id,
  deletion: deletesAt && { deletesAt, can: { cancel: organization.role === 'owner' } },
})

/** @throws {Problem} 404 for any other */
export async function getOrganization(db: Database, userId: string, id: string): Promise<Organization> {
  const [found] = await selectOrganizations(db).where(and(eq(memberships.userId, userId), eq(organizations.id, id)))
  if (!found) throw notFound('organization')
  return withLogoUrl(found)
}

/** @throws {Problem} 404 for any other, and for one that the session can't work in */
export async function findOwnOrganization({ db, actor }: CallerContext, id: string): Promise<Organization> {
  if (actor.onlyIn && actor.onlyIn !== id) throw notFound('organization')
  return getOrganization(db, actor.principal.id, id)
}

export async function getOrganizationDetail(
  { db, actor, config, request }: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'config' | 'request'>,
  id: string,
): Promise<OrganizationDetail> {
  const organization = await findOwnOrganization({ db, actor }, id)
  // Changes are made in the active organization only.
  const update = actor.organization?.id === id && isAllowed(actor, 'role:owner', '')
  const [[row], appEntitlement, secondFactors, hasOwnFactor] = await Promise.all([
    db
      .select({ developerWorkspace: organizations.developerWorkspace })
      .from(organizations)
      .where(eq(organizations.id, id)),
    entitlementOf(db, id),
    update ? countSecondFactors(db, id) : null,
    update && hasSecondFactor(db, actor.credential.id),
  ])
  return {
    ...organization,
    developerWorkspace: row?.developerWorkspace ?? false,
    settings: { appEntitlement },
    ssoCallbackUrl: update ? callbackUrl(id, config, request) : null,
    secondFactors,
    can: { update, delete: update && organization.slug !== adminOrganization, requireSecondFactor: hasOwnFactor },
  }
}

/** The caller has to switch to another organization first. @throws {Problem} 404 */
export function requireActiveOrganization({ organization }: Actor, id: string): NonNullable<Actor['organization']> {
  if (organization?.id !== id) throw notFound('organization')
  return organization
}

/**
 * Keeps a slug that became reserved later. @throws {Problem} 404, 409, 422, 403 for an owner without a second
 * factor
 */
export async function updateOrganization(
  { db, actor, events, ownNames }: Pick<Call<unknown, Actor>, 'db' | 'actor' | 'events' | 'ownNames'>,
  { id, ...changes }: OrganizationEdit,
): Promise<Organization> {
  const { role } = requireActiveOrganization(actor, id)
  const [before] = await db.select().from(organizations).where(eq(organizations.id, id)).for('update')
  if (changes.requiresSecondFactor) await requireOwnSecondFactor({ db, actor })
  if (changes.slug !== before?.slug) requireUnreserved({ ownNames }, changes.slug, 'slug')
  const [row] = await db
    .update(organizations)
    .set(changes)
    .where(eq(organizations.id, id))
    .returning()
    .catch((error: unknown) => {
      const broken = brokenConstraint(error)
      if (broken === 'organizations_admin_slug')
        throw conflict('slug_not_changeable', 'The slug of the super admins’ organization can’t be changed.')
      throw broken === 'organizations_slug' ? slugTaken('slug') : error
    })
  if (!row) throw notFound('organization')
  recordChange(db, { object: 'organization', id, before, after: row })
  await publishRevocation(db, events, id)
  return withLogoUrl({ ...row, role })
}
