import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'
import { words } from '#lib/words.ts'

const pattern = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9-]{2,63}$/
const rule = 'Must be the part of e-mail addresses after the @, such as acme.com.'

/** The domain of e-mail addresses, in lowercase ASCII. */
export const EmailDomain = words(253)
  .trim()
  .min(1, rule)
  // The conversion cuts off what follows these, as it would of a URL.
  .regex(/^[^\s/\\?#@:%]*$/, { error: rule, abort: true })
  .transform((text) => domainToASCII(text.toLowerCase()))
  .refine((domain) => domain.length <= 253 && pattern.test(domain), rule)

export const DomainDraft = z.object({ id: Id, domain: EmailDomain })
export const DomainRef = z.object({ id: Id, domainId: Id })

export const domainFailures = ['record_missing', 'record_wrong', 'dns_unavailable'] as const

/** An e-mail domain of an organization, and how it proves that it owns it. */
export const OrganizationDomain = z.object({
  id: Id,
  domain: z.string(),
  status: z
    .enum(['pending', 'verified', 'failed'])
    .describe('Only a verified domain lets the organization’s own provider make accounts and sign them in.'),
  record: z
    .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
    .describe('The DNS record that proves the domain. It has to stay.'),
  failure: z
    .object({ reason: z.enum(domainFailures), detail: z.string() })
    .nullable()
    .describe('Why the last check did not find the record.'),
  createdAt: Timestamp,
  verifiedAt: Timestamp.nullable(),
  checkedAt: Timestamp.nullable(),
  endsAt: Timestamp.nullable().describe('When a verified domain whose record is gone stops counting.'),
})
export type OrganizationDomain = z.output<typeof OrganizationDomain>
