import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { AudienceMember } from '#identity'

export interface Audience {
  organization: { id: string; slug: string; name: string }
  members: AudienceMember[]
}

const pageSize = 100

/** All people of an organization, 100 at once. None while it is suspended. @throws {Problem} 503 */
export async function* readAudience(
  { identity }: Pick<Call, 'identity'>,
  organizationId: string,
): AsyncGenerator<Audience> {
  for (let after: string | undefined; ;) {
    const { organization, items } = await identity.audience(organizationId, { after, limit: pageSize })
    if (organization) yield { organization: { id: organizationId, ...organization }, members: items }
    after = items.at(-1)?.id
    if (items.length < pageSize) return
  }
}

/** The person as a caller with a session in the organization, for the rules of what they can see. */
export const actorOfMember = (
  { id, principalType, role, permissions, resources }: AudienceMember,
  organization: { id: string; slug: string },
): Actor => ({
  tokenType: 'session',
  principal: { id, principalType },
  credential: { kind: 'session', id },
  organization: { id: organization.id, slug: organization.slug, role },
  suspension: null,
  unmetRequirement: null,
  permissions: new Set(permissions),
  bindings: resources.map((resource) => ({ ...resource, permissions: new Set(resource.permissions) })),
  service: null,
  isSuperAdmin: false,
  app: null,
})
