import { demoTime } from './demo-time.ts'
import { generateKeyPairSync } from 'node:crypto'
import { createSuperAdminLink } from '#identity'
import type { Provided } from '#lib/call.ts'
import type { DatabaseHandle } from '#lib/db.ts'
import { digest, randomToken } from '#lib/ids.ts'
import type { Secrets } from '#lib/secrets.ts'
import { signAccessToken } from '../../../src/identity/tokens/tokens.ts'
import { prepareFactors, type PreparedFactors } from '../factors.ts'
import { longCode } from '../sso.ts'
import { bearer, callerOf, type Caller, type Handle } from './callers.ts'
import { emailOf, joinOrganization, mailsIn, password, personOf, signUp, tokenIn, type SignedUp } from './people.ts'
import {
  addDeadJobs,
  addDeadLetter,
  addEmail,
  addPublicVideos,
  addVideoUpload,
  addProviderEndpoint,
  addProviderEvent,
  addReceivedWebhook,
  addExport,
  addForeignApp,
  addLedger,
  addMagicLink,
  addMailedLinks,
  addSession,
  addSettlements,
  addBrandLogo,
  addIdentity,
  addFailedRun,
  addLaunch,
  addLogo,
  addUsage,
  addVideo,
  findReceiptToken,
} from './rows.ts'
import { addInvoices, findInvoiceToken } from './invoices.ts'
import { addReconciliation } from './reconciliation.ts'
import { addDisputes } from './disputes.ts'
import { addRefunds } from './refunds.ts'
import { reviewToken } from './review-token.ts'
import { addSandboxObjects } from './sandbox.ts'
import { addSubscription } from './subscriptions.ts'
import { addApps, addResources, type Resources } from './resources.ts'

/** The scopes of the world's key. */
export const keyScopes = ['posts.read', 'accounts.read'] as const

/** The data of a person from which their tokens are made. */
export interface PersonRecord {
  id: string
  email: string
  sessionId: string
  /** Of the session's context. */
  organizationId: string | null
}

export interface OwnerRecord extends PersonRecord {
  things: Resources
}

/** Everything that a copy of the world's database doesn't contain, as JSON. */
export interface WorldRecord {
  ada: OwnerRecord
  mallory: OwnerRecord
  vera: PersonRecord
  nora: PersonRecord
  root: PersonRecord
  /** Of the organization of super admins. */
  adminsId: string
  serviceId: string
  theirAppId: string
  signInToken: string
  mailedToken: string
  invitationToken: string
  superAdminToken: string
  bookingToken: string
  waitlistToken: string
  receiptToken: string
  invoiceToken: string
  ssoCode: string
  key: { id: string; text: string }
  serviceKey: { id: string; keyId: string }
  /** The private key with which platform-pay authenticates, as PKCS #8 in PEM. */
  assertionKey: string
  deadJobs: string[]
  receivedWebhook: string
  keptMail: string
  factors: PreparedFactors
}

export interface BuildDependencies {
  handle: Handle
  secrets: Secrets
  database: DatabaseHandle
  provided: Provided
}

/** Payments were made with calls of the gateway, whose usage only tests of usage want to have. */
async function forgetProviderCalls({ ledger }: Provided, { sql }: DatabaseHandle): Promise<void> {
  await ledger.settled()
  await sql`DELETE FROM gateway.usage_logs`
  await sql`DELETE FROM gateway.usage_daily`
  await sql`DELETE FROM gateway.usage_dedupe`
}

/** Creates the people and their objects through the public API, on a database without any. */
export async function buildWorld({
  handle,
  database,
  provided,
}: Omit<BuildDependencies, 'secrets'>): Promise<WorldRecord> {
  const mails = mailsIn(database, provided.mail)
  const person = ({ id, email, token }: SignedInRecord) => personOf(handle, id, email, token)
  const stranger = callerOf(handle, {})
  const social = await stranger.fetchJson<{ id: string }>('GET /api/services/by-slug/platform-socialize')

  const settle = async (name: string, organizationName: string) => {
    const known = signedInRecordOf(await signUp(handle, { name, organizationName }), emailOf(name))
    const owner = { ...person(known), organizationId: known.organizationId ?? '' }
    return { owner, known, things: await addResources(owner, organizationName) }
  }
  const ada = await settle('Ada', 'Acme')
  const mallory = await settle('Mallory', 'Umbrella')
  const residents = [ada, mallory]

  const vera = signedInRecordOf(await joinOrganization(handle, mails, ada.owner, { name: 'Vera', role: 'viewer' }))
  const mona = signedInRecordOf(await joinOrganization(handle, mails, mallory.owner, { name: 'Mona', role: 'viewer' }))
  ada.things.members = vera.id
  mallory.things.members = mona.id
  for (const { owner, things } of residents) {
    await addLogo(database, things.organizations)
    await addBrandLogo(database, things.brands)
    things.sessions = await addSession(database, owner.id)
    things.identities = await addIdentity(database, owner.id)
    things.overrides = await addOverride(owner, things, social.id)
    things.emails = await addEmail(database, things)
    things.providerEvents = await addProviderEvent(database, things.organizations)
    things.providerEndpoints = await addProviderEndpoint(database, things.organizations)
    things.deadLetters = await addDeadLetter(database, things)
    things.otherDeadLetters = await addDeadLetter(database, things)
    things.videoUploads = await addVideoUpload(database, provided, things.organizations)
    things.exports = await addExport(database, provided.storage, { requestedBy: owner.id, ...things })
    Object.assign(things, await addLedger(database, things.organizations))
    Object.assign(things, await addSettlements(database, things))
    Object.assign(things, await addRefunds(owner, database, things))
    Object.assign(things, await addDisputes(owner, database))
    Object.assign(things, await addInvoices(owner))
    Object.assign(things, await addReconciliation(database, things))
    Object.assign(things, await addSubscription({ handle, database, provided }, things.organizations))
    things.videos = await addVideo(owner, things.brands, { ...provided, database, now: () => new Date() })
  }
  await addPublicVideos(database)
  await forgetProviderCalls(provided, database)
  for (const { things } of residents) things.workflowRunsToRetry = await addFailedRun(database, things.workflowRuns)
  for (const { owner, things } of residents) await addLaunch(database, things.organizations, owner.id)
  for (const { things } of residents) things.usage = await addUsage(provided, things.organizations)
  const factors = await prepareFactors(database, provided, [ada.known.id, mallory.known.id])
  ada.things.passkeys = factors.passkeys[0]
  mallory.things.passkeys = factors.passkeys[1]
  const invitation = { email: 'newcomer@example.com', role: 'viewer' }
  await ada.owner.fetchJson(`POST /api/organizations/${ada.things.organizations}/invitations`, invitation, 201)

  const linkFor = async (email: string) => lastPart(await createSuperAdminLink(database.db, email, new Date()))
  const nora = signedInRecordOf(await signUp(handle, { name: 'Nora' }))
  await inviteHome(person(nora), residents)
  const rootWish = { token: await linkFor('root@example.com'), name: 'Root', password }
  const root = signedInRecordOf(
    await stranger.fetchJson<SignedUp>('POST /api/super-admins', rootWish, 201),
    'root@example.com',
  )
  const [admins] = await database.sql<{ id: string }[]>`SELECT id FROM identity.organizations WHERE slug = 'admin'`
  const key = await ada.owner.createKey({ scopes: keyScopes })
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const { kty, crv, x } = publicKey.export({ format: 'jwk' })
  const app = { label: 'main', secret: { clientId: '3000', clientSecret: 'the-secret-of-the-app' } }
  await person(root).fetchJson('PUT /api/credentials/instagram', { ...app, level: 'platform' }, 200)
  const { reviewLinks } = ada.things
  await database.sql`UPDATE social.review_links SET token_hash = ${digest(reviewToken)} WHERE id = ${reviewLinks}`
  await addSandboxObjects(database.db)
  const serviceKey = await registerKey(person(root), stranger, newPublicKey())
  await registerKey(person(root), stranger, { kty, crv, x })
  return {
    ada: { ...recordOf(ada.known), things: ada.things },
    mallory: { ...recordOf(mallory.known), things: mallory.things },
    vera: recordOf(vera),
    nora: recordOf(nora),
    root: recordOf(root),
    adminsId: admins?.id ?? '',
    serviceId: social.id,
    theirAppId: await addForeignApp(database),
    signInToken: await addMagicLink(database, vera),
    mailedToken: await addMailedLinks(database, mona.id),
    invitationToken: tokenIn((await mails(invitation.email))[0]),
    superAdminToken: await linkFor('second@example.com'),
    bookingToken: await bookDemo(stranger),
    waitlistToken: await joinWaitlist(stranger, mails),
    receiptToken: await findReceiptToken(database, ada.things.payments),
    invoiceToken: await findInvoiceToken(database, ada.things.invoices),
    ssoCode: await longCode(database, { id: ada.known.id, things: ada.things }, social.id),
    key: { id: key.id, text: key.text },
    serviceKey,
    assertionKey: privateKey.export({ format: 'pem', type: 'pkcs8' }),
    deadJobs: await addDeadJobs(database, provided.queue),
    receivedWebhook: await addReceivedWebhook(database),
    keptMail: (await mails(invitation.email))[0]?.id ?? '',
    factors,
  }
}

/** Adds the apps of developers to a world, and their ids to its data. */
export async function buildApps(
  { handle, database, secrets }: BuildDependencies,
  { ada, mallory }: WorldRecord,
): Promise<void> {
  const store = { db: database.db, secrets, now: () => new Date() }
  for (const { id, sessionId, organizationId, things } of [ada, mallory]) {
    const token = await signAccessToken(store, { userId: id, sessionId, organizationId })
    await addApps(callerOf(handle, bearer(token)), things)
  }
}

/** A person with a token. */
interface SignedInRecord extends PersonRecord {
  token: string
}

function signedInRecordOf({ user, organization, accessToken: token }: SignedUp, email = ''): SignedInRecord {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  return {
    id: user.id,
    email: email || String(Object(user)['email']),
    sessionId: String(claims['sid']),
    organizationId: organization?.id ?? (claims['org'] === null ? null : String(claims['org'])),
    token,
  }
}

const recordOf = ({ id, email, sessionId, organizationId }: SignedInRecord): PersonRecord => ({
  id,
  email,
  sessionId,
  organizationId,
})

const lastPart = (path: string): string => path.split('/').at(-1) ?? ''

/** A permission that no route requires, granted to a member by the owner of the organization. */
async function addOverride({ fetchJson }: Caller, resources: Resources, serviceId: string): Promise<string> {
  const route = `POST /api/organizations/${resources.organizations}/members/${resources.members}/overrides`
  const { id } = await fetchJson<{ id: string }>(
    route,
    { permission: `${serviceId}.images:override`, effect: 'grant' },
    201,
  )
  return id
}

/** Invites residents to two households of a person. */
async function inviteHome(
  host: Caller,
  guests: { owner: Caller & { email: string }; things: Resources }[],
): Promise<void> {
  for (const invitations of ['householdInvitations', 'otherHouseholdInvitations'] as const) {
    const { id } = await host.fetchJson<{ id: string }>('POST /api/households', { name: `Home of ${invitations}` }, 201)
    for (const { owner, things } of guests) {
      await host.fetchJson(`POST /api/households/${id}/invitations`, { email: owner.email }, 201)
      const route = 'GET /api/household-invitations'
      const { items } = await owner.fetchJson<{ items: { id: string; household: { id: string } }[] }>(route)
      things[invitations] = items.find(({ household }) => household.id === id)?.id ?? ''
    }
  }
}

async function registerKey(root: Caller, stranger: Caller, publicKey: object): Promise<WorldRecord['serviceKey']> {
  const { id } = await stranger.fetchJson<{ id: string }>('GET /api/services/by-slug/platform-pay')
  const made = await root.fetchJson<{ id: string }>(`POST /api/services/${id}/keys`, { publicKey }, 201)
  return { id, keyId: made.id }
}

/** As a service would create it: any 32 bytes have the form of a point. */
export const newPublicKey = () => ({ kty: 'OKP', crv: 'Ed25519', x: randomToken() })

/** The token of the link to a visitor's demo. */
async function bookDemo(visitor: Caller): Promise<string> {
  const booking = { email: 'petra@example.com', name: 'Petra', startsAt: demoTime(0), message: 'Reviews' }
  return (await visitor.fetchJson<{ token: string }>('POST /api/demo-bookings', booking, 201)).token
}

/** The token of the link that was mailed to a visitor who waits. */
async function joinWaitlist(visitor: Caller, mails: ReturnType<typeof mailsIn>): Promise<string> {
  const entry = { email: 'waiting@example.com', topics: ['video'] }
  await visitor.fetchJson('POST /api/waitlist', entry, 201)
  const [mail] = await mails(entry.email)
  return /\/waitlist\/entries\/(\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
}
