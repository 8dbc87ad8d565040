import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import type { OpenApiDocument } from '#lib/openapi.ts'
import { storeApp } from '../../src/gateway/social-credentials/apps.ts'
import { openStripe, type StripeServer } from '../gateway/stripe/server.ts'
import { openWorld, type World } from '../support/world.ts'
import { allowedCaller, isForServices, requestFor, sendChecked } from './send-request.ts'
import type { CheckedResponse } from './check-response.ts'
import { addDoomedAccount } from './doomed-account.ts'
import { inOrder, operations, webhookRoutes, type Declared } from './every.ts'
import { exceptions } from './exceptions.ts'
import { instance, registeredClient } from './instance.ts'
import { leaves, replaceAt, valueAt } from './fields.ts'
import { sampled, samplesOf, type Input } from './samples.ts'
import { addSampleRows, confirmRoot } from './tenancy-state.ts'

// Each operation works for its owner, and changes nothing for other organizations.

let world: World
let stripe: StripeServer
/** Of the super admin in an admin session. */
let confirmed: Record<string, string>

beforeAll(async () => {
  stripe = await openStripe()
  world = await openWorld({ apps: true, stripe })
  // Invitations can be mailed again after a minute.
  await world.database.sql`UPDATE identity.invitations SET created_at = created_at - interval '1 minute'`
  // A post can be restored for ten minutes.
  await world.database.sql`UPDATE social.deleted_posts SET deleted_at = now()`
  // Another test event can be sent once the previous one has been attempted.
  await world.database.sql`UPDATE platform.webhook_deliveries SET attempts = 1`
  await world.database.sql`UPDATE identity.users SET password_hash = NULL WHERE id = ${world.nora.id}`
  for (const { things } of [world.ada, world.mallory]) {
    things.heirs = await anotherMember(things.organizations)
    things.doomed = await organizationBeingDeleted(30)
    await addDoomedAccount(world, things.doomed)
  }
  // A code can be exchanged where Atrium is registered.
  const place = {
    provider: 'mastodon',
    host: instance,
    redirectUri: 'http://localhost/auth/callback',
    scopes: ['read'],
  } as const
  const store = { db: world.database.db, secrets: world.provided.secrets }
  await storeApp(store, place, { clientId: registeredClient, clientSecret: 'a secret' })
  world.ada.things.erasable = await organizationBeingDeleted(-1)
  world.ada.things.erasableAccounts = newId()
  await addDoomedAccount(world, world.ada.things.erasableAccounts, { days: -1 })
  await addDoomedAccount(world, newId(), { token: world.mailedToken })
  await addSampleRows(world)
  confirmed = await confirmRoot(world)
})

afterAll(async () => {
  await world.close()
  await stripe.stop()
})

/** A member who stays when the sample's member is removed. */
async function anotherMember(organizationId: string, role = 'editor'): Promise<string> {
  const id = newId()
  const { sql } = world.database
  await sql`INSERT INTO identity.users (id, email, name, created_at) VALUES (${id}, ${`${id}@example.com`}, 'Heir', now())`
  await sql`
    INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    VALUES (${organizationId}, ${id}, ${role}, now())`
  return id
}

/** An organization whose deletion becomes final after `days`. */
async function organizationBeingDeleted(days: number): Promise<string> {
  const id = newId()
  const { sql } = world.database
  await sql`INSERT INTO identity.organizations (id, slug, name, created_at) VALUES (${id}, ${id}, 'Gone', now())`
  await sql`
    INSERT INTO identity.suspensions (id, organization_id, reason, suspended_at, deletes_at)
    VALUES (${newId()}, ${id}, 'Its deletion was requested.', now() - interval '31 days', now() + ${days} * interval '1 day')`
  await anotherMember(id, 'owner')
  return id
}

/** A UUID that doesn't exist. */
const unknownId = '01890000-0000-7000-8000-000000000000'

interface Swap {
  /** The field that holds an id, with the operation's name. */
  name: string
  foreign: Input
  absent: Input
}

/** The same input once for each id of Ada's in it, replaced by Mallory's, and by an unknown one. */
function swapsOf(operation: Declared): Swap[] {
  const theirs = samplesOf(operation, world, world.mallory)
  return samplesOf(operation, world).flatMap((own, at) =>
    leaves(own)
      .filter(([, value]) => Object.values<unknown>(world.ada.things).includes(value))
      .map(([path]) => ({
        name: `${operation.name} ${path.join('.')}`,
        foreign: replaceAt(own, path, valueAt(theirs[at], path)),
        absent: replaceAt(own, path, unknownId),
      })),
  )
}

/** All data of Mallory's organization as one text. */
async function estate(): Promise<string> {
  const { brands, organizations } = world.mallory.things
  const { sql } = world.database
  const rows = await sql`
    SELECT (SELECT json_agg(b ORDER BY b.id) FROM social.brands b WHERE platform_org_id = ${organizations}) AS brands,
      (SELECT json_agg(p ORDER BY p.id) FROM social.posts p WHERE brand_id = ${brands}) AS posts,
      (SELECT json_agg(c ORDER BY c.id) FROM social.connections c WHERE brand_id = ${brands}) AS connections,
      (SELECT json_agg(m ORDER BY m.user_id) FROM identity.memberships m WHERE organization_id = ${organizations}) AS members,
      (SELECT json_agg(a ORDER BY a.id) FROM platform.audit_log a WHERE organization_id = ${organizations}) AS audit,
      (SELECT json_agg(i ORDER BY i.id) FROM identity.invitations i WHERE organization_id = ${organizations}) AS invitations`
  return JSON.stringify(rows)
}

const withoutRequest = ({ status, text }: CheckedResponse): string =>
  `${status} ${text.replace(/"requestId":"[^"]*"/, '')}`

/** In development and tests: the mailbox has the emails of everyone, and the practice payments their objects. */
const isOfEveryone = (path: string): boolean => /^\/dev\/(?:mailbox|payments)\//.test(path)

/** All operations except those of super admins, services and development for every organization. */
const ofTenants = operations.filter(
  (operation) => operation.permission !== 'super-admin' && !isForServices(operation) && !isOfEveryone(operation.path),
)

test.each(ofTenants.map((operation) => [operation.route, operation] as const))(
  'PLT-23 %s: IDs of another organization are rejected, and nothing in it changes',
  async (_, operation) => {
    const before = await estate()
    for (const { name, foreign, absent } of swapsOf(operation)) {
      const refused = await sendChecked(allowedCaller(operation, world), requestFor(operation, foreign))
      expect(refused.status, `${name}: ${refused.text}`).toBe(exceptions.foreign.get(name) ?? 404)
      const unknown = await sendChecked(allowedCaller(operation, world), requestFor(operation, absent))
      expect(withoutRequest(refused), name).toBe(withoutRequest(unknown))
    }
    expect(await estate()).toBe(before)
  },
)

test.each(
  operations
    .filter(({ permission, problems }) => /^(posts|accounts):read$/.test(permission) && !problems?.['session_required'])
    .map((operation) => [operation.route, operation] as const),
)('PLT-23 IDN-30 %s: IDs of another organization are also rejected with a key', async (_, operation) => {
  for (const { name, foreign } of swapsOf(operation))
    expect((await sendChecked(world.key, requestFor(operation, foreign))).status, name).toBe(
      exceptions.foreign.get(name) ?? 404,
    )
})

test('PLT-23 IDs in paths and bodies were replaced in the tests above', () => {
  const swaps = operations.flatMap(swapsOf)
  expect(swaps.length).toBeGreaterThan(20)
  const names = swaps.map(({ name }) => name)
  expect([...exceptions.foreign.keys()].filter((name) => !names.includes(name))).toEqual([])
  // Services belong to the registry, and checkouts to the browser that started them.
  const ofOthers = /^\/api\/(services|catalog|auth\/app-switcher\/apps|checkout)\//
  const withId = ofTenants.filter(({ path }) => path.includes('/:id') && !ofOthers.test(path))
  expect(withId.map(({ name }) => `${name} id`).filter((name) => !names.includes(name))).toEqual([])
})

/** The statuses of a successful response. */
const usualStatus = ({ creates, answers = {} }: Declared): number =>
  creates && (Object.keys(answers).length === 0 || 201 in answers)
    ? 201
    : 200 in answers
      ? 200
      : Number(Object.keys(answers)[0] ?? 200)

test.each(inOrder.map((operation) => [operation.route, operation] as const))(
  'PLT-11 PLT-23 %s succeeds with valid input, and shows no data of another organization',
  async (_, operation) => {
    for (const input of samplesOf(operation, world)) {
      const headers = operation.name === 'eraseInquiries' ? confirmed : {}
      const answer = await sendChecked(allowedCaller(operation, world), requestFor(operation, input), headers)
      const expected = exceptions.refused.get(operation.name) ?? usualStatus(operation)
      expect([expected, expected === 200 ? 204 : expected], `${operation.name}: ${answer.text}`).toContain(
        answer.status,
      )
      if (isOfEveryone(operation.path)) continue
      for (const theirs of [...Object.values(world.mallory.things), world.mallory.id, 'Umbrella', 'mallory'])
        expect(answer.text).not.toContain(theirs)
    }
  },
)

test('samples and exceptions belong to existing operations, and the number of exceptions doesn’t grow', () => {
  expect(exceptions.refused.size + exceptions.foreign.size).toBeLessThanOrEqual(10)
  const names = operations.map(({ name }) => name)
  expect([...sampled, ...exceptions.refused.keys()].filter((name) => !names.includes(name))).toEqual([])
})

/** An incoming webhook, whose signature is its only credential. */
const isOfProvider = (method: string, path: string): boolean =>
  webhookRoutes.includes(`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`)

test('PLT-23 every route of /openapi.json called by another organization: 404 for objects, no rows of others in lists', async () => {
  const { paths } = await world.stranger.fetchJson<OpenApiDocument>('GET /openapi.json')
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, endpoint]) => (isOfProvider(method, path) ? [] : { path, endpoint })),
  )
  const theirs = [...Object.values(world.ada.things), world.ada.id, 'Acme']
  let walked = 0
  for (const { path, endpoint } of routes) {
    const operation = operations.find(({ name }) => name === endpoint.operationId)
    if (!operation) throw new Error(`${path} has an unknown operation: ${endpoint.operationId}`)
    if (isForServices(operation) || isOfEveryone(path)) continue
    for (const input of samplesOf(operation, world)) {
      const names = leaves(input).flatMap(([at, value]) => (theirs.includes(String(value)) ? [at.join('.')] : []))
      if (names.length === 0 && operation.method !== 'GET') continue
      const answer = await sendChecked(world.mallory, requestFor(operation, input))
      const allowed = names.map((name) => exceptions.foreign.get(`${operation.name} ${name}`)).find(Boolean)
      const requested = `${operation.name}: ${answer.text}`
      if (operation.permission === 'super-admin') expect(answer.status).toBe(403)
      else if (names.length > 0) expect([404, allowed], requested).toContain(answer.status)
      if (answer.status === 200) for (const text of theirs) expect(answer.text, requested).not.toContain(text)
      walked++
    }
  }
  expect(walked).toBeGreaterThan(40)
})

/**
 * Operations without a credential, with the reason: sign-in, identification by another secret, and the tools of development.
 */
const open = [
  'DELETE /api/auth/me/deletion',
  'DELETE /api/demo-bookings/{token}',
  'DELETE /api/waitlist/{token}',
  'GET /.well-known/jwks.json',
  'GET /.well-known/oauth-authorization-server',
  'GET /.well-known/oauth-protected-resource',
  'GET /.well-known/oauth-protected-resource/mcp',
  'GET /.well-known/openid-configuration',
  'GET /api/auth/email-change/{token}',
  'GET /api/auth/login/second-factor',
  'GET /api/auth/magic-link/{token}',
  'GET /api/auth/me/deletion',
  'GET /api/auth/password-reset/{token}',
  'GET /api/auth/recovery-email/{token}',
  'GET /api/auth/registrations/{token}',
  'GET /api/auth/sign-in-options',
  'GET /api/auth/sso-failure',
  'GET /api/auth/sso-organization',
  'GET /api/checkout/{id}',
  'GET /api/data-deletions/{code}',
  'GET /api/demo-bookings/{token}',
  'GET /api/demo-bookings/{token}/calendar',
  'GET /api/demo-slots',
  'GET /api/invitations/{token}',
  'GET /api/media-links/{token}',
  'GET /api/packages',
  'GET /api/pay/invoices/{token}/pdf',
  'GET /api/pay/receipts/{token}',
  'GET /api/review/{token}',
  'GET /api/review/{token}/logo',
  'GET /api/review/{token}/media/{mediaId}/{rendition}',
  'GET /api/service-identity',
  'GET /api/services/by-slug/{slug}',
  'GET /api/super-admins/invitations/{token}',
  'GET /api/waitlist/{token}',
  'GET /calendar/{token}',
  'GET /oauth/client-metadata.json',
  'GET /validate',
  'POST /api/api-keys/validate',
  'POST /api/auth/email-change/confirm',
  'POST /api/auth/login',
  'POST /api/auth/login/second-factor',
  'POST /api/auth/magic-link',
  'POST /api/auth/passkeys/options',
  'POST /api/auth/passkeys/verify',
  'POST /api/auth/password-reset',
  'POST /api/auth/password-reset/confirm',
  'POST /api/auth/recovery-email/confirm',
  'POST /api/auth/refresh',
  'POST /api/auth/sso/{provider}',
  'POST /api/checkout',
  'POST /api/checkout/{id}/sign-in',
  'POST /api/contact',
  'POST /api/demo-bookings',
  'POST /api/internal/service-tokens',
  'POST /api/invitations/decline',
  'POST /api/invitations/register',
  'POST /api/review/{token}/comments',
  'POST /api/review/{token}/decisions',
  'POST /api/review/{token}/request',
  'POST /api/super-admins',
  'POST /api/waitlist',
  'POST /api/waitlist/{token}/confirm',
  'POST /callbacks/instagram/data-deletion',
  'POST /callbacks/instagram/deauthorize',
  'POST /magic-link/consume',
  'POST /register',
  'POST /register/confirm',
  'POST /register/resend',
  'POST /sso/exchange',
  'POST /unsubscribe',
  'POST /validate',
  'PUT /api/demo-bookings/{token}',
  'PUT /api/demo-bookings/{token}/email',
  'PUT /api/review/{token}/name',
]

test('PLT-23 only these routes, development routes and signed webhooks are open to everyone', async () => {
  const { paths } = await world.stranger.fetchJson<OpenApiDocument>('GET /openapi.json')
  const found = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security }]) =>
      security.length === 0 && !isOfProvider(method, path) ? [`${method.toUpperCase()} ${path}`] : [],
    ),
  )
  expect(found.filter((route) => !route.includes(' /dev/')).sort()).toEqual(open)
})
