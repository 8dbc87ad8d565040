import { afterAll, beforeAll, expect, test } from 'bun:test'
import { generateServiceKey } from '#identity'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { eventually, killRest } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, newPublisher, type Publisher } from '../support/publisher.ts'
import { serve, type Served } from '../support/served.ts'

// Identity and social as two processes: due posts while identity is unavailable.

let database: TestDatabase
let direct: DatabaseHandle
let identity: Served
let env: Record<string, string>
let social: Served
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  direct = openDatabase(database.url, 2)
  identity = await serve({ databaseUrl: database.url, env: { SERVICES: 'identity' } })
  const key = await generateServiceKey(direct.db, 'platform-socialize', new Date())
  env = { SERVICES: 'social', AUTH_API_URL: identity.url, SERVICE_KEY: key }
  social = await serve({ databaseUrl: database.url, env })
  ada = await newPublisher(identity.url, social.url)
})

afterAll(async () => {
  await killRest()
  await direct.close()
  await database.drop()
})

async function stopIdentity(): Promise<void> {
  identity.kill('SIGKILL')
  await identity.exited
}

async function startIdentity(): Promise<void> {
  const { port } = new URL(identity.url)
  identity = await serve({ databaseUrl: database.url, env: { SERVICES: 'identity', PORT: port } })
}

const stateOf = async (id: string) => {
  const [row] = await direct.sql<{ status: string; reason: string | null }[]>`
    SELECT status, waiting_for->>'reason' AS reason FROM social.posts WHERE id = ${id}`
  return row
}
const receivedBy = async (handle: string) =>
  (await direct.sql`SELECT FROM social.sandbox_receipts WHERE handle = ${handle}`).length

async function schedule(handle: string, inMilliseconds: number) {
  const target = { connectionId: await ada.connect(handle) }
  return ada.post({ text: 'Hello', status: 'scheduled', scheduledAt: inMs(inMilliseconds), target })
}

test('PLT-20 SOC-23 post waits with a reason while identity is unavailable, and is published afterwards', async () => {
  const sent = await schedule('before', 1_000)
  await ada.until(sent.id, ({ status }) => status === 'published')
  const { id } = await schedule('away', 3_000)
  await stopIdentity()
  expect(await eventually(async () => (await stateOf(id))?.reason === 'identity_unavailable', 30_000)).toBe(true)
  expect(await receivedBy('away')).toBe(0)
  await startIdentity()
  expect((await ada.until(id, ({ status }) => status === 'published', 30_000)).waitingFor).toBeNull()
  expect(await receivedBy('away')).toBe(1)
})

test('PLT-38 posts of an organization suspended before identity became unavailable wait until it responds', async () => {
  const { id } = await schedule('suspended', 3_000)
  await direct.sql`
    INSERT INTO identity.suspensions (id, organization_id, reason, suspended_at)
    VALUES (gen_random_uuid(), ${ada.organizationId}, 'Spam.', now())`
  await stopIdentity()
  expect(await eventually(async () => (await stateOf(id))?.reason === 'identity_unavailable', 30_000)).toBe(true)
  await startIdentity()
  expect(await eventually(async () => (await stateOf(id))?.reason === 'workspace_suspended', 30_000)).toBe(true)
  expect(await receivedBy('suspended')).toBe(0)
})

test('PLT-20 social server without SERVICE_KEY reports at startup that it publishes nothing', async () => {
  const mute = await serve({ databaseUrl: database.url, env: { ...env, SERVICE_KEY: '' } })
  expect(mute.output()).toContain('SERVICE_KEY is not set')
})
