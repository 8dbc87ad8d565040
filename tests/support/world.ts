import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import * as paths from 'node:path'
import type { Provided } from '#lib/call.ts'
import { contentDigest } from '#lib/content-digest.ts'
import type { DatabaseHandle } from '#lib/db.ts'
import { serviceTokens, superAdminLink } from '#identity'
import { readConfig } from '#config'
import { digest, newId, randomToken } from '#lib/ids.ts'
import { createLog, type Log } from '#lib/log.ts'
import { forgetMails, type KeptMail, type Mail } from '#lib/mail.ts'
import { createSecrets, type Secrets } from '#lib/secrets.ts'
import { describeApi } from '../../src/api-description.ts'
import { createApp } from '../../src/app.tsx'
import { syncActions, wire } from '../../src/boot.ts'
import { chosenContexts } from '../../src/contexts.ts'
import { heldToContract } from './contract.ts'
import { longCode } from './sso.ts'
import { freshDatabase } from './database.ts'
import { prepareFactors, type Factors } from './factors.ts'

/** What the key of the named world may do. */
export const keyScopes = ['posts.read', 'accounts.read'] as const

/** The whole server in this process, and a few people whose things stand in it. */
export interface World {
  /** Owns Acme, with a brand and everything that belongs to one. */
  ada: Resident
  /** Views Acme. */
  vera: Person
  /** Owns Umbrella, another organization, with things of the same kinds. */
  mallory: Resident
  /** Signed up, in no organization. */
  nora: Person
  /** Looks after the platform: a super admin. */
  root: Person
  /** Nobody: no credential at all. */
  stranger: Caller
  /** Platform-socialize, calling identity. */
  service: Caller
  /** Every service of the registry by its slug, calling identity. */
  services: Record<string, Caller>
  /** Platform-socialize, calling the developer console for Ada: each request of its is signed. */
  console: Caller
  /** The same for Root. */
  rootConsole: Caller
  /** A key that Ada made for social, with `keyScopes`. */
  key: KeyCaller
  /** The id of platform-socialize in this database. */
  serviceId: string
  /** An app of somebody else's in the registry, which no organization has. */
  theirAppId: string
  /** Of a link that signs Vera in. */
  signInToken: string
  /** Of the links that were mailed to Mona of Umbrella: to reset her password, to verify and to change her address. */
  mailedToken: string
  /** Of an open invitation to Acme: its link's last part. */
  invitationToken: string
  /** Of a link that makes a super admin, not followed yet: its last part. */
  superAdminToken: string
  /** A code by which Ada arrives at social, with `pkce.verifier`; it has a day. */
  ssoCode: string
  /** A key by which platform-pay would prove itself from elsewhere. */
  serviceKey: { id: string; keyId: string }
  /** Each time a new one, by which platform-pay proves itself from elsewhere. */
  assertion(): string
  /** Jobs of background work that were given up. */
  deadJobs: string[]
  factors: Factors
  database: DatabaseHandle
  /** What its handlers and jobs are given. */
  provided: Provided
  /** The server itself, for clients that make requests of their own. */
  handle: Handle
  /** What was mailed to an address, the newest first. */
  letters(to: string): Promise<KeptMail[]>
  /** Somebody new whom a resident invites to their organization, and who comes. */
  join(of: Resident, wish: { name: string; role: string }): Promise<Person>
  close(): Promise<void>
}

/** Somebody who asks: with a bearer, unless the headers carry another credential. */
export interface Caller {
  /** The headers that tell who calls. */
  credential: Record<string, string>
  ask(route: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  /** The JSON of an answer. Throws when it is of another status. */
  tell<Answer>(route: string, body?: unknown, status?: number): Promise<Answer>
}

/**
 * A signed-up person with the ids of what is theirs: `posts` is a draft, `part` the second post of the thread,
 * `members` somebody of the organization, `agents` a program.
 */
interface Resident extends Person {
  things: Record<Collection, string>
}

type Collection =
  | 'brands'
  | 'accounts'
  | 'posts'
  | 'organizations'
  | 'threads'
  | 'scheduled'
  | 'part'
  | 'media'
  | 'members'
  | 'agents'
  | 'invitations'
  | 'overrides'
  | 'heirs'
  | 'keys'
  | 'sessions'
  | 'passkeys'
  | 'apps'
  | 'submittedApps'
  | 'otherApps'
  | 'actions'
  | 'otherActions'
  | 'appKeys'
  | 'otherAppKeys'
  | 'identities'
  | 'households'
  | 'householdInvitations'
  | 'otherHouseholdInvitations'

export interface Person extends Caller {
  id: string
  email: string
  /** The same person in a session of its own; its cookie as a browser sends it. */
  signIn(): Promise<Caller & { cookie: string }>
  /** A caller by a key that the person makes for social. */
  makeKey(wish: { scopes: readonly string[]; [field: string]: unknown }): Promise<KeyCaller>
}

export interface KeyCaller extends Caller {
  id: string
  text: string
}

interface Options {
  /** Makes apps of developers, too. */
  apps?: true
  env?: Record<string, string>
  log?: Log
}

/** `address` is whence it comes; this very process when not said, which nothing limits. */
type Handle = (request: Request, address?: string | null) => Promise<Response>

export const password = 'correct horse battery'
const key = new Uint8Array(32).fill(7)

/**
 * Opens it on a database of its own; nothing is published. People and things are made through the public API.
 */
export async function openWorld(options: Options = {}): Promise<World> {
  const fresh = await freshDatabase()
  const undo: (() => Promise<unknown> | void)[] = [() => fresh.drop()]
  const home = mkdtempSync(paths.join(tmpdir(), 'atrium-world-'))
  undo.push(() => rmSync(home, { recursive: true, force: true }))
  const config = readConfig({
    ATRIUM_ENV: 'test',
    DATA_DIR: home,
    DATABASE_URL: fresh.url,
    UPSTREAM_GITHUB_CLIENT_ID: 'atrium',
    UPSTREAM_GITHUB_CLIENT_SECRET: 'known to nobody',
    ...options.env,
  })
  const log = options.log ?? createLog('silent')
  const secrets = createSecrets(key)
  const { database, provided, ...server } = await wire({ config, log, app: createApp, secrets, url: fresh.url, undo })
  await syncActions(provided, database, server.handle)
  const handle = heldToContract(server.handle, describeApi(chosenContexts(config), config))
  const now = () => new Date()
  const letters = lettersIn(database, provided.mail)
  const join: World['join'] = (of, wish) => joinBy(handle, letters, of, wish)
  const ada = await settle(handle, 'Ada', 'Acme')
  const mallory = await settle(handle, 'Mallory', 'Umbrella')
  if (options.apps) for (const person of [ada, mallory]) await develop(person)
  const vera = await join(ada, { name: 'Vera', role: 'viewer' })
  const victim = await join(mallory, { name: 'Mona', role: 'viewer' })
  ada.things.members = vera.id
  mallory.things.members = victim.id
  for (const person of [ada, mallory]) {
    person.things.sessions = await anotherSession(database, person.id)
    person.things.identities = await identityElsewhere(database, person.id)
  }
  const factors = await prepareFactors(database, provided, [ada.id, mallory.id])
  ada.things.passkeys = factors.passkeys[0]
  mallory.things.passkeys = factors.passkeys[1]
  const route = `POST /api/organizations/${ada.things.organizations}/invitations`
  await ada.tell(route, { email: 'newcomer@example.com', role: 'viewer' }, 201)
  const stranger = callerOf(handle, {})
  const social = await stranger.tell<{ id: string }>('GET /api/services/by-slug/platform-socialize')
  const services = await everyService(handle, database, secrets)
  const signer = await serviceTokens(
    { db: database.db, secrets, now: ahead },
    'platform-socialize',
  )('platform-developer-console')
  for (const person of [ada, mallory]) person.things.overrides = await anException(person, social.id)
  const linkFor = async (email: string) => lastPart(await superAdminLink(database.db, email, now()))
  const nora = await signUp(handle, { name: 'Nora' })
  await inviteHome(nora, [ada, mallory])
  const root = await becomeRoot(handle, await linkFor('root@example.com'))
  const [admins] = await database.sql<{ id: string }[]>`SELECT id FROM identity.organizations WHERE slug = 'admin'`
  const consoleFor = (userId: string, organizationId: string) =>
    signing(handle, {
      ...bearer(signer),
      'on-behalf-of': userId,
      'on-behalf-of-organization': organizationId,
    })
  const adasKey = await ada.makeKey({ scopes: keyScopes })
  return {
    ada,
    mallory,
    key: adasKey,
    nora,
    vera,
    root,
    serviceKey: await registerKey(root, stranger, newPublicKey()),
    assertion: await signerOf(root, stranger),
    superAdminToken: await linkFor('second@example.com'),
    ssoCode: await longCode(database, ada, social.id),
    deadJobs: await giveUpJobs(database, provided.queue),
    factors,
    stranger,
    service: services['platform-socialize'] ?? stranger,
    services,
    console: consoleFor(ada.id, ada.things.organizations),
    rootConsole: consoleFor(root.id, admins?.id ?? ''),
    serviceId: social.id,
    theirAppId: await theirApp(database),
    signInToken: await linkToSignIn(database, vera),
    mailedToken: await linksOf(database, victim),
    invitationToken: tokenIn((await letters('newcomer@example.com'))[0]),
    database,
    provided,
    handle,
    letters,
    join,
    close: async () => {
      for (const step of undo.toReversed()) await step()
    },
  }
}

async function registerKey(root: Caller, stranger: Caller, publicKey: object): Promise<World['serviceKey']> {
  const { id } = await stranger.tell<{ id: string }>('GET /api/services/by-slug/platform-pay')
  const made = await root.tell<{ id: string }>(`POST /api/services/${id}/keys`, { publicKey }, 201)
  return { id, keyId: made.id }
}

/** As a service would make it: any 32 bytes have the form of a point. */
export const newPublicKey = () => ({ kty: 'OKP', crv: 'Ed25519', x: randomToken() })

async function signerOf(root: Caller, stranger: Caller): Promise<() => string> {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { kty, crv, x } = publicKey.export({ format: 'jwk' })
  await registerKey(root, stranger, { kty, crv, x })
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return () => {
    const who = { iss: 'platform-pay', sub: 'platform-pay', aud: 'platform-identity', jti: newId() }
    const text = `${part({ alg: 'EdDSA' })}.${part({ ...who, exp: Math.floor(Date.now() / 1000) + 60 })}`
    return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
  }
}

/** A service's token lives for five minutes, a world on a busy machine longer: those of tests end an hour later. */
const ahead = () => new Date(Date.now() + 60 * 60_000)

async function everyService(handle: Handle, { sql, db }: DatabaseHandle, secrets: Secrets): Promise<World['services']> {
  const registry = await sql<{ slug: string }[]>`SELECT slug FROM identity.services`
  const callers = registry.map(async ({ slug }) => {
    const token = await serviceTokens({ db, secrets, now: ahead }, slug)('platform-identity')
    return [slug, callerOf(handle, bearer(token))] as const
  })
  return Object.fromEntries(await Promise.all(callers))
}

interface SignedUp {
  user: { id: string }
  organization: { id: string } | null
  accessToken: string
}

async function signUp(handle: Handle, wish: { name: string; organizationName?: string }) {
  const email = `${wish.name.toLowerCase()}@example.com`
  const registration = { ...wish, email, password, developerWorkspace: Boolean(wish.organizationName) }
  const signedUp = await callerOf(handle, {}).tell<SignedUp>('POST /register', registration, 201)
  return { ...personOf(handle, email, signedUp), organizationId: signedUp.organization?.id ?? '' }
}

/** A session of somebody on a device that nobody uses. */
async function anotherSession({ sql }: DatabaseHandle, userId: string): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    INSERT INTO identity.sessions (id, user_id, token_hash, created_at, idle_expires_at, expires_at)
    VALUES (${newId()}, ${userId}, ${userId}, now(), now() + interval '1 day', now() + interval '1 day') RETURNING id`
  return row?.id ?? ''
}

/** A permission that no route asks for, granted to a member by whoever owns their organization. */
async function anException({ things, tell }: Resident, serviceId: string): Promise<string> {
  const route = `POST /api/organizations/${things.organizations}/members/${things.members}/overrides`
  const { id } = await tell<{ id: string }>(route, { permission: `${serviceId}.images:override`, effect: 'grant' }, 201)
  return id
}

/** Who somebody is at GitHub. */
async function identityElsewhere({ sql }: DatabaseHandle, userId: string): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    INSERT INTO identity.upstream_identities (id, user_id, provider, issuer, subject, created_at)
    VALUES (${newId()}, ${userId}, 'github', 'https://github.com', ${userId}, now()) RETURNING id`
  return row?.id ?? ''
}

/** Asks people into two households of somebody's own. */
async function inviteHome(host: Caller, guests: Resident[]): Promise<void> {
  for (const invitations of ['householdInvitations', 'otherHouseholdInvitations'] as const) {
    const { id } = await host.tell<{ id: string }>('POST /api/households', { name: `Home of ${invitations}` }, 201)
    for (const { email, things, tell } of guests) {
      await host.tell(`POST /api/households/${id}/invitations`, { email }, 201)
      const route = 'GET /api/household-invitations'
      const { items } = await tell<{ items: { id: string; household: { id: string } }[] }>(route)
      things[invitations] = items.find(({ household }) => household.id === id)?.id ?? ''
    }
  }
}

async function theirApp({ sql }: DatabaseHandle): Promise<string> {
  const [row] = await sql<{ id: string }[]>`
    INSERT INTO identity.services (slug, name, description, surface_kind, launchable, web_url)
    VALUES ('their-app', 'Theirs', 'An app', 'app', true, 'https://theirs.example/start') RETURNING id`
  return row?.id ?? ''
}

/** A link as somebody gets it by mail; answers its token. */
async function linkToSignIn({ sql }: DatabaseHandle, { id, email }: Person): Promise<string> {
  const token = randomToken()
  await sql`
    INSERT INTO identity.magic_login_tokens (id, token_hash, user_id, email, skip_interstitial, created_at, expires_at)
    VALUES (${newId()}, ${digest(token)}, ${id}, ${email}, false, now(), now() + interval '1 hour')`
  return token
}

/** Two jobs as the queue leaves them when their retries are used up. */
async function giveUpJobs({ sql, db }: DatabaseHandle, jobs: Provided['queue']): Promise<string[]> {
  const queue = forgetMails.name
  await jobs.enqueue(db, forgetMails, {})
  const rows = await sql<{ id: string }[]>`
    INSERT INTO pgboss.job (name, data, output, source_name, source_id, source_created_on, source_retry_count)
    SELECT ${queue} || '.dead', '{"id":"01890000-0000-7000-8000-000000000000","token":"hunter2"}',
      '{"message":"The disk was full."}', ${queue}, gen_random_uuid(), now(), 10
    FROM generate_series(1, 2) RETURNING id`
  return rows.map(({ id }) => id)
}

const lastPart = (path: string): string => path.split('/').at(-1) ?? ''

async function becomeRoot(handle: Handle, token: string): Promise<Person> {
  const body = { token, name: 'Root', password }
  return personOf(
    handle,
    'root@example.com',
    await callerOf(handle, {}).tell<SignedUp>('POST /api/super-admins', body, 201),
  )
}

const personOf = (handle: Handle, email: string, { user, accessToken }: SignedUp): Person => ({
  ...callerOf(handle, bearer(accessToken)),
  id: user.id,
  email,
  signIn: () => signIn(handle, email),
  makeKey: async (wish) => {
    const person = callerOf(handle, bearer(accessToken))
    const draft = { name: 'CI', service: 'platform-socialize', ...wish }
    const { id, key: text } = await person.tell<{ id: string; key: string }>('POST /api/api-keys', draft, 201)
    return { ...callerOf(handle, bearer(text)), id, text }
  },
})

/** Signs in twice, as a program and as a browser does: the caller has a bearer and a cookie. */
async function signIn(handle: Handle, email: string): Promise<Caller & { cookie: string }> {
  const stranger = callerOf(handle, {})
  const route = 'POST /api/auth/login'
  const { accessToken } = await stranger.tell<SignedUp>(route, { email, password })
  const browser = await stranger.ask(route, { email, password }, { 'sec-fetch-site': 'same-origin' })
  const cookie = browser.headers.getSetCookie().map((text) => text.split(';')[0])
  return { ...callerOf(handle, bearer(accessToken)), cookie: cookie.join('; ') }
}

/** A PNG of one pixel, as base64. */
export const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** An owner with a brand, an account, an image, a draft, a scheduled post and a thread. */
async function settle(handle: Handle, name: string, organizationName: string): Promise<Resident> {
  const { organizationId, ...person } = await signUp(handle, { name, organizationName })
  const make = async (route: string, body: Record<string, unknown>) =>
    person.tell<{ id: string; threadId: string; items: { id: string }[]; connection: { id: string } }>(route, body, 201)
  const { id: brandId } = await make('POST /api/brands', { name: `${organizationName} Coffee` })
  const { connection } = await make('POST /api/integrations/sandbox/connect', {
    brandId,
    handle: organizationName.toLowerCase(),
  })
  const post = { brandId, provider: 'sandbox' }
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString()
  const draft = await make('POST /api/posts', { ...post, text: `A draft of ${organizationName}` })
  const later = { ...post, status: 'scheduled', scheduledAt: tomorrow }
  const scheduled = await make('POST /api/posts', { ...later, text: `A plan of ${organizationName}` })
  const thread = await make('POST /api/posts', { ...later, thread: [{ text: 'One' }, { text: 'Two' }] })
  const invitation = await make(`POST /api/organizations/${organizationId}/invitations`, {
    email: `guest@${organizationName.toLowerCase()}.example`,
    role: 'editor',
  })
  const agent = await make(`POST /api/organizations/${organizationId}/agents`, {
    name: `Robot of ${organizationName}`,
    role: 'viewer',
  })
  const image = await make('POST /api/media', { brandId, file: dot, alt: `A dot of ${organizationName}` })
  const { id: keyId } = await person.makeKey({ scopes: ['posts.read'] })
  const household = await make('POST /api/households', { name: `${organizationName} home` })
  const things = {
    brands: brandId,
    media: image.id,
    accounts: connection.id,
    posts: draft.id,
    scheduled: scheduled.id,
    organizations: organizationId,
    threads: thread.threadId,
    part: thread.items[1]?.id ?? '',
    members: person.id,
    agents: agent.id,
    invitations: invitation.id,
    overrides: '',
    heirs: person.id,
    keys: keyId,
    sessions: '',
    passkeys: '',
    apps: '',
    submittedApps: '',
    otherApps: '',
    actions: '',
    otherActions: '',
    appKeys: '',
    otherAppKeys: '',
    identities: '',
    households: household.id,
    householdInvitations: '',
    otherHouseholdInvitations: '',
  }
  return { ...person, things }
}

/** A draft with actions and keys, and two apps that wait for their review. */
async function develop({ things, tell }: Resident): Promise<void> {
  const make = async (route: string, body: object) =>
    (await tell<{ id: string }>(`POST /developers/${route}`, body, 201)).id
  const orders = [{ permission: 'orders:read', description: 'View orders' }]
  const app = { description: 'Shows orders.', webUrl: 'https://orders.example', permissions: orders }
  const makeApp = (name: string) => make('apps', { ...app, name, scopes: ['platform-socialize/posts.read'] })
  things.apps = await makeApp('Order desk')
  things.actions = await make(`apps/${things.apps}/actions`, listOrders)
  things.otherActions = await make(`apps/${things.apps}/actions`, { ...listOrders, name: 'findOrder', path: '/find' })
  things.appKeys = await make(`apps/${things.apps}/keys`, { ...testKey, name: 'Desk' })
  things.otherAppKeys = await make(`apps/${things.apps}/keys`, { ...testKey, name: 'Counter' })
  for (const name of ['submittedApps', 'otherApps'] as const) {
    things[name] = await makeApp(name)
    await make(`apps/${things[name]}/submission`, {})
  }
}

/** What an action of a developer's app is made of, and a key. */
export const listOrders = {
  name: 'listOrders',
  summary: 'List orders',
  method: 'GET',
  path: '/api/orders',
  permission: 'orders:read',
  inputSchema: { type: 'object', properties: { day: { type: 'string' } } },
}
const testKey = { service: 'platform-socialize', scopes: ['posts.read'], mode: 'test' }

/** Links of every kind that somebody was mailed, all with one token. */
async function linksOf({ sql }: DatabaseHandle, { id }: Person): Promise<string> {
  const token = randomToken()
  const [hash, mail] = [digest(token), `${newId()}@example.com`]
  await sql`
    WITH reset AS (
      INSERT INTO identity.password_resets (id, user_id, token_hash, created_at, expires_at)
      VALUES (${newId()}, ${id}, ${hash}, now(), now() + interval '1 day')
    ), recovery AS (
      INSERT INTO identity.recovery_emails (user_id, email, token_hash, created_at, expires_at)
      VALUES (${id}, ${mail}, ${hash}, now(), now() + interval '1 day')
    )
    INSERT INTO identity.email_changes (user_id, email, old_token_hash, new_token_hash, created_at, expires_at)
    VALUES (${id}, ${mail}, ${hash}, ${digest(mail)}, now(), now() + interval '1 day')`
  return token
}

/** Reads what was mailed to an address, the newest first. */
export const lettersIn =
  ({ db }: DatabaseHandle, mail: Mail): World['letters'] =>
  async (to) => {
    const heads = (await mail.kept(db)).filter(({ recipient }) => recipient === to)
    const opened = await Promise.all(heads.map(({ id }) => mail.open(db, id)))
    return opened.filter((letter) => letter !== undefined)
  }

/** The secret at the end of a letter's link. */
export const tokenIn = (letter: Pick<KeptMail, 'text'> | undefined): string =>
  /https?:\/\/\S+\/([\w-]+)\s/.exec(letter?.text ?? '')?.[1] ?? ''

async function joinBy(
  handle: Handle,
  letters: World['letters'],
  of: Resident,
  { name, role }: { name: string; role: string },
): Promise<Person> {
  const email = `${name.toLowerCase()}@example.com`
  await of.tell(`POST /api/organizations/${of.things.organizations}/invitations`, { email, role }, 201)
  const registration = { name, password, token: tokenIn((await letters(email))[0]) }
  const joined = await callerOf(handle, {}).tell<SignedUp>('POST /api/invitations/register', registration, 201)
  return personOf(handle, email, joined)
}

/** A caller whose requests carry the digest of their bodies. */
const signing = (handle: Handle, credential: Record<string, string>): Caller =>
  callerOf(async (request) => {
    const body = new Uint8Array(await request.clone().arrayBuffer())
    const signed = new Request(request)
    if (!request.headers.has('content-digest')) signed.headers.set('content-digest', contentDigest(body))
    return handle(signed)
  }, credential)

export const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` })

function callerOf(handle: Handle, credential: Record<string, string>): Caller {
  const ask: Caller['ask'] = (route, body, headers = {}) =>
    handle(requestOf(route, body, { ...('cookie' in headers ? {} : credential), ...headers }))
  return {
    credential,
    ask,
    tell: async (route, body, status = 200) => {
      const response = await ask(route, body)
      const text = await response.text()
      if (response.status !== status) throw new Error(`${route} answered ${response.status}: ${text}`)
      return text ? JSON.parse(text) : null
    },
  }
}

/** A text, stream, form or file goes as it is, anything else as JSON. */
function requestOf(route: string, body: unknown, headers: Record<string, string>): Request {
  const [method = 'GET', path = ''] = route.split(' ')
  const typed = body === undefined || body instanceof FormData || body instanceof Blob
  const raw = typed || typeof body === 'string' || body instanceof ReadableStream
  return new Request(`http://localhost${path}`, {
    method,
    headers: { ...(!typed && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: raw ? body : JSON.stringify(body) }),
  })
}
