import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { words } from '#lib/words.ts'
import { EmailDomain } from '../domains/contract.ts'

/** A list, or as a form sends it: with commas or spaces between. */
const Domains = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : value),
  z.array(EmailDomain).max(20, 'At most 20 domains.'),
)

/** An organization's own OpenID Provider. Without a secret the one that is there stays. */
export const OwnSignInDraft = z.object({
  id: Id,
  issuer: z.url({ protocol: /^https?$/, error: 'Must be the address of the issuer, such as https://login.acme.com.' }),
  clientId: words(200).trim().min(1, 'The client’s id is missing.'),
  clientSecret: z.preprocess((value) => (value === '' ? undefined : value), words(500).optional()),
  domains: Domains.optional()
    .describe(
      'Adds domains that are not there yet. Use /api/organizations/:id/domains, which also verifies and removes them.',
    )
    .meta({ deprecated: true }),
  required: z.union([z.boolean(), z.stringbool()]).default(false),
})
export type OwnSignInDraft = z.output<typeof OwnSignInDraft>

/** The same as it stands, without its secret. */
export const OwnSignIn = z.object({
  issuer: z.string(),
  clientId: z.string(),
  domains: z.array(z.string()).describe('E-mail domains of the organization, verified or not.'),
  required: z.boolean().describe('Members whose session came another way don’t work in the organization; owners do.'),
  callbackUrl: z.string().describe('To be registered at the provider.'),
})
export type OwnSignIn = z.output<typeof OwnSignIn>
