import { z } from 'zod'
import { invalid, Problem } from '#lib/errors.ts'
import { OutboundError } from '#lib/outbound.ts'
import type { ConnectCall } from '../network.ts'
import { ServerAddress } from '#lib/outbound/server-address.ts'
import { callXrpc } from './xrpc.ts'

export interface Identity {
  did: string
  pds: string
  /** That the account says are its own. */
  handles: string[]
}

const Did = z
  .string()
  .max(300)
  .regex(/^did:(plc:[a-z2-7]{24}|web:[A-Za-z0-9.-]+(%3A\d+)?)$/)
const Resolved = z.object({ did: Did })
const Document = z.object({
  id: z.string(),
  alsoKnownAs: z.array(z.string().max(300)).max(50).catch([]),
  service: z.array(z.object({ id: z.string(), serviceEndpoint: z.unknown() })),
})

/** Only the account's own document decides where a password is sent. @throws {Problem} 422, 502 */
export async function resolveIdentity(handle: string, pds: string | undefined, call: ConnectCall): Promise<Identity> {
  const did = await resolveHandle(handle, pds ?? call.outside.hosts.blueskyResolver, call)
  const identity = await getIdentity(did, call)
  if (pds && pds !== identity.pds)
    throw invalid([
      { path: 'pds', message: `This account is on ${identity.pds}, not on this server. Leave this field empty.` },
    ])
  return identity
}

/** What the account’s own document says. @throws {Problem} 422, 502 */
export async function getIdentity(did: string, call: ConnectCall): Promise<Identity> {
  if (!Did.safeParse(did).success) throw serverFailed('the account directory', 404)
  const { alsoKnownAs, service } = await getDocument(did, call)
  const { serviceEndpoint } = service.find(({ id }) => id === '#atproto_pds' || id === `${did}#atproto_pds`) ?? {}
  const server = ServerAddress.safeParse(serviceEndpoint)
  if (!server.success)
    throw invalid([{ path: 'handle', message: 'We couldn’t find this account’s server. Check the handle.' }])
  const handles = alsoKnownAs.flatMap((uri) => /^at:\/\/([a-z0-9.-]{3,253})$/i.exec(uri)?.[1]?.toLowerCase() ?? [])
  return { did, pds: server.data, handles }
}

/** @throws {Problem} 422 for an unknown handle */
async function resolveHandle(handle: string, resolver: string, call: ConnectCall): Promise<string> {
  const { outside, signal } = call
  const response = await requestServer('the handle directory', () =>
    callXrpc(outside, resolver, 'com.atproto.identity.resolveHandle', { params: { handle }, signal }),
  )
  if (response.status === 400) throw invalid([{ path: 'handle', message: 'No account with this handle exists.' }])
  const resolved = Resolved.safeParse(response.ok ? await response.json().catch(() => null) : null)
  if (resolved.success) return resolved.data.did
  throw serverFailed('the handle directory', response.status)
}

async function getDocument(did: string, { outside, signal }: ConnectCall): Promise<z.output<typeof Document>> {
  const web = /^did:web:(.+)$/.exec(did)?.[1]
  const url = web
    ? `https://${decodeURIComponent(web)}/.well-known/did.json`
    : new URL(`/${did}`, outside.hosts.plcDirectory)
  const response = await requestServer('the account directory', () => outside.fetch(url, { signal }))
  const document = Document.safeParse(response.ok ? await response.json().catch(() => null) : null)
  if (document.success && document.data.id === did) return document.data
  throw serverFailed('the account directory', response.status)
}

/** @throws {Problem} 422 for a private address, 502 when there is no response */
export async function requestServer(what: string, send: () => Promise<Response>): Promise<Response> {
  try {
    return await send()
  } catch (cause) {
    if (cause instanceof OutboundError && cause.outcome === 'refused_address')
      throw invalid([{ path: 'pds', message: `${what} isn’t on the public internet.` }])
    throw new Problem(502, 'provider_unreachable', `Bluesky: ${what} couldn’t be reached. Try again in a moment.`, {
      cause,
    })
  }
}

const serverFailed = (what: string, status: number): Problem =>
  new Problem(502, 'provider_error', `Bluesky: ${what} responded with ${status}. Try again in a moment.`)
