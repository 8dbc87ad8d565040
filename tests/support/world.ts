import { sign } from 'node:crypto'
import { serviceTokens } from '#identity'
import type { Provided } from '#lib/call.ts'
import type { Context } from '#lib/context.ts'
import type { DatabaseHandle } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import type { Log } from '#lib/log.ts'
import type { Secrets } from '#lib/secrets.ts'
import { signAccessToken, signServiceToken } from '../../src/identity/tokens/tokens.ts'
import { apiDocument } from './api-document.ts'
import { heldToContract } from './contract.ts'
import { openFactors, type Factors } from './factors.ts'
import { copyWorld } from './templates.ts'
import type { PersonRecord, OwnerRecord, WorldRecord } from './world/build.ts'
import { bearer, callerOf, signingCaller, type Caller, type Handle } from './world/callers.ts'
import { joinOrganization, mailsIn, personOf, type KeyCaller, type Person, type ReadMails } from './world/people.ts'
import type { Resources } from './world/resources.ts'
import { wireServer } from './world/wire.ts'

export { keyScopes, newPublicKey } from './world/build.ts'
export { bearer, type Caller } from './world/callers.ts'
export { mailsIn, password, tokenIn, type KeyCaller, type Person } from './world/people.ts'
export { unsavedContent, dot, listOrders } from './world/resources.ts'

/** The whole server in this process, with a few people and their objects. */
export interface World {
  /** Owns Acme, with a brand and everything that belongs to one. */
  ada: Owner
  /** Viewer of Acme. */
  vera: Person
  /** Owns Umbrella, another organization, with objects of the same kinds. */
  mallory: Owner
  /** Signed up, in no organization. */
  nora: Person
  /** Super admin of the platform. */
  root: Person
  /** Anonymous: no credential. */
  stranger: Caller
  /** Platform-socialize as a caller of identity. */
  service: Caller
  /** Every service of the registry by its slug, as a caller of identity. */
  services: Record<string, Caller>
  /** Social, with a token for the gateway. */
  gatewayClient: Caller
  /** Services that call the gateway by their slugs, with tokens for it. */
  gatewayServices: Record<string, Caller>
  /** The services that sell packages by their slugs, with tokens for payments. */
  payServices: Record<string, Caller>
  /** Services that call social by their slugs, with tokens for it. */
  socialServices: Record<string, Caller>
  /** Services that raise actions by their slugs, with tokens for the dashboard. */
  dashboardServices: Record<string, Caller>
  /** Payments, with a token for the website. */
  websiteServices: Record<string, Caller>
  /** Platform-pay with a token for the gateway: it calls for Ada’s organization, with a new Idempotency-Key each time. */
  payments: Caller
  /** Platform-socialize calling the developer console for Ada, with signed requests. */
  console: Caller
  /** The same for Root. */
  rootConsole: Caller
  /** A key that Ada created for social, with `keyScopes`. */
  key: KeyCaller
  /** The IDs of Ada’s apps that can be uninstalled. */
  installedApps: string[]
  /** The id of platform-socialize in this database. */
  serviceId: string
  /** A third-party app in the registry, which no organization has. */
  theirAppId: string
  /** Of a link that signs Vera in. */
  signInToken: string
  /**
   * Of the links that were mailed to Mona of Umbrella: to reset her password, to verify and to change her email
   * address.
   */
  mailedToken: string
  /** Of an open invitation to Acme: the last segment of its link. */
  invitationToken: string
  /** Of an unused link that makes a super admin: its last segment. */
  superAdminToken: string
  /** Of the link to a visitor’s demo. Its beginning is the ID of the inquiry. */
  bookingToken: string
  /** Of a visitor's entry on the waitlist. */
  waitlistToken: string
  /** Of the receipt of Ada’s payment. */
  receiptToken: string
  /** Of the link to the PDF of Ada’s invoice. */
  invoiceToken: string
  /** An authorization code for Ada at social, with `pkce.verifier`, valid for a day. */
  ssoCode: string
  /** A key with which platform-pay would authenticate from elsewhere. */
  serviceKey: { id: string; keyId: string }
  /** A new one each time, with which platform-pay authenticates from elsewhere. */
  assertion(): string
  /** Failed background jobs. */
  deadJobs: string[]
  /** An incoming event of a provider. */
  receivedWebhook: string
  /** An email of the mailbox. */
  keptMail: string
  factors: Factors
  database: DatabaseHandle
  /** The context of its handlers and jobs. */
  provided: Provided
  /** What it serves: its operations and pages themselves. */
  contexts: readonly Context[]
  /** The server itself, for clients that make their own requests. */
  handle: Handle
  /** The mails to an address, newest first. */
  letters: ReadMails
  /** A new person, invited to a resident’s organization, who accepts. */
  join(of: Owner, options: { name: string; role: string }): Promise<Person>
  close(): Promise<void>
}

/** A signed-up person with the ids of their objects. */
interface Owner extends Person {
  things: Resources
}

interface Options {
  /** With apps of developers. */
  apps?: true
  env?: Record<string, string>
  /** Answers the payment operations of the gateway; the payment service uses the practice provider. */
  stripe?: { url: string }
  log?: Log
}

/** Opens it on a copy of a database that is built once; nothing is published. */
export async function openWorld(options: Options = {}): Promise<World> {
  const undo: (() => Promise<unknown> | void)[] = []
  const copy = await copyWorld(options.apps ? 'apps' : 'people')
  undo.push(() => copy.drop())
  const { config, secrets, ...server } = await wireServer({ ...options, url: copy.url, home: copy.home, undo })
  const handle = heldToContract(server.handle, await apiDocument(config))
  const world = await connectWorld(copy.record, { ...server, secrets, handle, isSandbox: options.stripe !== undefined })
  if (options.stripe) for (const owner of [world.ada, world.mallory]) await useSandbox(owner, options.stripe.url)
  return {
    ...world,
    close: async () => {
      for (const step of undo.toReversed()) await step()
    },
  }
}

interface Parts {
  handle: Handle
  database: DatabaseHandle
  provided: Provided
  secrets: Secrets
  contexts: readonly Context[]
  /** Calls of `payments` use the organization’s test credential. */
  isSandbox: boolean
}

const useSandbox = (owner: Caller, baseUrl: string) =>
  owner.fetchJson(
    'POST /api/credentials',
    { provider: 'stripe', mode: 'test', label: 'sandbox', secret: { apiKey: 'sk_test_of_the_world' }, baseUrl },
    201,
  )

/** Callers for everyone in a copy of the world, with new tokens. */
async function connectWorld(record: WorldRecord, parts: Parts): Promise<Omit<World, 'close'>> {
  const { handle, database, provided, secrets, contexts, isSandbox } = parts
  const store = { db: database.db, secrets, now: ahead }
  const person = async ({ id, email, sessionId, organizationId }: PersonRecord) =>
    personOf(handle, id, email, await signAccessToken(store, { userId: id, sessionId, organizationId }))
  const resident = async (known: OwnerRecord): Promise<Owner> => ({
    ...(await person(known)),
    things: { ...known.things },
  })
  const mails = mailsIn(database, provided.mail)
  const stranger = callerOf(handle, {})
  const ada = await resident(record.ada)
  const services = await serviceCallers(parts)
  const forPay = async (slug: string) => callerOf(handle, bearer(await serviceTokens(store, slug)('platform-pay')))
  const forDashboard = async (slug: string) =>
    callerOf(handle, bearer(await serviceTokens(store, slug)('platform-dashboard-api')))
  const forGateway = async (slug: string) => bearer(await serviceTokens(store, slug)('platform-gateway'))
  const gatewayClient = callerOf(handle, await forGateway('platform-socialize'))
  const withUser = callerOf(handle, {
    ...gatewayClient.credential,
    'x-organization-id': ada.things.organizations,
    'x-provider-authorization': 'Bearer ya29.123456789012.ada',
  })
  const payments = callerOf(withKeys(handle), {
    ...(await forGateway('platform-pay')),
    'x-organization-id': ada.things.organizations,
    ...(isSandbox && { 'x-test-mode': 'true' }),
  })
  const grant = { caller: 'platform-developer-console', audience: 'platform-developer-console', keyId: null }
  const consoleFor = (userId: string, organizationId: string) =>
    signingCaller(handle, { 'on-behalf-of': userId, 'on-behalf-of-organization': organizationId }, () =>
      signServiceToken(store, grant),
    )
  return {
    ada,
    mallory: await resident(record.mallory),
    vera: await person(record.vera),
    nora: await person(record.nora),
    root: await person(record.root),
    key: { ...callerOf(handle, bearer(record.key.text)), ...record.key },
    stranger,
    service: services['platform-socialize'] ?? stranger,
    services,
    gatewayClient,
    gatewayServices: { 'platform-socialize': withUser, 'platform-pay': payments },
    payServices: {
      'platform-socialize': await forPay('platform-socialize'),
      'platform-dashboard-website': await forPay('platform-dashboard-website'),
      'platform-dashboard-api': await forPay('platform-dashboard-api'),
    },
    socialServices: {
      'platform-gateway': callerOf(
        handle,
        bearer(await serviceTokens(store, 'platform-gateway')('platform-socialize')),
      ),
      'platform-dashboard-api': callerOf(
        handle,
        bearer(await serviceTokens(store, 'platform-dashboard-api')('platform-socialize')),
      ),
    },
    dashboardServices: { 'platform-socialize': await forDashboard('platform-socialize') },
    websiteServices: {
      'platform-pay': callerOf(
        handle,
        bearer(await serviceTokens(store, 'platform-pay')('platform-dashboard-website')),
      ),
    },
    payments,
    console: consoleFor(ada.id, ada.things.organizations),
    rootConsole: consoleFor(record.root.id, record.adminsId),
    installedApps: await installedApps(database, ada.things.organizations),
    serviceId: record.serviceId,
    theirAppId: record.theirAppId,
    signInToken: record.signInToken,
    mailedToken: record.mailedToken,
    invitationToken: record.invitationToken,
    superAdminToken: record.superAdminToken,
    bookingToken: record.bookingToken,
    waitlistToken: record.waitlistToken,
    receiptToken: record.receiptToken,
    invoiceToken: record.invoiceToken,
    ssoCode: record.ssoCode,
    serviceKey: record.serviceKey,
    assertion: () => assertionBy(record.assertionKey),
    deadJobs: record.deadJobs,
    receivedWebhook: record.receivedWebhook,
    keptMail: record.keptMail,
    factors: openFactors(record.factors),
    database,
    provided,
    contexts,
    handle,
    letters: mails,
    join: async (of, options) => {
      const inviter = { ...of, organizationId: of.things.organizations }
      const { user, accessToken: token } = await joinOrganization(handle, mails, inviter, options)
      return personOf(handle, user.id, `${options.name.toLowerCase()}@example.com`, token)
    },
  }
}

/** A server whose requests have an Idempotency-Key each. */
const withKeys =
  (handle: Handle): Handle =>
  (request, ...rest) => {
    const keyed = new Request(request)
    if (!request.headers.has('idempotency-key')) keyed.headers.set('idempotency-key', newId())
    return handle(keyed, ...rest)
  }

/**
 * The clock of tokens: one is valid for minutes, a world on a busy machine lives longer, so these expire an hour later.
 */
const ahead = () => new Date(Date.now() + 60 * 60_000)

async function installedApps({ sql }: DatabaseHandle, organizationId: string): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    SELECT id FROM identity.services JOIN identity.service_access ON service_id = id
    WHERE organization_id = ${organizationId} AND surface_kind <> 'internal' AND NOT (first_party AND NOT paid)`
  return rows.map(({ id }) => id)
}

async function serviceCallers({ handle, database: { sql, db }, secrets }: Parts): Promise<World['services']> {
  const registry = await sql<{ slug: string }[]>`SELECT slug FROM identity.services`
  const callers = registry.map(async ({ slug }) => {
    const token = await serviceTokens({ db, secrets, now: ahead }, slug)('platform-identity')
    return [slug, callerOf(handle, bearer(token))] as const
  })
  return Object.fromEntries(await Promise.all(callers))
}

function assertionBy(privateKey: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: 'platform-pay', sub: 'platform-pay', aud: 'platform-identity', jti: newId() }
  const text = `${part({ alg: 'EdDSA' })}.${part({ ...claims, exp: Math.floor(Date.now() / 1000) + 60 })}`
  return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
}
