import { expect, test } from 'bun:test'
import { readConfig } from '#config'
import { freshDatabase } from '../support/database.ts'
import { serve } from '../support/served.ts'
import { bearer, password } from '../support/world.ts'

/** The variables that a refusal names, in order, and all of what it says. */
function refusal(env: Record<string, string>): { names: string[]; said: string } {
  try {
    readConfig(env)
  } catch (error) {
    const said = error instanceof Error ? error.message : ''
    return { names: [...said.matchAll(/^ {2}(\w+): /gm)].map(([, name = '']) => name), said }
  }
  return { names: [], said: '' }
}

const deployed = {
  DATABASE_URL: 'postgres://atrium:secret@db.example.com/atrium',
  SECRETS_KEY: '7'.repeat(64),
  PUBLIC_URL: 'https://atrium.example.com',
  SMTP_URL: 'smtp://user:secret@mail.example.com',
}
const names = Object.keys(deployed)

test('PLT-26 without any variable it is a development server of its own, with the sandbox network', () => {
  expect(readConfig({})).toMatchObject({
    ATRIUM_ENV: 'development',
    PORT: 3000,
    HOST: '127.0.0.1',
    DATA_DIR: '.data',
    SERVICES: ['identity', 'social'],
    ALLOWED_ORIGINS: [],
    offlineHelps: true,
  })
})

test.each(['staging', 'production'])(
  'PLT-26 %s names every missing value at once, and starts on no fallback',
  (env) => {
    expect(refusal({ ATRIUM_ENV: env })).toMatchObject({
      names,
      said: expect.stringContaining(`must be set in ${env}`),
    })
    expect(refusal({ ATRIUM_ENV: env, SERVICES: 'social' }).names).toEqual([...names, 'AUTH_API_URL'])
    for (const name of names) expect(refusal({ ATRIUM_ENV: env, ...deployed, [name]: '' }).names).toEqual([name])
    expect(readConfig({ ATRIUM_ENV: env, ...deployed })).toMatchObject({ ATRIUM_ENV: env, offlineHelps: false })
  },
)

test('PLT-26 nonsense is named beside what is missing, all at once, and no value is repeated', () => {
  const nonsense = {
    PORT: 'abc',
    DATABASE_URL: 'mysql://root:nonsense@db/atrium',
    DATABASE_POOL: '1',
    SECRETS_KEY: 'nonsense',
    ALLOWED_ORIGINS: 'https://app.example.com, nonsense',
    SERVICES: 'identity,nonsense',
    LOG_LEVEL: 'nonsense',
    PROVIDER_TIMEOUT_MS: '-1',
  }
  const found = refusal({ ATRIUM_ENV: 'production', ...nonsense })
  expect(found.names.toSorted()).toEqual([...Object.keys(nonsense), 'PUBLIC_URL', 'SMTP_URL'].toSorted())
  expect(found.said).not.toContain('nonsense')
})

const alone: [string, Record<string, string>][] = [
  ['ATRIUM_ENV', { ATRIUM_ENV: 'prod' }],
  ['METRICS_TOKEN', { METRICS_TOKEN: 'short' }],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' }],
  ['SOCIAL_HOST', { SOCIAL_HOST: 'https://social.example.com' }],
  ['PORT', { PORT: '65536' }],
  ['PORT', { PORT: '80.5' }],
  ['SERVICES', { SERVICES: ',' }],
  ['PUBLIC_URL', { PUBLIC_URL: 'atrium.example.com' }],
  ['AUTH_API_URL', { AUTH_API_URL: 'file:///etc/passwd' }],
  ['AUTH_API_URL', { SERVICES: 'social' }],
  ['SMTP_URL', { SMTP_URL: 'https://mail.example.com' }],
  ['MAIL_FROM', { MAIL_FROM: 'Atrium' }],
  ['REGISTRATION_VERIFY', { REGISTRATION_VERIFY: 'maybe' }],
  ['S3_BUCKET', { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' }],
  ['S3_SECRET_ACCESS_KEY', { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id' }],
  ['KILL_AT', { KILL_AT: 'claim:1' }],
  ['PUBLISH_LEASE_MS', { PUBLISH_LEASE_MS: '10000' }],
]
test.each(alone)('PLT-26 %s is named when it alone is wrong: %j', (name, env) => {
  expect(refusal(env).names).toEqual([name])
})

test('PLT-08 an allowed origin may be written as an address: it is kept as browsers send it', () => {
  const { ALLOWED_ORIGINS } = readConfig({ ALLOWED_ORIGINS: 'https://App.Example.com/, http://localhost:8080/x, ,' })
  expect(ALLOWED_ORIGINS).toEqual(['https://app.example.com', 'http://localhost:8080'])
})

test('PLT-26 SOC-08 in production no card offers the sandbox network, and it cannot be connected', async () => {
  const fresh = await freshDatabase()
  const url = {
    databaseUrl: fresh.url,
    env: { ATRIUM_ENV: 'production', ...deployed, DATABASE_URL: fresh.url, REGISTRATION_VERIFY: 'false' },
  }
  const server = await serve(url)
  const ask = async (path: string, token = '', body?: unknown) => {
    const headers = { ...bearer(token), 'content-type': 'application/json' }
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(`${server.url}${path}`, { headers, ...init })
    return { status: answer.status, said: await answer.text() }
  }
  const person = { name: 'Ada', email: 'ada@example.com', password, createOrganization: true }
  const { accessToken } = JSON.parse((await ask('/register', '', person)).said)
  const { id: brandId } = JSON.parse((await ask('/api/brands', accessToken, { name: 'Acme' })).said)
  const cards = await ask(`/api/integrations?brandId=${brandId}`, accessToken)
  expect([cards.status, JSON.parse(cards.said).items.length > 7]).toEqual([200, true])
  expect(cards.said).not.toContain('sandbox')
  const connected = await ask('/api/integrations/sandbox/connect', accessToken, { brandId, handle: 'acme' })
  expect(connected.status).toBe(404)
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  await fresh.drop()
}, 15_000)
