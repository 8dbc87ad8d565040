import { and, eq, gt, isNull, or } from 'drizzle-orm'
import { atLeast, type Actor } from '#lib/actor.ts'
import { recordDelegation } from '#lib/audit.ts'
import { unmetRequirementProblem } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { forbidden, notFound, Problem, unauthorized } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { consoleSlug } from '../../registry/actions/own-actions.ts'
import { refuseSuspended } from '../../admin/suspended.ts'
import { findMembership } from '../../organizations/permissions/queries.ts'
import { memberships, organizations, services, sessions, users } from '../../schema.ts'
import { unmetRequirementOf, unmetRequirements } from '../../sign-in/second-factor/unmet-requirements.ts'

const onBehalf = {
  'On-Behalf-Of': 'The ID of the person on whose behalf the service acts. Must be an admin of the organization.',
  'On-Behalf-Of-Organization': 'The ID of the organization in which the service acts.',
}

/** The console's own service calls them with signed requests. */
export const signedByConsole = { permission: 'service', signed: onBehalf, callers: [consoleSlug] } as const

type ActorCall<Input> = Call<Input, Actor>

/**
 * The caller, or the person that the console's signed request names: the audit log then names the console, on their
 * behalf. @throws {Problem} 401 for a request that names no person, 404 for a person who isn't a member, 403 below
 * admin, for super admins, for a suspended organization and without a suitable session
 */
export async function actAsPerson<Input>(call: ActorCall<Input>): Promise<ActorCall<Input>> {
  const own = await actAsPersonEvenIfSuspended(call)
  if (own.actor.organization) await refuseSuspended(call.db, own.actor.organization.id)
  return own
}

/** `actAsPerson`, also in a suspended organization: to read its state. */
export async function actAsPersonEvenIfSuspended<Input>(call: ActorCall<Input>): Promise<ActorCall<Input>> {
  if (call.actor.tokenType !== 'service') return call
  const { headers } = call.request
  const userId = requireId(headers.get('on-behalf-of'))
  const organizationId = requireId(headers.get('on-behalf-of-organization'))
  const person = await findMember(call.db, userId, organizationId)
  if (person.principal.principalType === 'platform_super_admin') throw superAdminProblem()
  if (!atLeast(person.organization.role, 'admin')) throw forbidden('role:admin')
  await requireSession(call.db, { userId, organizationId, now: call.now() })
  recordDelegation(call.context, { onBehalfOf: userId, organizationId })
  return { ...call, actor: { ...call.actor, ...person, tokenType: 'access', service: null } }
}

const superAdminProblem = () =>
  new Problem(403, 'session_required', 'A service can’t act on behalf of a super admin. Super admins sign in here.')

function requireId(header: string | null): string {
  const { data } = Id.safeParse(header)
  if (!data) throw unauthorized('The request names no person. Send On-Behalf-Of and On-Behalf-Of-Organization.')
  return data
}

async function findMember(db: Database, userId: string, organizationId: string) {
  const [user] = await db
    .select({ principalType: users.principalType, slug: organizations.slug })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.userId, userId), eq(memberships.organizationId, organizationId)))
  const member = await findMembership(db, { userId, organizationId })
  if (!user || !member) throw notFound('member')
  return {
    principal: { id: userId, principalType: user.principalType },
    organization: { id: organizationId, slug: user.slug, role: member.role },
    permissions: new Set(member.permissions),
  }
}

/** @throws {Problem} 403 unless the person has a session that could work in the organization now */
async function requireSession(
  db: Database,
  { userId, organizationId, now }: { userId: string; organizationId: string; now: Date },
): Promise<void> {
  const rows = await db
    .select({ organizationId: organizations.id, name: organizations.name, ...unmetRequirements })
    .from(sessions)
    .leftJoin(services, eq(services.id, sessions.serviceId))
    .innerJoin(memberships, eq(memberships.userId, sessions.userId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(
      and(
        eq(sessions.userId, userId),
        eq(organizations.id, organizationId),
        gt(sessions.idleExpiresAt, now),
        or(isNull(sessions.onlyIn), eq(sessions.onlyIn, organizationId)),
        // A session of a third-party app doesn't count.
        or(isNull(services.id), services.firstParty),
      ),
    )
  const bars = rows.map(unmetRequirementOf)
  if (bars.includes(null)) return
  const [bar] = bars
  throw bar
    ? unmetRequirementProblem(bar)
    : new Problem(
        403,
        'session_required',
        'This person is not signed in. A service can only act on behalf of a signed-in person.',
      )
}
