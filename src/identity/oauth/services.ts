import { asc, eq } from 'drizzle-orm'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound, Problem } from '#lib/errors.ts'
import { originOf } from '#lib/http/routes.ts'
import { Id } from '#lib/ids.ts'
import { callbackPath } from '../http/responses.ts'
import { serviceRedirectUris, services } from '../schema.ts'

export type SsoService = typeof services.$inferSelect

type HostContext = Pick<Call, 'hosts' | 'config' | 'request'>
type DatabaseContext = HostContext & Pick<Call, 'db'>

/** @throws 404 */
export async function requireServiceByRef(db: Database, ref: string): Promise<SsoService> {
  const named = Id.safeParse(ref).success ? eq(services.id, ref) : eq(services.slug, ref)
  const [service] = await db.select().from(services).where(named)
  if (!service) throw notFound('service')
  return service
}

export const webOrigin = ({ hosts, config, request }: HostContext, slug: string): string =>
  originOf(hosts, slug, config.PUBLIC_URL, request.url.origin)

export async function listRedirectUris(
  place: DatabaseContext,
  { id, slug, firstParty }: SsoService,
): Promise<string[]> {
  const rows = await place.db
    .select({ uri: serviceRedirectUris.uri })
    .from(serviceRedirectUris)
    .where(eq(serviceRedirectUris.serviceId, id))
    .orderBy(asc(serviceRedirectUris.uri))
  return withCallback(
    place,
    { slug, firstParty },
    rows.map(({ uri }) => uri),
  )
}

type ServiceOwner = Pick<SsoService, 'slug' | 'firstParty'>

const withCallback = (at: HostContext, { slug, firstParty }: ServiceOwner, registered: string[]): string[] =>
  firstParty ? [...new Set([webOrigin(at, slug) + callbackPath, ...registered])] : registered

export function resolveUrls<
  Entry extends ServiceOwner & { webUrl: string | null; redirectUris: string[]; handoffUri: string | null },
>(at: HostContext, entry: Entry): Entry {
  const origin = webOrigin(at, entry.slug)
  const isElsewhere = entry.webUrl !== null && entry.firstParty && origin !== at.request.url.origin
  const webUrl = isElsewhere ? new URL(entry.webUrl ?? '', origin).href : entry.webUrl
  const handoffUri = entry.firstParty ? origin + callbackPath : entry.handoffUri
  return { ...entry, webUrl, redirectUris: withCallback(at, entry, entry.redirectUris), handoffUri }
}

/** Character by character (IDN-23). @throws 422 for an unregistered one */
export async function requireRedirectUri(
  place: DatabaseContext,
  service: SsoService,
  uri: string | undefined,
): Promise<string> {
  const known = await listRedirectUris(place, service)
  if (uri !== undefined && known.includes(uri)) return uri
  throw new Problem(422, 'redirect_uri_mismatch', `${service.name} hasn’t registered this redirect URI.`, {
    errors: [{ path: 'redirect_uri', message: 'Must be one of the service’s registered redirect URIs.' }],
  })
}
