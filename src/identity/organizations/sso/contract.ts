import { z } from 'zod'
import { optionalField, plainText } from '#lib/text.ts'
import { Id } from '#lib/ids.ts'
import { EmailDomain } from '#lib/email-domain.ts'

/** Forms send one text with commas or spaces between domains. */
const Domains = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : value),
  z.array(EmailDomain).max(20, 'Must have at most 20 domains.'),
)

/** Without a client secret, the stored one is kept. */
export const SsoDraft = z.object({
  id: Id,
  issuer: z.url({ protocol: /^https?$/, error: 'Must be the issuer’s URL, such as https://login.acme.com.' }),
  clientId: plainText(200).trim().min(1, 'Enter the client ID.'),
  clientSecret: optionalField(plainText(500)),
  domains: Domains.optional()
    .describe(
      'Adds missing domains. Use /api/organizations/:id/domains instead, which can also verify and remove them.',
    )
    .meta({ deprecated: true }),
  required: z.union([z.boolean(), z.stringbool()]).default(false),
})
export type SsoDraft = z.output<typeof SsoDraft>

export const SsoOrganization = z.object({ id: Id, name: z.string() })
export type SsoOrganization = z.output<typeof SsoOrganization>

export const SsoLookup = z.object({
  organization: SsoOrganization.nullable().describe(
    'Null when the organization doesn’t exist or has no single sign-on.',
  ),
})

/** By one of the two. */
export const SsoOrganizationQuery = z.object({
  slug: optionalField(plainText(100).trim().toLowerCase()),
  id: Id.optional(),
})

export const OrganizationSso = z.object({
  issuer: z.string(),
  clientId: z.string(),
  domains: z.array(z.string()).describe('The organization’s email domains, including unverified ones.'),
  required: z
    .boolean()
    .describe('Members must use single sign-on to work in the organization; owners can sign in either way.'),
  callbackUrl: z.string().describe('The redirect URI to register at the provider.'),
})
export type OrganizationSso = z.output<typeof OrganizationSso>
