import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import { listRedirectUris, webOrigin, type SsoService } from '../../oauth/services.ts'

type RequestContext = Pick<Call, 'db' | 'hosts' | 'config' | 'request'>

/** Characters that browsers and parsers interpret differently in URLs. */
const ambiguousCharacters = /[\\#\s\p{Cc}]/u

/** A path on the service’s origin if its first page is there, else a registered URI. @throws 422 */
export async function resolveDestination(
  place: RequestContext,
  service: SsoService,
  redirectUri: string,
): Promise<string> {
  const origin = webOrigin(place, service.slug)
  const entry = new URL(service.webUrl ?? '/', origin)
  const path = entry.origin === origin ? pathOnOrigin(origin, redirectUri) : undefined
  if (path !== undefined) return path
  const registered = [entry.href, ...(await listRedirectUris(place, service))]
  if (registered.some((uri) => uri === redirectUri && /^https?:/.test(uri))) return redirectUri
  throw new Problem(422, 'redirect_uri_mismatch', `${service.name} hasn’t registered this redirect URI.`, {
    errors: [{ path: 'redirectUri', message: `Must be a registered redirect URI, such as ${entry.href}.` }],
  })
}

function pathOnOrigin(origin: string, address: string): string | undefined {
  if (ambiguousCharacters.test(address) || !URL.canParse(address, origin)) return undefined
  const url = new URL(address, origin)
  const isPlain = url.username === '' && url.password === '' && !url.pathname.startsWith('//')
  return isPlain && url.origin === origin ? url.pathname + url.search : undefined
}
