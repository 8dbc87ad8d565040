import { getDomain } from 'tldts'
import { EmailDomain } from '#lib/email-domain.ts'

/** Suffixes at which others register domains, such as co.uk or github.io (publicsuffix.org), are refused. */
export const SenderDomainName = EmailDomain.refine(
  (domain) => registeredDomain(domain) !== null,
  'Must be a domain of your own, not a public suffix such as co.uk.',
)

/** Such as example.co.uk of news.example.co.uk; null for a public suffix. */
export const registeredDomain = (domain: string): string | null => getDomain(domain, { allowPrivateDomains: true })
