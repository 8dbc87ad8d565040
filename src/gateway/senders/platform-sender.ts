import type { Config } from '#config'
import { mailFrom } from '#lib/mail.ts'

export interface PlatformSender {
  id: string
  domainId: string
  address: string
  name: string
  domain: string
}

/** Separates these IDs from those of other names. */
const namespace = 'url'

/** The address of MAIL_FROM, which services can send from for any organization. Its ID depends on the address only. */
export function platformSender(config: Pick<Config, 'MAIL_FROM' | 'PUBLIC_URL'>): PlatformSender {
  const from = mailFrom(config)
  const [, name = '', address = from] = /^(.*?)\s*<([^<>]+)>$/.exec(from) ?? []
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  return {
    id: Bun.randomUUIDv5(`mailto:${address}`, namespace),
    domainId: Bun.randomUUIDv5(`https://${domain}`, namespace),
    address,
    name: name.replaceAll('"', '').trim(),
    domain,
  }
}
