import { DnsUnavailable, type Dns } from '#lib/dns.ts'
import type { organizationDomains } from '../../schema.ts'

type Row = typeof organizationDomains.$inferSelect
export type DomainFailure = NonNullable<Row['failure']>
type Challenge = Pick<Row, 'domain' | 'token'>

/** The TXT record that proves ownership of a domain. */
export const recordFor = ({ domain, token }: Challenge) => ({
  type: 'TXT' as const,
  name: `_atrium-challenge.${domain}`,
  value: `atrium-domain-verification=${token}`,
})

/** Null when the record is there. */
export async function checkRecord(dns: Dns, challenge: Challenge): Promise<DomainFailure | null> {
  const { name, value } = recordFor(challenge)
  try {
    const found = await dns.txt(name)
    if (found.some((text) => text.trim() === value)) return null
    return found.length === 0 ? 'record_missing' : 'record_wrong'
  } catch (error) {
    if (error instanceof DnsUnavailable) return 'dns_unavailable'
    throw error
  }
}

export function failureDetail(failure: DomainFailure, challenge: Challenge): string {
  const { name } = recordFor(challenge)
  if (failure === 'dns_unavailable')
    return `The name servers of ${challenge.domain} didn’t respond. Try again in a few minutes.`
  if (failure === 'record_wrong')
    return `${name} has a TXT record with a different value. Add the value shown here, then check again.`
  return `${name} has no TXT record yet. DNS changes can take an hour or longer.`
}
