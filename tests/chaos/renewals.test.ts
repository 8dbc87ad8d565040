import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { newId } from '#lib/ids.ts'
import { createSecrets } from '#lib/secrets.ts'
import { sealTokens } from '../../src/social/accounts/tokens/tokens.ts'
import { eventually, killRest } from '../boot/program.ts'
import { startX } from '../counterparts/x/index.ts'
import { storeApp } from '../social/networks/support/connect.ts'
import { networkEnv } from '../social/networks/support/origins.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { newPublisher, type Publisher } from '../support/publisher.ts'
import { secretsKey, serve, type Served } from '../support/served.ts'
import { scaleTime } from '../support/time-scale.ts'

// Many accounts publish in the minute in which their tokens expire, while a person signs in again and again.

const [organizations, accountsEach] = [10, 50]
const accounts = organizations * accountsEach
/** In which all posts become due. */
const spreadMs = Math.min(45_000, scaleTime(30_000))
/** X takes as long for each request for a token. */
const tokenMs = 200
const bounds = { latenessMs: 5_000, signInMs: 1_000 }

const x = startX()
let database: TestDatabase
let db: DatabaseHandle
let server: Served

beforeAll(async () => {
  database = await freshDatabase()
  db = openDatabase(database.url, 2)
  server = await serve({ databaseUrl: database.url, env: { ...networkEnv({ x }), ...standardTerms } })
  for (let at = 0; at < organizations; at++) {
    const person = await newPublisher(server.url)
    await storeApp(person, { provider: 'x', ...x.app })
    await connectAccounts(person)
  }
  x.watch(async ({ path }) => {
    if (path === '/2/oauth2/token') await Bun.sleep(tokenMs)
  })
})

afterAll(async () => {
  await killRest()
  await db.close()
  await x.stop()
  await database.drop()
})

const standardTerms = {
  PUBLISH_LEASE_MS: '30000',
  PUBLISH_HEARTBEAT_MS: '10000',
  PROVIDER_TIMEOUT_MS: '10000',
  PUBLISH_RETRY_BUDGET_MS: '90000',
}

/** With tokens of two hours. */
async function connectAccounts({ brandId, userId, organizationId }: Publisher): Promise<void> {
  const secrets = createSecrets(Buffer.from(secretsKey, 'hex'))
  const app = { clientId: x.app.clientId, organizationId }
  for (let at = 0; at < accountsEach; at++) {
    const { username, ...account } = x.account(`acme${at}`)
    const { access_token: access, refresh_token: refresh = '' } = x.signIn({ username, ...account })
    const id = newId()
    const row = {
      id,
      brand_id: brandId,
      provider: 'x',
      owner_id: userId,
      external_id: account.id,
      name: username,
      metadata: { username, isSubscribed: false, app },
      sealed_tokens: sealTokens(secrets, id, { access, refresh, ...app }),
      expires_at: new Date(Date.now() + 7_200_000),
    }
    await db.sql`INSERT INTO social.connections ${db.sql(row)}`
  }
}

/** A post on each of so many accounts, of all organizations in turn. */
const schedulePosts = (text: string, count: number) => db.sql`
  INSERT INTO social.posts (id, brand_id, author_id, provider, status, text, target, scheduled_at, due_at)
  SELECT gen_random_uuid(), brand_id, owner_id, 'x', 'scheduled', ${text}, jsonb_build_object('connectionId', id), at, at
  FROM (
    SELECT *, clock_timestamp() + make_interval(secs => 1 + ${spreadMs / 1000}::float8 * place / ${accounts}) AS at
    FROM (SELECT *, row_number() OVER (ORDER BY name, id) AS place FROM social.connections) placed
    WHERE place <= ${count}) planned`

async function signIn(): Promise<number> {
  const started = performance.now()
  const response = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ email: 'grace@example.com', password: 'correct horse battery' }),
  })
  expect(response.status).toBe(200)
  await response.arrayBuffer()
  return performance.now() - started
}

const share = (values: number[], of: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(values.length * of) - 1] ?? Number.NaN

/** Publishes so many posts; returns their lateness and the time that a person takes to sign in meanwhile. */
async function publish(text: string, count: number): Promise<{ latenessMs: number; signInMs: number }> {
  const signIns: number[] = []
  await schedulePosts(text, count)
  const areSettled = async () => {
    signIns.push(await signIn())
    await Bun.sleep(100)
    const [row] = await db.sql<{ left: number }[]>`
      SELECT count(*)::int AS left FROM social.posts WHERE status = 'scheduled'`
    return row?.left === 0
  }
  expect(await eventually(areSettled, 120_000)).toBe(true)
  const rows = await db.sql<{ ms: number }[]>`
    SELECT (extract(epoch FROM published_at - scheduled_at) * 1000)::float8 AS ms FROM social.posts
    WHERE status = 'published' AND text = ${text}`
  expect(rows).toHaveLength(count)
  const lateness = rows.map(({ ms }) => ms)
  return { latenessMs: share(lateness, 0.99), signInMs: share(signIns, 0.95) }
}

test(
  'SOC-07 SOC-26 posts of 500 accounts whose tokens expire in the same minute are on time, and sign-in stays quick',
  async () => {
    const person = { email: 'grace@example.com', password: 'correct horse battery', name: 'Grace' }
    const organization = { createOrganization: true, organizationName: 'Grace', organizationSlug: 'grace' }
    const registered = await fetch(`${server.url}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ ...person, ...organization }),
    })
    expect(registered.status).toBe(201)
    const usual = await publish('With good tokens', accounts / 5)
    await db.sql`UPDATE social.connections SET expires_at = now() + random() * interval '1 minute'`
    const expiring = await publish('With tokens that expire', accounts)
    expect(x.callsOf('api POST /2/oauth2/token')).toHaveLength(accounts)
    const inWords = ({ latenessMs, signInMs }: typeof usual) =>
      `posts late by ${Math.round(latenessMs)} ms (p99), sign-in in ${Math.round(signInMs)} ms (p95)`
    console.log(`Good tokens: ${inWords(usual)}. Tokens that expire: ${inWords(expiring)}.`)
    // A machine that is late with good tokens, too, is judged by those.
    expect(expiring.latenessMs).toBeLessThan(Math.max(bounds.latenessMs, 6 * usual.latenessMs))
    expect(expiring.signInMs).toBeLessThan(Math.max(bounds.signInMs, 3 * usual.signInMs))
  },
  scaleTime(150_000),
)
