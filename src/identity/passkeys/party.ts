import { isLoopback } from '#lib/address.ts'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import type { Hosts } from '#lib/http/hosts.ts'

/** Where passkeys are made and used: for one host, and what is below it. */
export interface RelyingParty {
  id: string
  /** The only origin that a browser may be at. */
  origin: string
}

/**
 * The party of a request. The Host header is the client's word, so it only chooses among the hosts that
 * are configured: a page at any other name could relay a passkey's answer here. Throws 421 for any other host.
 */
export function relyingPartyOf({ request, config, hosts }: Pick<Call, 'request' | 'config' | 'hosts'>): RelyingParty {
  const { hostname, origin } = request.url
  if (config.PUBLIC_URL === undefined) {
    // Development and tests, where the port is not known ahead.
    if (isLoopback(hostname) || isConfigured(hosts, hostname)) return { id: hostname, origin }
    throw misdirected('a loopback name, such as localhost')
  }
  const home = new URL(config.PUBLIC_URL)
  if (!isConfigured(hosts, hostname)) throw misdirected(home.origin)
  const here = new URL(home)
  here.hostname = hostname
  // No browser takes a name without a dot, such as localhost, for what is below it.
  const isBelow = home.hostname.includes('.') && hostname.endsWith(`.${home.hostname}`)
  return { id: isBelow ? home.hostname : hostname, origin: here.origin }
}

const isConfigured = ({ services, all }: Hosts, hostname: string): boolean =>
  services.has(hostname) || all.has(hostname)

const misdirected = (place: string) =>
  new Problem(421, 'misdirected_request', `Passkeys don’t work at this address. Open Atrium at ${place}.`)
