import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import type { AudienceMember } from '#identity'

export interface Audience {
  organization: { id: string; slug: string; name: string } | null
  members: AudienceMember[]
}

/** Of an organization; later members get no messages. */
const maxMembers = 2_000
const pageSize = 100

/** All people of an organization, or those with these IDs. Empty while it is suspended. @throws {Problem} 503 */
export async function readAudience(
  { identity }: Pick<Call, 'identity'>,
  organizationId: string,
  ids?: readonly string[],
): Promise<Audience> {
  const members: AudienceMember[] = []
  let organization: Audience['organization'] = null
  for (;;) {
    const page = await identity.audience(organizationId, { ids, after: members.at(-1)?.id, limit: pageSize })
    if (page.organization) organization = { id: organizationId, ...page.organization }
    members.push(...page.items)
    if (page.items.length < pageSize || members.length >= maxMembers) return { organization, members }
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
