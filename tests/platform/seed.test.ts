import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readConfig } from '#config'
import { demoPassword, demoPeople } from '#identity'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { listDemoAccounts } from '../../src/identity/accounts/demo.ts'
import { eventually, killRest, run, waitUntil } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { secretsKey, serve, stagingNetworks } from '../support/served.ts'

let fresh: TestDatabase
let database: DatabaseHandle

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 2)
})
afterAll(async () => {
  await killRest()
  await database.close()
  await fresh.drop()
})

/** More sign-ins than the limit per minute allows. */
const unlimited = { RATE_LIMIT_SIGN_IN: '0' }

async function seed(env: Record<string, string> = {}) {
  const program = run([process.execPath, 'src/cli.ts', 'seed'], {
    env: { ATRIUM_ENV: 'test', DATABASE_URL: fresh.url, SECRETS_KEY: secretsKey, PORT: '1', ...unlimited, ...env },
  })
  return { status: await program.exited, said: program.output() }
}

/** Everything that a person of the workspace can see. */
async function visible(): Promise<Record<string, unknown>> {
  const tables = ['identity.users', 'identity.memberships', 'identity.organizations', 'identity.invitations']
  const more = ['social.brands', 'social.connections', 'social.posts', 'social.media', 'platform.mails']
  const own = ['dashboard.layouts', 'dashboard.launches', 'dashboard.workflows', 'dashboard.notification_snoozes']
  const found: Record<string, unknown> = {}
  for (const table of [...tables, ...more, ...own])
    found[table] = (
      await database.sql.unsafe(`SELECT to_jsonb(t) - 'last_context' AS row FROM ${table} t ORDER BY 1`)
    ).map(({ row }) => row)
  return found
}

const statuses = async () =>
  Object.fromEntries(
    (await database.sql`SELECT status, count(*)::int AS count FROM social.posts GROUP BY 1`).map((row) => [
      row['status'],
      row['count'],
    ]),
  )

test('PLT-34 seed creates an organization with people in every role and posts in every state', async () => {
  const { status, said } = await seed()
  expect([status, said]).toEqual([0, expect.stringContaining(demoPassword)])
  expect(said).not.toContain('level')
  const roles = await database.sql`SELECT role FROM identity.memberships ORDER BY role`
  expect(roles.map(({ role }) => role)).toEqual(['admin', 'editor', 'owner', 'reviewer', 'viewer'])
  const server = await serve({ databaseUrl: fresh.url, env: unlimited })
  expect(
    await eventually(async () => (await statuses())['failed'] === 1 && (await statuses())['published'] === 1),
  ).toBe(true)
  expect(await statuses()).toEqual({ draft: 6, scheduled: 7, published: 1, failed: 1 })
  const open = async () =>
    (
      await database.sql<{ kind: string }[]>`
        SELECT DISTINCT kind FROM platform.raised_actions WHERE resolved_at IS NULL AND surface = 'action' ORDER BY 1`
    ).map(({ kind }) => kind)
  const waiting = [
    ...(['dashboard.workflow_action', 'gateway.budget', 'payments.dispute'] as const),
    ...(['payments.refund_approval', 'review.requested', 'social.post_failed'] as const),
  ]
  await waitUntil(async () => (await open()).length >= waiting.length)
  expect(await open()).toEqual(waiting)
  const [dashboard] = await database.sql`
    SELECT (SELECT count(*)::int FROM dashboard.notifications WHERE posted) AS posted,
      (SELECT count(*)::int FROM dashboard.notifications WHERE assignee_id IS NOT NULL) AS assigned,
      (SELECT count(*)::int FROM dashboard.notification_snoozes) AS snoozed,
      (SELECT count(*)::int FROM dashboard.launches) AS launches,
      (SELECT count(*)::int FROM dashboard.layouts) AS layouts,
      (SELECT count(*)::int FROM dashboard.workflow_runs) AS runs,
      (SELECT count(*)::int FROM dashboard.inquiries) AS inquiries,
      (SELECT package || ' ' || (o.settings -> 'appEntitlement' ->> 'seats') FROM dashboard.platform_subscriptions s
        JOIN identity.organizations o ON o.id = s.owner_id WHERE s.access = 'full') AS plan`
  const counted = { posted: 3, assigned: 1, snoozed: 1, launches: 2, layouts: 1, runs: 1 }
  expect(dashboard).toEqual({ ...counted, inquiries: 3, plan: 'everything 12' })
  for (const { email } of demoPeople) {
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ email, password: demoPassword })
    expect((await fetch(`${server.url}/api/auth/login`, { method: 'POST', headers, body })).status).toBe(200)
  }
  server.kill('SIGTERM')
  await server.exited
})

test('PLT-34 second seed changes nothing, even on a running server', async () => {
  const before = await visible()
  expect(await seed()).toMatchObject({ status: 0 })
  const server = await serve({ databaseUrl: fresh.url, env: unlimited })
  expect(await seed({ PORT: new URL(server.url).port })).toMatchObject({ status: 0 })
  expect(await visible()).toEqual(before)
  server.kill('SIGTERM')
  await server.exited
})

test('PLT-34 sign-in page shows the demo accounts only on a developer’s own machine', async () => {
  const server = await serve({ databaseUrl: fresh.url, env: { ATRIUM_ENV: 'development' } })
  expect(server.output()).toContain('bun run seed')
  const pageAt = async (path: string) =>
    (await fetch(`${server.url}${path}`, { headers: { accept: 'text/html' } })).text()
  const page = await pageAt('/login')
  for (const { name } of demoPeople) expect(page).toContain(`title="${name}"`)
  const deployed = { DATABASE_URL: fresh.url, SECRETS_KEY: secretsKey, PUBLIC_URL: 'https://atrium.example' }
  const mailed = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'atrium@example.com', REGISTRATION_VERIFY: 'false' }
  const offered = (env: Record<string, string>) =>
    listDemoAccounts(
      database.db,
      readConfig({ ...deployed, ...mailed, ...stagingNetworks, ATRIUM_ENV: 'development', ...env }),
    )
  expect(await offered({})).toHaveLength(5)
  expect(await offered({ HOST: '0.0.0.0' })).toEqual([])
  for (const ATRIUM_ENV of ['test', 'staging', 'production']) expect(await offered({ ATRIUM_ENV })).toEqual([])
  server.kill('SIGTERM')
  await server.exited
})

test('PLT-34 production has no demo accounts', async () => {
  const env = { ATRIUM_ENV: 'production', PUBLIC_URL: 'https://atrium.example', REGISTRATION_VERIFY: 'false' }
  const mailed = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'atrium@example.com' }
  const { status, said } = await seed({ ...env, ...mailed })
  expect([status, said]).toEqual([
    1,
    expect.stringContaining('Demo accounts aren’t available with ATRIUM_ENV=production'),
  ])
})
