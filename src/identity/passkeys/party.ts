import type { Call } from '#lib/call.ts'
import { overHttps } from '../credential.ts'

/** Where passkeys are made and used: for one host, and what is below it. */
export interface Party {
  id: string
  /** The only origin that a browser may be at. */
  origin: string
}

/** The party of a request: the host of PUBLIC_URL for all that is below it, else the host that was asked. */
export function partyOf({ request, config }: Pick<Call, 'request' | 'config'>): Party {
  const { hostname, host, protocol } = request.url
  const home = config.PUBLIC_URL ? new URL(config.PUBLIC_URL).hostname : hostname
  // No browser takes a name without a dot, such as localhost, for what is below it.
  const isBelow = home.includes('.') && hostname.endsWith(`.${home}`)
  return { id: isBelow ? home : hostname, origin: `${overHttps(config) ? 'https:' : protocol}//${host}` }
}
