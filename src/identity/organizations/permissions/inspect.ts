import { and, eq } from 'drizzle-orm'
import { atLeast, type Actor, type Role } from '#lib/actor.ts'
import { isAllowed, unmetRequirementProblem } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { forbidden, invalid, notFound } from '#lib/errors.ts'
import { lastContext } from '../../accounts/accounts.ts'
import { requireAccessibleOrganization } from '../open-organization.ts'
import { organizationsOf } from '../organizations.ts'
import { memberships, users } from '../../schema.ts'
import { getUnmetRequirement } from '../../sign-in/second-factor/required.ts'
import { requireServiceBySlug } from '../../registry/services.ts'
import type { Inspection, InspectionQuery } from './contract.ts'
import { explainPermission, type MemberStanding } from './explain.ts'
import {
  listServiceAccess,
  listResourceRoles,
  findMembership,
  listMemberOverrides,
  listCatalog,
  type MemberRef,
} from './queries.ts'

type ActorContext = Pick<Call<unknown, Actor>, 'db' | 'actor'>

/**
 * The caller’s own, those of members of an organization that the caller administers, and everyone’s for super
 * admins (IDN-13). @throws 403 for a member who is not an admin, and as `requireAccessibleOrganization`; 404 for
 * everyone else; 422 for an unknown permission
 */
export async function explainMemberPermissions(call: ActorContext, query: InspectionQuery): Promise<Inspection> {
  const { userId } = query
  const organizationId = await resolveOrganization(call, query)
  const place = organizationId ? { organizationId, userId } : null
  const [catalog, standing] = await Promise.all([listCatalog(call.db), place && loadStanding(call.db, place)])
  const override = canOverride(call.actor, organizationId, standing)
  const canGrant = (permission: string) => override && call.actor.permissions.has(permission)
  const all = catalog.map((entry) => explainPermission(entry, standing))
  const entries = all
    .filter((entry) => matchesPermission(entry.permission, query.permission))
    .map((entry) => ({ ...entry, can: { grant: canGrant(entry.permission) } }))
  if (entries.length === 0 && query.permission !== undefined)
    throw invalid([{ path: 'permission', message: `Unknown permission ${query.permission}.` }])
  return {
    userId,
    organizationId,
    member: standing,
    effectivePermissions: standing ? [...standing.held] : [],
    entries: entries.filter((entry) => matchesText(entry, query.q)),
    sources: {
      serviceAccess: standing?.access ?? [],
      roleBundles: standing ? bundlesOf(all, standing) : [],
      userOverrides: standing?.overrides ?? [],
    },
    can: { override },
  }
}

/** Admins in their active organization; of owners only owners. */
export function canOverride(actor: Actor, organizationId: string | null, member: { role: Role } | null): boolean {
  if (!member || organizationId === null || actor.organization?.id !== organizationId) return false
  return isAllowed(actor, 'role:admin', '') && (member.role !== 'owner' || actor.organization.role === 'owner')
}

/** Null for a person without an organization. */
async function resolveOrganization({ db, actor }: ActorContext, { userId, organizationId }: InspectionQuery) {
  const isSelf = actor.principal.id === userId && actor.tokenType !== 'service'
  if (actor.onlyIn && organizationId && organizationId !== actor.onlyIn) throw notFound('user')
  if (isSelf) {
    await requireMetRequirements({ db, actor }, organizationId)
    return organizationId ?? actor.organization?.id ?? null
  }
  if (isAllowed(actor, 'super-admin', '')) return organizationId ?? defaultOrganization(db, userId)
  const shared = organizationId ?? actor.organization?.id
  const role = shared && (await roleIn(db, actor, shared))
  if (!role) throw notFound('user')
  await requireAccessibleOrganization({ db, actor }, shared)
  if (atLeast(role, 'admin') || (await isGatewayAdmin(db, actor, shared))) return shared
  throw (await findMembership(db, { organizationId: shared, userId })) ? forbidden('role:admin') : notFound('user')
}

/** @throws 403 for a session below the sign-in requirements of the organization, which has no permissions in it */
async function requireMetRequirements({ db, actor }: ActorContext, organizationId: string | undefined): Promise<void> {
  const unmet = organizationId
    ? await getUnmetRequirement(db, actor.credential.id, organizationId)
    : actor.unmetRequirement
  if (unmet) throw unmetRequirementProblem(unmet)
}

/** Admins have the gateway’s `org:admin`; other members can be granted it. */
export async function isGatewayAdmin(db: Database, { principal }: Actor, organizationId: string): Promise<boolean> {
  const [member, gateway] = await Promise.all([
    findMembership(db, { organizationId, userId: principal.id }),
    requireServiceBySlug(db, 'platform-gateway'),
  ])
  return member?.permissions.includes(`${gateway.id}.org:admin`) ?? false
}

/** The one that the person would work in after signing in. @throws 404 */
async function defaultOrganization(db: Database, userId: string): Promise<string | null> {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user) throw notFound('user')
  const theirs = await organizationsOf(db, userId)
  return (lastContext(user, theirs) ?? theirs[0])?.id ?? null
}

/** Active or not. */
async function roleIn(db: Database, { principal, organization }: Actor, id: string) {
  if (organization?.id === id) return organization.role
  const own = and(eq(memberships.organizationId, id), eq(memberships.userId, principal.id))
  const [membership] = await db.select({ role: memberships.role }).from(memberships).where(own)
  return membership?.role
}

/** @throws 404 for a non-member */
async function loadStanding(db: Database, place: MemberRef): Promise<MemberStanding> {
  const [member, access, overrides, limits] = await Promise.all([
    findMembership(db, place),
    listServiceAccess(db, place.organizationId),
    listMemberOverrides(db, place),
    listResourceRoles(db, place),
  ])
  if (!member) throw notFound('user')
  const { permissions, ...membership } = member
  return { ...membership, held: new Set(member.suspended ? [] : permissions), access, overrides, limits }
}

const matchesPermission = (permission: string, filter: string | undefined): boolean =>
  filter === undefined || permission === filter || permission.endsWith(`.${filter}`)

function matchesText({ permission, description }: { permission: string; description: string }, q = ''): boolean {
  const name = permission.slice(permission.indexOf('.') + 1)
  return `${name} ${description}`.toLowerCase().includes(q.toLowerCase())
}

function bundlesOf(entries: ReturnType<typeof explainPermission>[], { access, role }: MemberStanding) {
  const isInBundle = (entry: ReturnType<typeof explainPermission>) =>
    entry.sources.some(({ kind }) => kind === 'role_bundle')
  const bundled = entries.filter(isInBundle)
  return access.map(({ serviceId, service }) => ({
    serviceId,
    service,
    role,
    permissions: bundled.flatMap((entry) => (entry.serviceId === serviceId ? [entry.permission] : [])),
  }))
}
