import { z } from 'zod'
import { Problem } from '#lib/errors.ts'
import { plainText } from '#lib/text.ts'
import type { ConsentCall } from '../network.ts'
import type { OAuthTarget } from '../oauth.ts'
import { requestAs } from './api.ts'

const OrganizationUrn = z.string().regex(/^urn:li:organization:\d{1,20}$/)
const Roles = z.object({
  elements: z.array(z.object({ organization: OrganizationUrn, role: z.string() })),
  paging: z.object({ total: z.int() }).optional().catch(undefined),
})
const Organization = z.object({ localizedName: plainText(200).min(1) })

/** Roles that can publish, as LinkedIn names them. */
export const publishingRoles: Record<string, string> = {
  ADMINISTRATOR: 'Administrator',
  CONTENT_ADMIN: 'Content administrator',
}
const pageSize = 100
const maxOrganizations = 200

/** The Pages in which a member has a role. @throws {Problem} 502 */
export async function listPages(access: string, call: ConsentCall): Promise<OAuthTarget[]> {
  const roles = new Map<string, string>()
  for (let start = 0; start < maxOrganizations; start += pageSize) {
    const query = new URLSearchParams({ q: 'roleAssignee', state: 'APPROVED' })
    query.set('start', String(start))
    query.set('count', String(pageSize))
    const { elements } = await read(Roles, access, call, `/rest/organizationAcls?${query}`)
    for (const { organization, role } of elements)
      if (!roles.has(organization) || role in publishingRoles) roles.set(organization, role)
    if (elements.length < pageSize) break
  }
  const targets: OAuthTarget[] = []
  for (const [author, role] of roles) {
    const id = author.split(':').at(-1) ?? ''
    const { localizedName: name } = await read(Organization, access, call, `/rest/organizations/${id}`)
    targets.push({
      profile: { externalId: id, name, metadata: { author, organizations: [{ id, name }] } },
      detail: `Page, ${publishingRoles[role] ?? role.toLowerCase()}`,
      refusal: role in publishingRoles ? null : 'Your role can’t publish. A content administrator has to connect it.',
    })
  }
  return targets
}

/** @throws {Problem} 502 */
async function read<Schema extends z.ZodType>(
  schema: Schema,
  access: string,
  call: ConsentCall,
  path: string,
): Promise<z.output<Schema>> {
  const response = await requestAs(access, call, path).catch(() => null)
  const parsed = schema.safeParse(response?.ok ? await response.json().catch(() => null) : null)
  if (parsed.success) return parsed.data
  throw new Problem(502, 'provider_error', 'LinkedIn didn’t list the Pages of this account. Try again in a moment.')
}
