import { isLoopback } from '#lib/address.ts'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import type { Hosts } from '#lib/http/routes.ts'

/** A host and its subdomains (WebAuthn). */
export interface RelyingParty {
  id: string
  /** The only origin that responses are accepted from. */
  origin: string
}

/**
 * The client chooses the Host header, so only configured hosts are accepted: a page at any other name could relay a
 * passkey’s response here. @throws 421 for any other host
 */
export function relyingPartyOf({ request, config, hosts }: Pick<Call, 'request' | 'config' | 'hosts'>): RelyingParty {
  const { hostname, origin } = request.url
  if (config.PUBLIC_URL === undefined) {
    // In development and tests the port is not known beforehand.
    if (isLoopback(hostname) || isConfigured(hosts, hostname)) return { id: hostname, origin }
    throw misdirected('a loopback name, such as localhost')
  }
  const home = new URL(config.PUBLIC_URL)
  if (!isConfigured(hosts, hostname)) throw misdirected(home.origin)
  const here = new URL(home)
  here.hostname = hostname
  // Browsers reject relying party ids without a dot, such as localhost, for subdomains.
  const isBelow = home.hostname.includes('.') && hostname.endsWith(`.${home.hostname}`)
  return { id: isBelow ? home.hostname : hostname, origin: here.origin }
}

const isConfigured = ({ services, all }: Hosts, hostname: string): boolean =>
  services.has(hostname) || all.has(hostname)

const misdirected = (place: string) =>
  new Problem(421, 'misdirected_request', `Passkeys don’t work at this address. Open Atrium at ${place}.`)
