import { z } from 'zod'
import { authorizeRequest, startAuthorizationServer, type AuthorizationCounterpart } from './bluesky-oauth/index.ts'
import { Nonces } from './bluesky-oauth/nonces.ts'
import { Faults } from './faults.ts'

/** An AT Protocol server on loopback: handle and DID directory, sessions, records, blobs, and an entryway with OAuth. */
export interface BlueskyCounterpart {
  url: string
  faults: Faults
  /** Signs people in with OAuth for this server. */
  auth: AuthorizationCounterpart
  /** Of DPoP proofs for this server. */
  nonces: Nonces
  /** Creates an account; its app password is `abcd-efgh-ijkl-mnop`. */
  account(handle: string): { did: string; appPassword: string }
  /** The posts of an account, oldest first. */
  posts(did: string): Kept[]
  /** Invalidates every access token issued so far. */
  expireAccess(): void
  /** Invalidates all sessions of an account, as when an app password is revoked. */
  revoke(did: string): void
  /** How many times a session was renewed. */
  renewals(): number
  /** Makes the server one without OAuth, or with another entryway. */
  entryway(issuer: string | null): void
  stop(): Promise<void>
}

export interface Kept {
  uri: string
  cid: string
  value: Post
}
export interface Post {
  $type: string
  text: string
  createdAt: string
  facets?: { index: { byteStart: number; byteEnd: number }; features: Record<string, string>[] }[]
  reply?: { root: { uri: string; cid: string }; parent: { uri: string; cid: string } }
  embed?: Embed
}

const Blob = z.strictObject({
  $type: z.literal('blob'),
  ref: z.strictObject({ $link: z.string() }),
  mimeType: z.string().startsWith('image/'),
  size: z.int().max(1_000_000),
})
const Edge = z.int().min(1)
const Embed = z.discriminatedUnion('$type', [
  z.strictObject({
    $type: z.literal('app.bsky.embed.images'),
    images: z
      .array(
        z.strictObject({
          image: Blob,
          alt: z.string(),
          aspectRatio: z.strictObject({ width: Edge, height: Edge }).optional(),
        }),
      )
      .max(4),
  }),
  z.strictObject({
    $type: z.literal('app.bsky.embed.external'),
    external: z.strictObject({
      uri: z.url(),
      title: z.string(),
      description: z.string(),
      thumb: Blob.optional(),
    }),
  }),
])
type Embed = z.output<typeof Embed>

interface Account {
  handle: string
  did: string
  records: Map<string, Kept>
  access: Set<string>
  refresh: Set<string>
}

export const appPassword = 'abcd-efgh-ijkl-mnop'
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const base32 = 'abcdefghijklmnopqrstuvwxyz234567'

/** An error in XRPC's format. */
const refuse = (status: number, error: string, message: string, headers = {}): Response =>
  Response.json({ error, message }, { status, headers })

/** Starts it on a free port. */
export function startBluesky(): BlueskyCounterpart {
  const accounts = new Map<string, Account>()
  const blobs = new Set<string>()
  const faults = new Faults()
  const nonces = new Nonces()
  const auth = startAuthorizationServer(() => [...accounts.keys()])
  let entryway: string | null = auth.issuer
  let renewals = 0

  const byHandle = (handle: unknown) => [...accounts.values()].find((account) => account.handle === handle)
  const found = (repo: unknown) => (typeof repo === 'string' ? (accounts.get(repo) ?? byHandle(repo)) : undefined)
  const bearer = (request: Request) => request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
  const session = (account: Account) => {
    const [accessJwt, refreshJwt] = [crypto.randomUUID(), crypto.randomUUID()]
    account.access.add(accessJwt)
    account.refresh.add(refreshJwt)
    return Response.json({ did: account.did, handle: account.handle, accessJwt, refreshJwt, active: true })
  }

  /** The owner of this access token, or the protocol's refusal. */
  const owner = async (request: Request): Promise<Account | Response> => {
    const scheme = request.headers.get('authorization')?.split(' ')[0]
    if (scheme === 'DPoP') {
      const did = await authorizeRequest(request, nonces, auth)
      return did instanceof Response ? did : (accounts.get(did) ?? refuse(401, 'AuthMissing', 'Unknown account'))
    }
    const token = bearer(request)
    if (!token) return refuse(401, 'AuthMissing', 'Authentication Required')
    return (
      [...accounts.values()].find(({ access }) => access.has(token)) ?? refuse(400, 'ExpiredToken', 'Token has expired')
    )
  }

  const methods: Record<string, (request: Request, params: URLSearchParams) => Promise<Response> | Response> = {
    'com.atproto.identity.resolveHandle': (_, params) => {
      const account = byHandle(params.get('handle'))
      return account ? Response.json({ did: account.did }) : refuse(400, 'InvalidRequest', 'Unable to resolve handle')
    },
    'com.atproto.server.createSession': async (request) => {
      const { identifier, password } = (await request.json()) as Record<string, string>
      const account = found(identifier)
      if (!account || password !== appPassword)
        return refuse(401, 'AuthenticationRequired', 'Invalid identifier or password')
      return session(account)
    },
    'com.atproto.server.getSession': async (request) => {
      const account = await owner(request)
      if (account instanceof Response) return account
      return Response.json({ did: account.did, handle: account.handle, active: true })
    },
    'com.atproto.server.refreshSession': (request) => {
      const token = bearer(request)
      const account = [...accounts.values()].find(({ refresh }) => refresh.delete(token))
      if (!account) return refuse(400, 'ExpiredToken', 'Token has been revoked')
      renewals++
      return session(account)
    },
    'com.atproto.server.deleteSession': (request) => {
      const token = bearer(request)
      const account = [...accounts.values()].find(({ refresh }) => refresh.delete(token))
      return account ? new Response(null, { status: 200 }) : refuse(400, 'ExpiredToken', 'Token has been revoked')
    },
    'com.atproto.repo.uploadBlob': async (request) => {
      const account = await owner(request)
      if (account instanceof Response) return account
      const bytes = await request.bytes()
      const mimeType = request.headers.get('content-type') ?? ''
      if (bytes.length > 1_000_000) return refuse(400, 'BlobTooLarge', 'This file is too large.')
      const $link = cidOf(bytes)
      blobs.add($link)
      return Response.json({ blob: { $type: 'blob', ref: { $link }, mimeType, size: bytes.length } })
    },
    'com.atproto.repo.putRecord': async (request) => {
      const account = await owner(request)
      if (account instanceof Response) return account
      const { repo, collection, rkey, record, ...rest } = (await request.json()) as Write
      if (found(repo) !== account) return refuse(400, 'InvalidRequest', 'Invalid repo')
      const invalid = flawOf(record, rkey, blobs)
      if (invalid) return refuse(400, 'InvalidRequest', invalid)
      const uri = `at://${account.did}/${collection}/${rkey}`
      const there = account.records.get(rkey)
      const kept = { uri, cid: cidOf(JSON.stringify(record)), value: record }
      if (there?.cid === kept.cid) return Response.json({ uri, cid: kept.cid })
      if ('swapRecord' in rest && (rest.swapRecord ?? undefined) !== there?.cid)
        return refuse(400, 'InvalidSwap', `Record was at ${there?.cid ?? null}`)
      account.records.set(rkey, kept)
      return Response.json({ uri, cid: kept.cid, validationStatus: 'valid' })
    },
    'com.atproto.repo.getRecord': (_, params) => {
      const kept = found(params.get('repo'))?.records.get(params.get('rkey') ?? '')
      return kept
        ? Response.json(kept)
        : refuse(400, 'RecordNotFound', `Could not locate record: ${params.get('rkey')}`)
    },
    'com.atproto.repo.deleteRecord': async (request) => {
      const account = await owner(request)
      if (account instanceof Response) return account
      const { rkey } = (await request.json()) as Write
      account.records.delete(rkey)
      return Response.json({})
    },
  }

  const server: Bun.Server<undefined> = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 90,
    fetch: async (request): Promise<Response> => {
      const { pathname, searchParams } = new URL(request.url)
      const account = accounts.get(decodeURIComponent(pathname.slice(1)))
      if (account) return Response.json(documentOf(account))
      if (pathname === '/.well-known/oauth-protected-resource' && entryway !== null)
        return Response.json({
          resource: url,
          authorization_servers: [entryway],
          scopes_supported: [],
          bearer_methods_supported: ['header'],
          resource_documentation: 'https://atproto.com',
        })
      const name = pathname.replace('/xrpc/', '')
      const method = methods[name]
      if (!method) return refuse(501, 'MethodNotImplemented', 'Method Not Implemented')
      const response = await faults.around(name, request, () => method(request, searchParams))
      if (request.headers.has('dpop')) response.headers.set('dpop-nonce', nonces.current)
      return response
    },
  })
  const url: string = server.url.origin

  const documentOf = ({ did, handle }: Account) => ({
    id: did,
    alsoKnownAs: [`at://${handle}`],
    service: [{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: url }],
  })

  return {
    url,
    faults,
    auth,
    nonces,
    entryway: (issuer) => {
      entryway = issuer
    },
    account: (handle) => {
      const did = `did:plc:${cidOf(handle).slice(-24)}`
      accounts.set(did, { handle, did, records: new Map(), access: new Set(), refresh: new Set() })
      return { did, appPassword }
    },
    posts: (did) => [...(accounts.get(did)?.records.values() ?? [])],
    expireAccess: () => {
      auth.sessions.expire()
      accounts.forEach(({ access }) => access.clear())
    },
    revoke: (did) => {
      auth.sessions.revoke(did)
      accounts.get(did)?.access.clear()
      accounts.get(did)?.refresh.clear()
    },
    renewals: () => renewals,
    stop: async () => {
      await Promise.all([server.stop(true), auth.stop()])
    },
  }
}

interface Write {
  repo: string
  collection: string
  rkey: string
  record: Post
  swapRecord?: string | null
}

/** Returns what the post lexicon refuses. */
function flawOf({ $type, text, createdAt, reply, facets, embed }: Post, rkey: string, blobs: Set<string>) {
  if ($type !== 'app.bsky.feed.post') return `Invalid $type: ${$type}`
  if (!/^[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}$/.test(rkey)) return 'Invalid record key: not a TID'
  if ([...segmenter.segment(text)].length > 300)
    return 'Invalid app.bsky.feed.post record: Record/text must not be longer than 300 graphemes'
  if (Buffer.byteLength(text) > 3000)
    return 'Invalid app.bsky.feed.post record: Record/text must not be longer than 3000 characters'
  if (new Date(createdAt).toISOString() !== createdAt) return 'Invalid createdAt'
  if (reply && ![reply.root, reply.parent].every(({ uri, cid }) => uri.startsWith('at://did:') && cid))
    return 'Invalid reply'
  if (facets?.some(({ index }) => index.byteEnd > Buffer.byteLength(text))) return 'Invalid facet'
  if (embed === undefined) return null
  const parsed = Embed.safeParse(embed)
  if (!parsed.success) return `Invalid app.bsky.feed.post record: ${z.prettifyError(parsed.error)}`
  const unknown = blobsOf(parsed.data).find(({ ref }) => !blobs.has(ref.$link))
  return unknown ? `Could not find blob: ${unknown.ref.$link}` : null
}

const blobsOf = (embed: Embed) =>
  embed.$type === 'app.bsky.embed.images' ? embed.images.map(({ image }) => image) : [embed.external.thumb ?? []].flat()

/** A string in the form of a CID, derived from the content. */
const cidOf = (content: string | Uint8Array): string =>
  `bafyrei${[...new Bun.CryptoHasher('sha256').update(content).digest()].map((byte) => base32[byte % 32]).join('')}`
