import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { z } from 'zod'
import { roles, type ServicePermission } from '#lib/actor.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { operations, pages, unregistered, type Declared, shadowed } from './every.ts'

// The product's list of operations: every name in it must exist, and changes must be intended.

let database: TestDatabase
let catalog: Set<string>
let registered: string[]

beforeAll(async () => {
  database = await freshDatabase()
  const sql = postgres(database.url, { max: 1 })
  const rows = await sql<{ name: string }[]>`
    SELECT slug || ' ' || permission AS name FROM identity.service_permissions JOIN identity.services ON id = service_id`
  catalog = new Set(rows.map(({ name }) => name))
  registered = (await sql<{ slug: string }[]>`SELECT slug FROM identity.services`).map(({ slug }) => slug)
  await sql.end()
})

afterAll(() => database.drop())

const snapshot = 'tests/api.snapshot'
const lines = (): string[] =>
  [
    ...operations.map(
      ({ service, name, route, permission, machine }) =>
        `${service} ${name}: ${route} (${permission}${machine ? ', action' : ''})`,
    ),
    ...pages.map(({ service, path, permission }) => `${service} page: GET ${path} (${permission})`),
  ].sort()

test('SOC-40 every operation and page is in tests/api.snapshot with its permission', async () => {
  const text = `${lines().join('\n')}\n`
  if (process.env['UPDATE_SNAPSHOT']) await Bun.write(snapshot, text)
  expect((await Bun.file(snapshot).text()).split('\n')).toEqual(text.split('\n'))
})

const isOfService = (permission: string): boolean => /^(?!role:)[a-z_]+:[a-z]+$/.test(permission)

test('every route’s permission is `role:` with a known role, or a `resource:action` pair', () => {
  const actions: ServicePermission[] = ['ai:invoke', 'usage:write', 'provider_credentials:manage']
  expect(actions.every((permission) => isOfService(permission))).toBe(true)
  const named = [...operations, ...pages].map(({ permission }) => permission)
  const roleNames = named.flatMap((permission) => (permission.startsWith('role:') ? permission.slice(5) : []))
  expect(roleNames.filter((name) => !roles.some((role) => role === name))).toEqual([])
  expect(named.filter((permission) => /[^a-z:_-]/.test(permission))).toEqual([])
})

test('SOC-40 every permission that a route names is in its service’s catalog', () => {
  const named = [...operations, ...pages].filter(({ permission }) => /^(?!role:).+:/.test(permission))
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ service, permission }) => !catalog.has(`${service} ${permission}`))).toEqual([])
})

test('IDN-11 contexts are services in the registry, except those declared otherwise', () => {
  const byName = (slugs: string[]) => [...new Set(slugs)].toSorted()
  expect(byName(unregistered.filter((slug) => registered.includes(slug)))).toEqual([])
  const services = [...operations, ...pages].map(({ service }) => service)
  expect(byName(services.filter((slug) => !registered.includes(slug)))).toEqual(byName(unregistered))
})

test('SOC-40 every route of social names a permission, except the sandbox network, the service’s own ID, what networks, calendar programs, guests and services call', () => {
  const routes = [...operations, ...pages].filter(({ service }) => service === 'platform-socialize')
  const open = routes.filter(({ permission }) => !isOfService(permission) && permission !== 'service')
  const pathOf = (route: (typeof routes)[number]) => route.path
  const paths = open.map(pathOf).filter((path) => !path.startsWith('/dev/sandbox/'))
  expect(paths.sort()).toEqual([
    '/api/data-deletions/:code',
    '/api/media-links/:token',
    '/api/review/:token',
    '/api/review/:token/comments',
    '/api/review/:token/decisions',
    '/api/review/:token/logo',
    '/api/review/:token/media/:mediaId/:rendition',
    '/api/review/:token/name',
    '/api/review/:token/request',
    '/api/service-identity',
    '/calendar/:token',
    '/callbacks/instagram/data-deletion',
    '/callbacks/instagram/data-deletion/:code',
    '/callbacks/instagram/deauthorize',
    '/oauth/client-metadata.json',
    '/review/:token',
  ])
  expect(open.every(({ permission }) => permission === 'public')).toBe(true)
})

test('SOC-40 unsafe operations require a write permission, safe ones a read permission', () => {
  const social = operations.filter(({ permission }) => isOfService(permission))
  const wrong = social.filter(({ method, permission }) => permission.endsWith(':read') !== (method === 'GET'))
  // Widgets are read with a list of apps, the layout and the feeds of a calendar are the reader's own, and a key that only sends batches can read
  // the state of its own.
  expect(wrong.map(({ name }) => name).toSorted()).toEqual([
    'createCalendarFeed',
    'deleteDashboardLayout',
    'getSentSettlement',
    'loadWidgets',
    'revokeCalendarFeed',
    'updateDashboardLayout',
  ])
})

test('SOC-41 no route is about billing, referrals or rewards', () => {
  // GTW-42 names the payment surface, which only a service calls, PAY-33 the subscriptions of payments, and DSH-36 the
  // dashboard’s routes.
  const billing = ['platform-pay', 'platform-dashboard-website', 'platform-dashboard-api']
  const ours = [...operations, ...pages].filter(
    ({ path, service }) => !path.startsWith('/platform/payments/') && !billing.includes(service),
  )
  const about = ours.filter(({ path }) => /billing|referral|reward|subscription/i.test(path))
  expect(about.map(({ path }) => path)).toEqual([])
})

test('every operation has a unique name and route', () => {
  const distinct = (of: (operation: Declared) => string) => new Set(operations.map(of)).size
  expect(distinct(({ name }) => name)).toBe(operations.length)
  const routes = operations.filter(({ name }) => !shadowed.has(name)).map(({ route }) => route.replaceAll(/:\w+/g, ':'))
  expect(new Set(routes).size).toBe(routes.length)
})

/** The verbs with which summaries begin. Add one only when none of these fits. */
const verbs = new Set(
  `Accept Add Append Approve Archive Cancel Capture Change Check Close Complete Confirm Connect Copy Correct Create Deactivate Decline Delete Detach Disconnect Discard Download
  Duplicate Edit Email End Exchange Expire Explain Export Find Get Grant Install Invite Issue Leave Lift Limit List Mark Pause Preview Provision
  Publish Reconnect Record Register Remove Rename Replace Replay Report Request Resend Reset Restore Resume Retry Reverse Revoke Rotate Schedule Search
  Select Send Set Sign Start Submit Suspend Switch Transfer Uninstall Unpublish Update Upload Validate Verify Void Withdraw`.split(
    /\s+/,
  ),
)

test('summary of an operation is a verb and its object, in 9 words at most', () => {
  const isPlain = (summary: string) => {
    const words = summary.split(' ')
    return (
      verbs.has((words[0] ?? '').replace(',', '')) && words.length > 1 && words.length <= 9 && !/[.;]$/.test(summary)
    )
  }
  expect(
    operations.filter(({ summary }) => !isPlain(summary)).map(({ name, summary }) => `${name}: ${summary}`),
  ).toEqual([])
})

/** Names of secret fields anywhere in a response. */
const secretFields = (schema: z.ZodType): string[] => {
  const reported = JSON.stringify(z.toJSONSchema(schema, { unrepresentable: 'any' }))
  return [...reported.matchAll(/"(\w*(?:token|secret|password))":\{/gi)].map(([, name = '']) => name)
}

test('PLT-13 secrets that a response shows once are omitted from its replays', () => {
  const making = operations.filter(({ creates }) => creates)
  const kept = making.flatMap(({ name, output, secrets = [] }) =>
    secretFields(output)
      .filter((field) => !secrets.includes(field))
      .map((field) => `${name}.${field}`),
  )
  expect(kept).toEqual([])
  expect(making.flatMap(({ output }) => secretFields(output)).length).toBeGreaterThan(1)
})
