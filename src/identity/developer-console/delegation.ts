import { and, eq, gt, isNull, or } from 'drizzle-orm'
import { atLeast, type Actor } from '#lib/actor.ts'
import { actsFor } from '#lib/audit.ts'
import { barredProblem } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { forbidden, notFound, Problem, unauthorized } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { consoleSlug } from '../actions/own-actions.ts'
import { refuseSuspended } from '../admin/suspended.ts'
import { findMembership } from '../permissions/facts.ts'
import { memberships, organizations, services, sessions, users } from '../schema.ts'
import { unmetRequirementOf, unmetRequirements } from '../second-factor/bar.ts'

/** The headers that name the person and organization the console calls for. */
const onBehalf = {
  'On-Behalf-Of': 'The id of the person for whom the service acts: an admin of the organization.',
  'On-Behalf-Of-Organization': 'The id of the organization that they work in.',
}

/** What all operations of the console have in common: the console's own service calls them, by signed requests. */
export const signedByConsole = { permission: 'service', signed: onBehalf, callers: [consoleSlug] } as const

type ActorCall<Input> = Call<Input, Actor>

/**
 * The call as the person's own: the one who is signed in, or whose id the console's signed request carries. The audit log names
 * the console, on their behalf. What bars a session of theirs from the organization bars this too. Throws 401 for a request
 * that names no person, 404 for a person who is no member, 403 below the role of an admin, for super admins, for a suspended
 * organization, and where no session of the person may work there now.
 */
export async function actAsPerson<Input>(call: ActorCall<Input>): Promise<ActorCall<Input>> {
  const own = await actAsPersonEvenIfSuspended(call)
  if (own.actor.organization) await refuseSuspended(call.db, own.actor.organization.id)
  return own
}

/** The same in a suspended organization too: for reading that it is. */
export async function actAsPersonEvenIfSuspended<Input>(call: ActorCall<Input>): Promise<ActorCall<Input>> {
  if (call.actor.tokenType !== 'service') return call
  const { headers } = call.request
  const userId = requireId(headers.get('on-behalf-of'))
  const organizationId = requireId(headers.get('on-behalf-of-organization'))
  const person = await findMember(call.db, userId, organizationId)
  if (person.principal.principalType === 'platform_super_admin') throw superAdminProblem()
  if (!atLeast(person.organization.role, 'admin')) throw forbidden('role:admin')
  await requireSession(call.db, { userId, organizationId, now: call.now() })
  actsFor(call.context, { onBehalfOf: userId, organizationId })
  return { ...call, actor: { ...call.actor, ...person, tokenType: 'access', service: null } }
}

const superAdminProblem = () =>
  new Problem(403, 'session_needed', 'No service speaks for a super admin: they sign in here themselves.')

function requireId(header: string | null): string {
  const { data } = Id.safeParse(header)
  if (!data) throw unauthorized('The request doesn’t say for whom: send On-Behalf-Of and On-Behalf-Of-Organization.')
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

/** Throws 403 unless the person has a session that could work in the organization now. */
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
        // A session of a third-party app opens nothing here.
        or(isNull(services.id), services.firstParty),
      ),
    )
  const bars = rows.map(unmetRequirementOf)
  if (bars.includes(null)) return
  const [bar] = bars
  throw bar
    ? barredProblem(bar)
    : new Problem(403, 'session_needed', 'This person is not signed in: a service speaks for people who are.')
}
