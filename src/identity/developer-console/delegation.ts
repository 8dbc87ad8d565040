import { and, eq } from 'drizzle-orm'
import { atLeast, type Actor, type Role } from '#lib/actor.ts'
import { actsFor } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { forbidden, notFound, unauthorized } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { memberOf } from '../permissions/facts.ts'
import { memberships, organizations, services, users } from '../schema.ts'

/** The headers by which a service says for whom it acts. */
export const onBehalf = {
  'On-Behalf-Of': 'The id of the person for whom the service acts: an admin of the organization.',
  'On-Behalf-Of-Organization': 'The id of the organization that they work in.',
}

type Acting<Input> = Call<Input, Actor>

/**
 * The call as the person's own: whoever is signed in, or for whom a service's signed request speaks. What is done is
 * audited as the service's, on their behalf. Throws 401 for a request that names nobody, 404 for whoever is no member,
 * 403 for one below `needed`.
 */
export async function inPerson<Input>(call: Acting<Input>, needed: Role = 'admin'): Promise<Acting<Input>> {
  if (call.actor.tokenType !== 'service') return call
  await requireFirstParty(call.db, call.actor)
  const { headers } = call.request
  const userId = idOf(headers.get('on-behalf-of'))
  const organizationId = idOf(headers.get('on-behalf-of-organization'))
  const person = await personOf(call.db, userId, organizationId)
  if (!atLeast(person.organization.role, needed)) throw forbidden(`role:${needed}`)
  actsFor(call.request, { onBehalfOf: userId, organizationId })
  return { ...call, actor: { ...call.actor, ...person, tokenType: 'access', service: null } }
}

function idOf(header: string | null): string {
  const { data } = Id.safeParse(header)
  if (!data) throw unauthorized('The request doesn’t say for whom: send On-Behalf-Of and On-Behalf-Of-Organization.')
  return data
}

async function personOf(db: Database, userId: string, organizationId: string) {
  const [user] = await db
    .select({ principalType: users.principalType, slug: organizations.slug })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .innerJoin(organizations, eq(organizations.id, memberships.organizationId))
    .where(and(eq(memberships.userId, userId), eq(memberships.organizationId, organizationId)))
  const member = await memberOf(db, { userId, organizationId })
  if (!user || !member) throw notFound('member')
  return {
    principal: { id: userId, principalType: user.principalType },
    organization: { id: organizationId, slug: user.slug, role: member.role },
    permissions: new Set(member.permissions),
  }
}

/** The services of the platform's own, not what is registered beside them. */
async function requireFirstParty(db: Database, { service }: Actor): Promise<void> {
  const [own] = await db
    .select({ id: services.id })
    .from(services)
    .where(and(eq(services.slug, service ?? ''), eq(services.firstParty, true)))
  if (!own) throw unauthorized('Only the platform’s own services may ask this.')
}
