import { expect, test } from 'bun:test'
import { databaseAddress, readConfig } from '#config'
import { freshDatabase } from '../support/database.ts'
import { secretsKey, serve, stagingNetworks as networks } from '../support/served.ts'
import { bearer, password } from '../support/world.ts'

/** The variables that a refusal names, in order, and its full text. */
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
  SECRETS_KEY: secretsKey,
  PUBLIC_URL: 'https://atrium.example.com',
  SMTP_URL: 'smtp://user:secret@mail.example.com',
}

test('PLT-26 server without any variable runs in development with the sandbox network', () => {
  expect(readConfig({})).toMatchObject({
    ATRIUM_ENV: 'development',
    PORT: 3000,
    HOST: '127.0.0.1',
    DATA_DIR: '.data',
    SERVICES: ['identity', 'social', 'gateway', 'payments', 'dashboard'],
    ALLOWED_ORIGINS: [],
    offlineHelps: true,
  })
})

test.each(['staging', 'production'])(
  'PLT-26 %s lists all missing values together, and doesn’t start with a fallback',
  (env) => {
    const whole: Record<string, string> = { ...deployed, ...(env === 'staging' && networks) }
    const all = Object.keys(whole)
    expect(refusal({ ATRIUM_ENV: env })).toMatchObject({
      names: all,
      said: expect.stringContaining(`must be set in ${env}`),
    })
    const social = all.filter((name) => name !== 'PAY_APP_URL')
    expect(refusal({ ATRIUM_ENV: env, SERVICES: 'social' }).names).toEqual([...social, 'AUTH_API_URL'])
    for (const name of all) expect(refusal({ ATRIUM_ENV: env, ...whole, [name]: '' }).names).toEqual([name])
    expect(readConfig({ ATRIUM_ENV: env, ...whole })).toMatchObject({ ATRIUM_ENV: env, offlineHelps: false })
  },
)

test('PLT-26 staging never falls back to the production Bluesky; production and development do', () => {
  const staging = { ATRIUM_ENV: 'staging', ...deployed }
  expect(refusal(staging)).toMatchObject({
    names: Object.keys(networks),
    said: expect.stringContaining('production hosts by default'),
  })
  expect(readConfig({ ...staging, ...networks })).toMatchObject(networks)
  expect(readConfig({ ...staging, SERVICES: 'identity' })).toMatchObject({ SERVICES: ['identity'] })
  const usual = { BLUESKY_RESOLVER_URL: 'https://public.api.bsky.app', PLC_DIRECTORY_URL: 'https://plc.directory' }
  expect(readConfig({ ATRIUM_ENV: 'production', ...deployed })).toMatchObject(usual)
  expect(readConfig({})).toMatchObject(usual)
})

test('PAY-03 payments without identity, gateway or its own URL refuse to start in staging', () => {
  const staging = { ATRIUM_ENV: 'staging', ...deployed, SERVICES: 'payments' }
  expect(refusal(staging).names).toEqual(['PAY_APP_URL', 'NEXUS_GATEWAY_URL', 'AUTH_API_URL'])
  const places = { AUTH_API_URL: 'https://id.example.com', NEXUS_GATEWAY_URL: 'https://gateway.example.com' }
  expect(refusal({ ...staging, ...places }).names).toEqual(['PAY_APP_URL', 'SERVICE_KEY'])
})

test.each(['staging', 'production'])(
  'PLT-26 PLT-21 %s rejects a PUBLIC_URL with http, except on this machine',
  (env) => {
    const at = (address: string) => ({ ATRIUM_ENV: env, ...deployed, ...networks, PUBLIC_URL: address })
    for (const address of ['http://atrium.example.com', 'http://10.0.0.7:3000', 'http://localhost.example.com'])
      expect(refusal(at(address))).toMatchObject({ names: ['PUBLIC_URL'], said: expect.stringContaining('https://') })
    for (const address of [
      'https://atrium.example.com',
      'http://localhost:3000',
      'http://127.0.0.1',
      'http://[::1]:3000',
    ])
      expect(refusal(at(address)).names).toEqual([])
  },
)

const typed = {
  zeros: '0'.repeat(64),
  'one digit': '7'.repeat(64),
  'a word': 'deadbeef'.repeat(8),
  'all digits in order': '0123456789abcdef'.repeat(4),
  'bytes in order': Buffer.from(Array.from({ length: 32 }, (_, at) => at)).toString('hex'),
  'few digits': '01120210'.repeat(7) + '00011122',
}
test.each(Object.entries(typed))('PLT-26 PLT-22 production rejects a SECRETS_KEY of %s', (_, key) => {
  const found = refusal({ ATRIUM_ENV: 'production', ...deployed, SECRETS_KEY: key })
  expect(found.names).toEqual(['SECRETS_KEY'])
  expect(found.said).toContain('openssl rand -hex 32')
  expect(found.said).not.toContain(key)
  expect(readConfig({ SECRETS_KEY: key })).toMatchObject({ SECRETS_KEY: key })
})

test('PLT-26 invalid number is reported with the reason', () => {
  expect(refusal({ DATABASE_POOL: '1' }).said).toContain('DATABASE_POOL: Must be at least 2.')
  expect(refusal({ DATABASE_POOL: '201' }).said).toContain('DATABASE_POOL: Must be at most 200.')
  expect(refusal({ DATABASE_POOL: '2.5' }).said).toContain('DATABASE_POOL: Must be a whole number.')
  expect(refusal({ DATABASE_POOL: 'many' }).said).toContain('DATABASE_POOL: Must be a number.')
})

test('PLT-37 pooler requires a direct PostgreSQL URL, and only DATABASE_PREPARE disables prepared statements', () => {
  const DATABASE_URL = 'postgres://atrium@pooler.example.com:6432/atrium'
  const DATABASE_DIRECT_URL = 'postgres://atrium@db.example.com/atrium'
  expect(refusal({ DATABASE_URL, DATABASE_PREPARE: 'false' }).names).toEqual(['DATABASE_DIRECT_URL'])
  expect(refusal({ DATABASE_DIRECT_URL }).names).toEqual(['DATABASE_URL'])
  expect(refusal({ DATABASE_URL: `${DATABASE_URL}?prepare=false` }).said).toContain('DATABASE_PREPARE=false')
  const pooled = { url: DATABASE_URL, directUrl: DATABASE_DIRECT_URL }
  const prepareOf = (said?: string) =>
    databaseAddress(readConfig({ DATABASE_URL, DATABASE_DIRECT_URL, DATABASE_PREPARE: said }))
  expect(prepareOf('false')).toEqual({ ...pooled, prepare: false })
  expect(prepareOf('true')).toEqual({ ...pooled, prepare: true })
  expect(prepareOf()).toEqual({ ...pooled, prepare: false })
  expect(databaseAddress(readConfig({ DATABASE_URL }))).toEqual({
    url: DATABASE_URL,
    directUrl: DATABASE_URL,
    prepare: true,
  })
  expect(databaseAddress(readConfig({}))).toBeNull()
})

test('PLT-26 invalid and missing values are listed together, without printing any value', () => {
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
  ['AUTH_API_URL', { AUTH_API_URL: 'https://identity.example.com/api' }],
  ['DASHBOARD_URL', { DASHBOARD_URL: 'https://apps.example.com/dashboard' }],
  ['DASHBOARD_URL', { DASHBOARD_URL: 'https://user:secret@dashboard.example.com' }],
  ['DASHBOARD_URL', { DASHBOARD_URL: 'https://dashboard.example.com/?x=1' }],
  ['NEXUS_GATEWAY_URL', { NEXUS_GATEWAY_URL: 'https://gateway.example.com/api' }],
  ['AUTH_API_URL', { SERVICES: 'social' }],
  ['SMTP_URL', { SMTP_URL: 'https://mail.example.com' }],
  ['MAIL_FROM', { MAIL_FROM: 'Atrium' }],
  ['MAIL_SPF', { MAIL_SPF: 'v=spf1 mx' }],
  ['REGISTRATION_VERIFY', { REGISTRATION_VERIFY: 'maybe' }],
  ['S3_BUCKET', { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'key' }],
  ['S3_SECRET_ACCESS_KEY', { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id' }],
  ['KILL_AT', { KILL_AT: 'claim:1' }],
  ['PUBLISH_LEASE_MS', { PUBLISH_LEASE_MS: '10000' }],
  ['BUDGET_STALE_MS', { BUDGET_STALE_MS: '9999' }],
]
test.each(alone)('PLT-26 startup error names %s when only that variable is invalid: %j', (name, env) => {
  expect(refusal(env).names).toEqual([name])
})

test('PLT-08 allowed origin can be configured as a URL and is normalized to the form that browsers send', () => {
  const { ALLOWED_ORIGINS } = readConfig({ ALLOWED_ORIGINS: 'https://App.Example.com/, http://localhost:8080/x, ,' })
  expect(ALLOWED_ORIGINS).toEqual(['https://app.example.com', 'http://localhost:8080'])
})

test('PLT-26 SOC-08 production has no card for the sandbox network, and it can’t be connected', async () => {
  const fresh = await freshDatabase()
  const url = {
    databaseUrl: fresh.url,
    env: { ATRIUM_ENV: 'production', ...deployed, DATABASE_URL: fresh.url, REGISTRATION_VERIFY: 'false' },
  }
  const server = await serve(url)
  const send = async (path: string, token = '', body?: unknown) => {
    const headers = { ...bearer(token), 'content-type': 'application/json' }
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const answer = await fetch(`${server.url}${path}`, { headers, ...init })
    return { status: answer.status, said: await answer.text() }
  }
  const person = { name: 'Ada', email: 'ada@example.com', password, createOrganization: true }
  const { accessToken } = JSON.parse((await send('/register', '', person)).said)
  const { id: brandId } = JSON.parse((await send('/api/brands', accessToken, { name: 'Acme' })).said)
  const cards = await send(`/api/integrations?brandId=${brandId}`, accessToken)
  expect([cards.status, JSON.parse(cards.said).items.length > 7]).toEqual([200, true])
  expect(cards.said).not.toContain('sandbox')
  const connected = await send('/api/integrations/sandbox/connect', accessToken, { brandId, handle: 'acme' })
  expect(connected.status).toBe(404)
  server.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  await fresh.drop()
})
