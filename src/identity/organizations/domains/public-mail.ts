import { domainToASCII } from 'node:url'

/** Providers that `email-providers` doesn't list. */
const others = [
  'fastmail.com',
  'tutanota.com',
  'tutanota.de',
  'tuta.com',
  'tuta.io',
  'posteo.de',
  'posteo.net',
  'duck.com',
]

/** Loaded when the first domain is added, since the list has 8,760 names. */
let list: Promise<ReadonlySet<string>> | undefined

/** Whether anyone can get an email address at this domain, as at gmail.com. */
export async function isPublicEmailDomain(domain: string): Promise<boolean> {
  list ??= readList()
  return (await list).has(domain)
}

async function readList(): Promise<ReadonlySet<string>> {
  const { default: names } = await import('email-providers/all.json')
  return new Set([...names.map((name) => domainToASCII(name)), ...others])
}
