import { lookup } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { OutboundError } from './error.ts'

export type Resolve = (host: string) => Promise<string[]>

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** Whether an address is a public unicast address: not reserved, translated or tunnelled. */
export function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address)
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast))
}

/** The system’s resolver, with `localhost` and what ends in it always this machine (RFC 6761). */
export const systemResolve: Resolve = async (host) => {
  if (/(^|\.)localhost\.?$/.test(host)) return ['127.0.0.1']
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

/** IPv4 first. One private address refuses all: a name with both is an attack. @throws {OutboundError} */
export async function addressesOf(
  host: string,
  resolve: Resolve,
  permits: (address: string) => boolean,
): Promise<string[]> {
  const literal = host.replace(/^\[|\]$/g, '')
  const found = ipaddr.isValid(literal) ? [literal] : await resolveHost(host, resolve)
  const forbidden = found.find((address) => !permits(address))
  if (forbidden) throw new OutboundError('refused_address', notPublic(host))
  return found.toSorted((a, b) => Number(a.includes(':')) - Number(b.includes(':')))
}

async function resolveHost(host: string, resolve: Resolve): Promise<string[]> {
  try {
    const found = await resolve(host)
    if (found.length > 0) return found
  } catch (cause) {
    throw new OutboundError('unreachable', notPublic(host), { cause })
  }
  throw new OutboundError('unreachable', notPublic(host))
}

/** The same message for unknown and private names, so that names of the operator's network can't be probed. */
const notPublic = (host: string): string => `${host} was not found on the public internet.`
