import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import { listRedirectUris, webOrigin, type SsoService } from '../sso/services.ts'

type RequestContext = Pick<Call, 'db' | 'hosts' | 'config' | 'request'>

/** Characters by which browsers and parsers come to read one address as two. */
const ambiguousCharacters = /[\\#\s\p{Cc}]/u

/**
 * Where a checkout leads: a path on the service's own origin when its first page is there, else an address that it
 * registered, to the letter. Throws 422 for anything else, however near.
 */
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
  throw new Problem(422, 'redirect_uri_mismatch', `${service.name} isn’t entered at this address.`, {
    errors: [{ path: 'redirectUri', message: `Must be at ${entry.href}.` }],
  })
}

/** The path and query of an address of this origin; undefined for any other. */
function pathOnOrigin(origin: string, address: string): string | undefined {
  if (ambiguousCharacters.test(address) || !URL.canParse(address, origin)) return undefined
  const url = new URL(address, origin)
  const isPlain = url.username === '' && url.password === '' && !url.pathname.startsWith('//')
  return isPlain && url.origin === origin ? url.pathname + url.search : undefined
}
