import { z } from 'zod'
import { invalid, Problem } from '#lib/errors.ts'
import { OutboundError } from '#lib/outbound.ts'
import type { ConnectCall } from '../network.ts'
import { ServerAddress } from '../server-address.ts'
import { xrpc } from './xrpc.ts'

/** Where an account lives. */
export interface Identity {
  did: string
  /** The server that keeps its records. */
  pds: string
}

const Did = z.string().regex(/^did:(plc:[a-z2-7]{24}|web:[A-Za-z0-9.-]+(%3A\d+)?)$/)
const Resolved = z.object({ did: Did })
const Document = z.object({
  id: z.string(),
  service: z.array(z.object({ id: z.string(), serviceEndpoint: z.unknown() })),
})

/**
 * Resolves handle → DID → server by the account's own document, which alone decides where a password is sent.
 * Throws 422 for an unknown handle, and 502 when a directory doesn't respond.
 */
export async function identityOf(handle: string, pds: string | undefined, call: ConnectCall): Promise<Identity> {
  const did = await didOf(handle, pds ?? call.outside.hosts.blueskyResolver, call)
  const document = await documentOf(did, call)
  const { serviceEndpoint } =
    document.service.find(({ id }) => id === '#atproto_pds' || id === `${did}#atproto_pds`) ?? {}
  const told = ServerAddress.safeParse(serviceEndpoint)
  if (!told.success)
    throw invalid([{ path: 'handle', message: 'This account doesn’t name its server. Enter the server yourself.' }])
  const origin = told.data
  if (pds && pds !== origin)
    throw invalid([
      { path: 'pds', message: `This account is on ${origin}, not on this server. Leave this field empty.` },
    ])
  return { did, pds: origin }
}

/** The DID of a handle. Throws 422 when it has none. */
async function didOf(handle: string, resolver: string, call: ConnectCall): Promise<string> {
  const { outside, signal } = call
  const response = await reached('the handle directory', () =>
    xrpc(outside, resolver, 'com.atproto.identity.resolveHandle', { params: { handle }, signal }),
  )
  if (response.status === 400) throw invalid([{ path: 'handle', message: 'No account with this handle exists.' }])
  const resolved = Resolved.safeParse(response.ok ? await response.json().catch(() => null) : null)
  if (resolved.success) return resolved.data.did
  throw failed('the handle directory', response.status)
}

/** The document of a DID: of the public directory, or of its own host for `did:web`. */
async function documentOf(did: string, { outside, signal }: ConnectCall): Promise<z.output<typeof Document>> {
  const web = /^did:web:(.+)$/.exec(did)?.[1]
  const url = web
    ? `https://${decodeURIComponent(web)}/.well-known/did.json`
    : new URL(`/${did}`, outside.hosts.plcDirectory)
  const response = await reached('the account directory', () => outside.fetch(url, { signal }))
  const document = Document.safeParse(response.ok ? await response.json().catch(() => null) : null)
  if (document.success && document.data.id === did) return document.data
  throw failed('the account directory', response.status)
}

/** What a step of connecting answers. Throws 502 when it doesn't. */
export async function reached(what: string, ask: () => Promise<Response>): Promise<Response> {
  try {
    return await ask()
  } catch (cause) {
    if (cause instanceof OutboundError && cause.outcome === 'refused_address')
      throw invalid([{ path: 'pds', message: `${what} isn’t on the public internet.` }])
    throw new Problem(502, 'provider_unreachable', `Bluesky: ${what} couldn’t be reached. Try again in a moment.`, {
      cause,
    })
  }
}

const failed = (what: string, status: number): Problem =>
  new Problem(502, 'provider_error', `Bluesky: ${what} responded with ${status}. Try again in a moment.`)
