import { z } from 'zod'
import { EmailDomain } from '#lib/email-domain.ts'
import { Id } from '#lib/ids.ts'
import { Timestamp } from '#lib/time.ts'

export const DomainDraft = z.object({ id: Id, domain: EmailDomain })
export const DomainRef = z.object({ id: Id, domainId: Id })

export const domainFailures = ['record_missing', 'record_wrong', 'dns_unavailable'] as const

export const OrganizationDomain = z.object({
  id: Id,
  domain: z.string(),
  status: z
    .enum(['pending', 'verified', 'failed'])
    .describe('The organization’s SSO can create accounts and sign them in only for verified domains.'),
  record: z
    .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
    .describe('The DNS record that proves ownership of the domain. Keep it in place.'),
  failure: z
    .object({ reason: z.enum(domainFailures), detail: z.string() })
    .nullable()
    .describe('Why the last check failed.'),
  createdAt: Timestamp,
  verifiedAt: Timestamp.nullable(),
  checkedAt: Timestamp.nullable(),
  endsAt: Timestamp.nullable().describe('When a verified domain with a missing record becomes unverified.'),
})
export type OrganizationDomain = z.output<typeof OrganizationDomain>
