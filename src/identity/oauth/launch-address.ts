import type { Call } from '#lib/call.ts'
import { originOf } from '#lib/http/routes.ts'
import { callbackPath } from '../http/responses.ts'

interface Launched {
  slug: string
  webUrl: string
  firstParty: boolean
  handoffUri: string | null
}

interface LaunchAddress {
  /** A path for an app of this product. */
  webUrl: string
  /** The same from anywhere. */
  href: string
  /** Takes a hand-off; null where the app signs people in itself. */
  redirectUri: string | null
}

/** A call within this server has no host, so the registry can't know where a service of this product is. */
export function launchAddressOf(
  { hosts, config, request }: Pick<Call, 'hosts' | 'config' | 'request'>,
  { slug, webUrl, firstParty, handoffUri }: Launched,
): LaunchAddress {
  if (!firstParty) return { webUrl, href: webUrl, redirectUri: handoffUri }
  const origin = originOf(hosts, slug, config.PUBLIC_URL, request.url.origin)
  const { pathname, search } = new URL(webUrl, origin)
  const path = pathname + search
  return { webUrl: path, href: origin + path, redirectUri: origin + callbackPath }
}
