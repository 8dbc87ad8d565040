import { domainToASCII } from 'node:url'

/** Providers that the package lacks. */
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

/** Read when the first domain is added: 8,760 names would slow the start. */
let list: Promise<ReadonlySet<string>> | undefined

/** Whether anyone can get an e-mail address at this domain, such as gmail.com, so that no organization owns it. */
export async function isPublicEmailDomain(domain: string): Promise<boolean> {
  list ??= readList()
  return (await list).has(domain)
}

async function readList(): Promise<ReadonlySet<string>> {
  const { default: names } = await import('email-providers/all.json')
  return new Set([...names.map((name) => domainToASCII(name)), ...others])
}
