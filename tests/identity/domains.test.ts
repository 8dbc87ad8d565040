import { afterAll, beforeAll, expect, test } from 'bun:test'
import { recheckOrganizationDomains } from '#identity'
import { startDnsServer, type DnsServer } from '../support/dns-server.ts'
import { startOidcServer, type OidcServer } from '../support/oidc-server.ts'
import { arriveBy, cookiesOf, proveDomain, setOrganizationSso, type Domain } from '../support/organization-sso.ts'
import { openWorld, password, type World } from '../support/world.ts'

// Email domains of organizations: how they are verified, and how single sign-on behaves until then.

const hour = 60 * 60 * 1000

let world: World
let dns: DnsServer
let oidc: OidcServer
let [acme, umbrella] = ['', '']

beforeAll(async () => {
  ;[dns, oidc] = await Promise.all([startDnsServer(), startOidcServer()])
  world = await openWorld({ env: { DNS_RESOLVER: dns.address } })
  ;[acme, umbrella] = [world.ada.things.organizations, world.mallory.things.organizations]
  oidc.open([acme, umbrella].map((id) => `http://localhost/login/sso/${id}/callback`))
  await setOrganizationSso(world.ada, acme, oidc)
  await setOrganizationSso(world.mallory, umbrella, oidc)
})

afterAll(async () => {
  await world.close()
  await oidc.stop()
  dns.stop()
})

const ofAcme = (path = '') => `/api/organizations/${acme}/domains${path}`
const ofUmbrella = (path = '') => `/api/organizations/${umbrella}/domains${path}`
const prove = (domain: string) => proveDomain(world.ada, acme, dns, domain)
const arrive = (login: string, organizationId = acme, own?: string) => arriveBy(world, oidc, organizationId, login, own)
const placeOf = async (arrived: Promise<Response>) => (await arrived).headers.get('location')
const isIn = async (cookie: string) =>
  (await world.stranger.fetch('GET /api/auth/me', undefined, { cookie, 'sec-fetch-site': 'same-origin' })).status ===
  200

/** A person whose address the provider confirms. */
function knownThere(login: string, email: string): string {
  oidc.people.set(login, { email, email_verified: true, name: login })
  return login
}

test('IDN-49 SSO creates no account at an unverified domain, so the owner of the address can sign up', async () => {
  const domain = 'victim-corp.example'
  await world.mallory.fetchJson(`POST ${ofUmbrella()}`, { domain }, 201)
  const login = knownThere('ceo', `ceo@${domain}`)
  expect(await placeOf(arrive(login, umbrella))).toStartWith(`/login?failure=unproven&provider=${umbrella}&request=`)
  const registration = { email: `ceo@${domain}`, password, name: 'The Boss' }
  expect((await world.stranger.fetch('POST /register', registration)).status).toBe(201)
})

test('IDN-49 domain is verified on demand by its TXT record, with a reason while verification fails', async () => {
  const added = await world.ada.fetchJson<Domain>(`POST ${ofAcme()}`, { domain: ' Acme.Example ' }, 201)
  expect(added).toMatchObject({ domain: 'acme.example', status: 'pending', failure: null })
  const { name, value } = added.record
  expect(name).toBe('_atrium-challenge.acme.example')
  expect(value).toMatch(/^atrium-domain-verification=[\w-]{43}$/)
  const verify = () => world.ada.fetchJson<Domain>(`POST ${ofAcme(`/${added.id}/verification`)}`, {})
  const login = knownThere('ina', 'ina@acme.example')

  expect(await verify()).toMatchObject({ status: 'failed', failure: { reason: 'record_missing' } })
  dns.records.set(name, ['v=spf1 -all', value.slice(0, -1)])
  expect(await verify()).toMatchObject({ status: 'failed', failure: { reason: 'record_wrong' } })
  dns.broken = true
  expect(await verify()).toMatchObject({ status: 'failed', failure: { reason: 'dns_unavailable' } })
  dns.broken = false
  expect(await placeOf(arrive(login))).toContain('failure=unproven')
  dns.records.set(name, ['v=spf1 -all', value])
  expect(await verify()).toMatchObject({ status: 'verified', failure: null, verifiedAt: expect.any(String) })
  expect(cookiesOf(await arrive(login))).toContain('session=')
  const { items } = await world.ada.fetchJson<{ items: Domain[] }>(`GET ${ofAcme()}`)
  expect(items.map(({ domain, status }) => [domain, status])).toEqual([
    ['acme.example', 'verified'],
    ['acme.test', 'pending'],
  ])
})

test('IDN-49 verified domain doesn’t include subdomains or lookalikes', async () => {
  for (const [nth, email] of ['eve@mail.acme.example', 'eve@notacme.example'].entries())
    expect(await placeOf(arrive(knownThere(`near${nth}`, email)))).toContain('failure=outsider')
})

test('IDN-49 settings page shows the DNS record to add and the status of each domain', async () => {
  const { cookie } = await world.ada.signIn()
  const page = await world.stranger.fetch('GET /settings/sign-in', undefined, { accept: 'text/html', cookie })
  const html = await page.text()
  expect(html).toContain('_atrium-challenge.acme.test')
  expect(html).toContain('Copy the value')
  expect(html).toContain('Not verified yet')
  expect(html).not.toContain('_atrium-challenge.acme.example')
  const vera = await world.vera.signIn()
  const theirs = await world.stranger.fetch('GET /settings/sign-in', undefined, {
    accept: 'text/html',
    cookie: vera.cookie,
  })
  expect(await theirs.text()).not.toContain('_atrium-challenge')
})

test.each([
  ['a public email provider', 'gmail.com'],
  ['another public email provider', 'web.de'],
  ['a single label', 'localhost'],
  ['an IP address', '10.0.0.1'],
  ['an email address', 'ada@acme.example'],
  ['a URL', 'https://acme.example'],
  ['a wildcard', '*.acme.example'],
  ['a path', 'acme.example/x'],
  ['a query', 'acme.example?x'],
  ['a fragment', 'acme.example#x'],
  ['an escape', 'acme.example%2Fx'],
  ['nothing', ''],
])('IDN-49 %s is rejected as a domain', async (_, domain) => {
  const refused = await world.ada.fetch(`POST ${ofAcme()}`, { domain })
  expect(await refused.json()).toMatchObject({ status: 422, errors: [{ path: 'domain' }] })
})

test('IDN-49 domain can be added only once and is stored in ASCII form', async () => {
  const added = await world.ada.fetchJson<Domain>(`POST ${ofAcme()}`, { domain: 'Büro.Example' }, 201)
  expect(added.domain).toBe('xn--bro-hoa.example')
  const again = await world.ada.fetch(`POST ${ofAcme()}`, { domain: 'büro.example' })
  expect(await again.json()).toMatchObject({ status: 409, code: 'domain_exists' })
  await world.ada.fetchJson(`DELETE ${ofAcme(`/${added.id}`)}`, undefined, 204)
})

test('IDN-49 domains can be viewed and changed only by owners of their organization', async () => {
  const { items } = await world.ada.fetchJson<{ items: Domain[] }>(`GET ${ofAcme()}`)
  const id = items[0]?.id ?? ''
  for (const [caller, status] of [
    [world.vera, 403],
    [world.mallory, 404],
  ] as const) {
    expect((await caller.fetch(`GET ${ofAcme()}`)).status).toBe(status)
    expect((await caller.fetch(`POST ${ofAcme()}`, { domain: 'more.example' })).status).toBe(status)
    expect((await caller.fetch(`POST ${ofAcme(`/${id}/verification`)}`, {})).status).toBe(status)
    expect((await caller.fetch(`DELETE ${ofAcme(`/${id}`)}`)).status).toBe(status)
  }
})

test('IDN-49 domain moves to another organization only after the current owner’s record is gone', async () => {
  const first = await prove('moved.example')
  const login = knownThere('tom', 'tom@moved.example')
  const cookie = cookiesOf(await arrive(login))
  expect(await isIn(cookie)).toBe(true)

  const claimed = await world.mallory.fetchJson<Domain>(`POST ${ofUmbrella()}`, { domain: 'moved.example' }, 201)
  const verify = () => world.mallory.fetch(`POST ${ofUmbrella(`/${claimed.id}/verification`)}`, {})
  dns.records.set(claimed.record.name, [first.record.value, claimed.record.value])
  expect(await (await verify()).json()).toMatchObject({ status: 409, code: 'domain_taken' })
  expect(await isIn(cookie)).toBe(true)

  dns.records.set(claimed.record.name, [claimed.record.value])
  expect(await (await verify()).json()).toMatchObject({ status: 'verified' })
  // Sessions that the former owner's provider opened have ended, and it opens no new ones.
  expect(await isIn(cookie)).toBe(false)
  expect(await placeOf(arrive(login))).toContain('failure=unproven')
  const { items } = await world.ada.fetchJson<{ items: Domain[] }>(`GET ${ofAcme()}`)
  expect(items.find(({ id }) => id === first.id)?.status).toBe('failed')
})

test('IDN-49 PLT-24 owners who lose a domain are emailed, and the event is in their log without the other organization’s name', async () => {
  const first = await prove('taken.example')
  const claimed = await world.mallory.fetchJson<Domain>(`POST ${ofUmbrella()}`, { domain: 'taken.example' }, 201)
  dns.records.set(claimed.record.name, [claimed.record.value])
  await world.mallory.fetchJson(`POST ${ofUmbrella(`/${claimed.id}/verification`)}`, {})
  const mail = (await world.letters(world.ada.email)).find(({ subject }) => subject.includes('taken.example'))
  expect(mail?.subject).toBe('taken.example is no longer verified')
  expect(mail?.text).toContain('Another organization has verified taken.example')
  const { items } = await world.ada.fetchJson<{ items: { object: { id: string } }[] }>(
    'GET /api/audit?object=organization_domain',
  )
  expect(items.find(({ object }) => object.id === first.id)).toMatchObject({
    operation: 'verifyOrganizationDomain',
    before: { status: 'verified' },
    after: { status: 'failed' },
  })
  expect(JSON.stringify(items)).not.toContain(world.mallory.id)
})

test('IDN-49 only one of two organizations that verify the same domain at the same time gets it', async () => {
  const [one, two] = [
    await world.ada.fetchJson<Domain>(`POST ${ofAcme()}`, { domain: 'raced.example' }, 201),
    await world.mallory.fetchJson<Domain>(`POST ${ofUmbrella()}`, { domain: 'raced.example' }, 201),
  ]
  dns.records.set(one.record.name, [one.record.value, two.record.value])
  const answers = await Promise.all([
    world.ada.fetch(`POST ${ofAcme(`/${one.id}/verification`)}`, {}),
    world.mallory.fetch(`POST ${ofUmbrella(`/${two.id}/verification`)}`, {}),
  ])
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
})

test('IDN-49 removing a domain signs its people out, and verifying it again lets the same accounts sign in', async () => {
  const { id, record } = await prove('left.example')
  const login = knownThere('lou', 'lou@left.example')
  const cookie = cookiesOf(await arrive(login))
  await world.ada.fetchJson(`DELETE ${ofAcme(`/${id}`)}`, undefined, 204)
  expect(await isIn(cookie)).toBe(false)
  expect(await placeOf(arrive(login))).toContain('failure=unproven')
  dns.records.delete(record.name)
  await prove('left.example')
  expect(await isIn(cookiesOf(await arrive(login)))).toBe(true)
})

test('IDN-49 SSO with an unverified domain works for members who were invited and connected it themselves', async () => {
  const max = await world.join(world.mallory, { name: 'Max', role: 'editor' })
  const { cookie } = await max.signIn()
  const login = knownThere('max', 'max@umbrella.test')
  expect(await placeOf(arrive(login, umbrella, cookie))).toBe('/settings/security')
  expect(await isIn(cookiesOf(await arrive(login, umbrella)))).toBe(true)
})

test('IDN-49 owners are emailed about a missing TXT record, and the domain becomes unverified after three days', async () => {
  const { record } = await prove('fading.example')
  const login = knownThere('fay', 'fay@fading.example')
  const cookie = cookiesOf(await arrive(login))
  const start = Date.now()
  const checkedAfter = (hours: number) =>
    recheckOrganizationDomains.run({
      ...world.provided,
      input: {},
      database: world.database,
      now: () => new Date(start + hours * hour),
    })
  const stateOf = async () => {
    const { items } = await world.ada.fetchJson<{ items: Domain[] }>(`GET ${ofAcme()}`)
    return items.find(({ domain }) => domain === 'fading.example')
  }
  const subjects = async () => {
    const mails = await world.letters(world.ada.email)
    return mails.map(({ subject }) => subject).filter((subject) => subject.includes('fading.example'))
  }

  const requested = dns.queries.length
  await checkedAfter(23)
  expect(dns.queries.length).toBe(requested)
  dns.broken = true
  await checkedAfter(25)
  expect(await stateOf()).toMatchObject({ status: 'verified', failure: { reason: 'dns_unavailable' }, endsAt: null })
  dns.broken = false

  dns.records.delete(record.name)
  await checkedAfter(50)
  const endsAt = new Date(start + (50 + 72) * hour).toISOString()
  expect(await stateOf()).toMatchObject({ status: 'verified', failure: { reason: 'record_missing' }, endsAt })
  expect(await subjects()).toEqual(['The DNS record that verifies fading.example is missing'])
  expect(await isIn(cookie)).toBe(true)
  expect(cookiesOf(await arrive(login))).toContain('session=')

  dns.records.set(record.name, [record.value])
  await checkedAfter(52)
  expect(await stateOf()).toMatchObject({ status: 'verified', failure: null, endsAt: null })
  dns.records.delete(record.name)
  await checkedAfter(80)
  await checkedAfter(82)
  expect((await subjects()).length).toBe(2)
  await checkedAfter(80 + 72)
  expect(await stateOf()).toMatchObject({ status: 'failed', failure: { reason: 'record_missing' }, endsAt: null })
  expect((await subjects())[0]).toBe('fading.example is no longer verified')
  const log = await world.ada.fetchJson<{ items: object[] }>('GET /api/audit?operation=identity.recheck-domains')
  expect(log.items[0]).toMatchObject({ before: { status: 'verified' }, after: { status: 'failed' } })
  expect(await isIn(cookie)).toBe(false)
  expect(await placeOf(arrive(login))).toContain('failure=unproven')
})
