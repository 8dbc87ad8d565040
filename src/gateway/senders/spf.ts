import ipaddr from 'ipaddr.js'

/** Relays whose hosts aren’t those that deliver, with what they ask their customers to include. */
const relays: readonly [host: RegExp, mechanism: string][] = [
  [/(^|\.)amazonaws\.com$/, 'include:amazonses.com'],
  [/(^|\.)gmail\.com$/, 'include:_spf.google.com'],
  [/(^|\.)mailgun\.org$/, 'include:mailgun.org'],
  [/(^|\.)office365\.com$/, 'include:spf.protection.outlook.com'],
  [/(^|\.)postmarkapp\.com$/, 'include:spf.mtasv.net'],
  [/(^|\.)sendgrid\.net$/, 'include:sendgrid.net'],
  [/(^|\.)brevo\.com$/, 'include:spf.brevo.com'],
]

/** The mechanism that allows a mail server to send. Without a server, the domain’s own one is meant. */
export function mechanismOf(host: string | null): string {
  if (host === null) return 'mx'
  if (ipaddr.isValid(host)) return `${ipaddr.parse(host).kind() === 'ipv4' ? 'ip4' : 'ip6'}:${host}`
  return relays.find(([pattern]) => pattern.test(host.toLowerCase()))?.[1] ?? `a:${host}`
}
