import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { newId } from '#lib/ids.ts'
import { selectBounced } from '../../src/gateway/email/bounces.ts'
import { checkSenderDomains } from '../../src/gateway/senders/jobs.ts'
import { selectSent } from '../../src/gateway/senders/senders.ts'
import { judgeRecord } from '../../src/gateway/senders/judge.ts'
import type { RecordPurpose } from '../../src/gateway/contract/senders.ts'
import { mechanismOf } from '../../src/gateway/senders/spf.ts'
import { startDnsServer, type DnsServer } from '../support/dns-server.ts'
import { openWorld, type World } from '../support/world.ts'
import { openActions, press } from '../dashboard/raised/acting.ts'

let dns: DnsServer
let world: World

beforeAll(async () => {
  dns = await startDnsServer()
  const env = { DNS_RESOLVER: dns.address, SMTP_URL: 'smtp://smtp.atrium.example:587', MAIL_FROM: 'a@atrium.example' }
  world = await openWorld({ env })
})
afterAll(async () => {
  await world.close()
  dns.stop()
})

interface DnsRecord {
  purpose: RecordPurpose
  name: string
  value: string
  state: string
  found: string[]
  advice: string | null
}
interface Domain {
  id: string
  domain: string
  status: string
  records: DnsRecord[]
  zoneFile: string
  checkError: string | null
}

const create = (domain: string, owner = world.ada) =>
  owner.fetchJson<Domain>('POST /api/sender-domains', { domain }, 201)
const check = ({ id }: Domain, owner = world.ada) =>
  owner.fetchJson<Domain>(`POST /api/sender-domains/${id}/check`, {}, 200)
const statesOf = ({ records }: Domain) => Object.fromEntries(records.map(({ purpose, state }) => [purpose, state]))
const publish = ({ records }: Domain) => {
  for (const { name, value } of records) dns.records.set(name, [value])
}

/** As a DNS provider reads it. */
function publishZone({ zoneFile }: Domain) {
  for (const line of zoneFile.split('\n')) {
    const [, name = '', parts = ''] = /^(\S+)\. 3600 IN TXT (.*)$/.exec(line) ?? []
    dns.records.set(name, [[...parts.matchAll(/"([^"]*)"/g)].map(([, part]) => part).join('')])
  }
}

test('GTW-40 domain is verified once its records are found, and the page says what is missing until then', async () => {
  const domain = await create('News.Acme.example')
  expect(domain).toMatchObject({ domain: 'news.acme.example', status: 'pending' })
  expect(statesOf(domain)).toEqual({
    ownership: 'unchecked',
    spf: 'unchecked',
    dkim1: 'unchecked',
    dkim2: 'unchecked',
    dmarc: 'unchecked',
  })
  const first = await check(domain)
  expect(statesOf(first)).toEqual({
    ownership: 'missing',
    spf: 'missing',
    dkim1: 'missing',
    dkim2: 'missing',
    dmarc: 'missing',
  })
  for (const { advice } of first.records) expect(advice).toMatch(/\.$/)
  const { id: senderId } = await world.ada.fetchJson<{ id: string }>(
    'POST /api/senders',
    { address: 'news@NEWS.acme.example', name: 'Acme News' },
    201,
  )
  expect(await world.ada.fetchJson(`GET /api/senders/${senderId}`)).toMatchObject({
    address: 'news@news.acme.example',
    state: 'waiting',
    stateReason: '5 DNS records for news.acme.example need attention.',
  })
  publishZone(domain)
  dns.records.set('news.acme.example', ['google-site-verification=1', 'v=spf1 include:_spf.oldmail.example -all'])
  const second = await check(domain)
  expect(second.status).toBe('pending')
  const spf = second.records.find(({ purpose }) => purpose === 'spf')
  expect(spf).toMatchObject({ state: 'mismatch', found: ['v=spf1 include:_spf.oldmail.example -all'] })
  expect(spf?.advice).toContain('v=spf1 include:_spf.oldmail.example a:smtp.atrium.example -all')
  dns.records.set('news.acme.example', ['v=spf1 include:_spf.oldmail.example a:smtp.atrium.example -all'])
  expect(await check(domain)).toMatchObject({ status: 'verified', checkError: null })
  expect(await world.ada.fetchJson(`GET /api/senders/${senderId}`)).toMatchObject({ state: 'ready', stateReason: null })
})

test('GTW-40 domain that another organization has verified can’t be added or verified', async () => {
  const [ours, theirs] = [await create('shared.example'), await create('shared.example', world.mallory)]
  publish(theirs)
  dns.records.set(
    '_atrium.shared.example',
    [ours, theirs].map(({ records }) => records[0]?.value ?? ''),
  )
  expect((await check(theirs, world.mallory)).status).toBe('verified')
  for (const { name, value } of ours.records) if (name.includes('_domainkey')) dns.records.set(name, [value])
  expect(await check(ours)).toMatchObject({
    status: 'pending',
    checkError: expect.stringContaining('Another organization'),
  })
  await world.ada.fetch(`DELETE /api/sender-domains/${ours.id}`)
  expect((await world.ada.fetch('POST /api/sender-domains', { domain: 'SHARED.example' })).status).toBe(409)
  expect((await world.ada.fetch(`POST /api/sender-domains/${theirs.id}/check`, {})).status).toBe(404)
})

test('GTW-40 names are normalized, and public suffixes and the platform’s domain are refused', async () => {
  expect((await create('Bücher.Example')).domain).toBe('xn--bcher-kva.example')
  for (const domain of ['co.uk', 'github.io', 'com', 'not a domain'])
    expect([domain, (await world.ada.fetch('POST /api/sender-domains', { domain })).status]).toEqual([domain, 422])
  expect((await world.ada.fetch('POST /api/sender-domains', { domain: 'atrium.example' })).status).toBe(409)
})

test('GTW-40 verified domain that loses a record can send for 24 more hours, and an action says what to do', async () => {
  const domain = await create('shop.acme.example')
  publish(domain)
  expect((await check(domain)).status).toBe('verified')
  const run = (hours: number) =>
    checkSenderDomains.run({
      ...world.provided,
      database: world.database,
      now: () => new Date(Date.now() + hours * 60 * 60_000),
      input: {},
    })
  const read = () => world.ada.fetchJson<Domain>(`GET /api/sender-domains/${domain.id}`)
  dns.broken = true
  await run(25)
  expect(await read()).toMatchObject({ status: 'verified', checkError: expect.stringContaining('didn’t respond') })
  dns.broken = false
  dns.records.delete('atrium1._domainkey.shop.acme.example')
  await run(50)
  expect(await read()).toMatchObject({ status: 'failing' })
  const actions = await world.database.sql`
    SELECT title FROM platform.raised_actions WHERE cause = ${`gateway.sender_domain:${domain.id}`} AND resolved_at IS NULL`
  expect(actions.map(({ title }) => title)).toEqual(['A DNS record of shop.acme.example is missing or wrong'])
  await run(75)
  expect(await read()).toMatchObject({ status: 'pending' })
  const [action] = await openActions(world, `gateway.sender_domain:${domain.id}`)
  publish(domain)
  expect((await press(world.ada, action, 'Check now')).status).toBe(200)
  expect(await read()).toMatchObject({ status: 'verified' })
  expect(await openActions(world, `gateway.sender_domain:${domain.id}`)).toEqual([])
})

test('GTW-40 DKIM key is rotated to the second selector, and the domain stays verified', async () => {
  const domain = await create('keys.acme.example')
  publish(domain)
  dns.records.delete('atrium2._domainkey.keys.acme.example')
  expect(await check(domain)).toMatchObject({ status: 'verified' })
  expect((await world.ada.fetch(`POST /api/sender-domains/${domain.id}/dkim-key`, {})).status).toBe(409)
  publish(domain)
  await check(domain)
  const rotated = await world.ada.fetchJson<Domain>(`POST /api/sender-domains/${domain.id}/dkim-key`, {}, 200)
  const value = (from: Domain, purpose: string) => from.records.find((each) => each.purpose === purpose)?.value
  expect(value(rotated, 'dkim2')).toBe(value(domain, 'dkim2') ?? '')
  expect(value(rotated, 'dkim1')).not.toBe(value(domain, 'dkim1') ?? '')
  expect(await check(domain)).toMatchObject({ status: 'verified' })
})

const wanted = {
  ownership: 'atrium-verify=t',
  spf: 'v=spf1 a:smtp.example ~all',
  dkim1: 'v=DKIM1; k=rsa; p=KEYONE',
  dmarc: '',
}

test.each([
  ['spf', ['v=spf1 A:SMTP.example -all'], 'correct', null],
  ['spf', ['v=spf1 +a:smtp.example ~all'], 'correct', null],
  ['spf', ['v=spf1 -a:smtp.example ~all'], 'mismatch', 'add a:smtp.example'],
  ['spf', ['v=spf1 mx', 'v=spf1 a:smtp.example ~all'], 'mismatch', '2 SPF records'],
  ['spf', ['v=spf1 mx redirect=_spf.example'], 'mismatch', 'v=spf1 mx a:smtp.example redirect=_spf.example'],
  ['spf', ['v=spf1 a:smtp.example +all'], 'correct', '~all'],
  [
    'spf',
    [`v=spf1 a:smtp.example ${Array.from({ length: 10 }, (_, at) => `include:${at}.example`).join(' ')} ~all`],
    'mismatch',
    '10 DNS lookups',
  ],
  ['spf', ['v=spf10 mx'], 'missing', 'no SPF record'],
  ['dkim1', ['v=DKIM1; k=rsa; p=KEY ONE'], 'correct', null],
  ['dkim1', ['v=DKIM1; k=rsa; ', 'p=KEY', 'ONE'], 'correct', null],
  ['dkim1', ['v=DKIM1; k=rsa; p=OTHER'], 'mismatch', 'another key'],
  ['dkim1', ['v=DKIM1; p='], 'mismatch', 'revoked'],
  ['dkim1', ['v=DKIM1; k=rsa; p=KEY'], 'mismatch', 'cut off'],
  ['dkim1', ['v=DKIM1; p=KEYONE', 'v=DKIM1; p=OTHER'], 'mismatch', '2 keys'],
  ['ownership', ['atrium-verify=other'], 'mismatch', 'Replace it'],
  ['dmarc', ['v=DMARC1; p=reject'], 'correct', null],
  ['dmarc', ['v=DMARC1; p=none'], 'correct', 'quarantine is safer'],
  ['dmarc', ['v=DMARC1; p=reject', 'v=DMARC1; p=none'], 'mismatch', '2 DMARC records'],
  ['dmarc', ['v=DMARC1'], 'mismatch', 'no valid policy'],
  ['dmarc', [], 'missing', 'Add this record'],
] as const)('GTW-40 %s record %p is %s', (purpose, found, state, advice) => {
  const finding = judgeRecord({ purpose, name: 'n.example', value: wanted[purpose], required: true }, found)
  expect(finding).toMatchObject({ state, advice: advice === null ? null : expect.stringContaining(advice) })
})

test.each([
  [null, 'mx'],
  ['192.0.2.7', 'ip4:192.0.2.7'],
  ['2001:db8::7', 'ip6:2001:db8::7'],
  ['smtp.acme.example', 'a:smtp.acme.example'],
  ['smtp-relay.gmail.com', 'include:_spf.google.com'],
  ['notgmail.com', 'a:notgmail.com'],
])('GTW-40 mail server %p is allowed in SPF as %p', (host, mechanism) => {
  expect(mechanismOf(host)).toBe(mechanism)
})

test('GTW-40 records with NUL characters are shown, and don’t keep other domains from being checked', async () => {
  const domain = await create('nul.acme.example')
  dns.records.set(`_atrium.${domain.domain}`, ['atrium-verify=\0'])
  const { records } = await check(domain)
  expect(records.find(({ purpose }) => purpose === 'ownership')).toMatchObject({
    state: 'mismatch',
    found: ['atrium-verify=\uFFFD'],
  })
})

test('GTW-40 domain that two organizations check at the same time is verified for one of them', async () => {
  const [one, other] = await Promise.all([create('race.acme.example'), create('race.acme.example', world.mallory)])
  publish(one)
  const ownership = (domain: Domain) => domain.records.find(({ purpose }) => purpose === 'ownership')?.value ?? ''
  dns.records.set('_atrium.race.acme.example', [ownership(one), ownership(other)])
  // Keys of both domains can't be in the same record.
  await world.database.sql`
    UPDATE gateway.sender_domains SET public_keys = (
      SELECT public_keys FROM gateway.sender_domains WHERE id = ${one.id}
    ) WHERE id = ${other.id}`
  const responses = await Promise.all([
    world.ada.fetch(`POST /api/sender-domains/${one.id}/check`, {}),
    world.mallory.fetch(`POST /api/sender-domains/${other.id}/check`, {}),
  ])
  for (const { status } of responses) expect(status).toBeOneOf([200, 409])
  const rows = await world.database.sql`
    SELECT id FROM gateway.sender_domains WHERE domain = 'race.acme.example' AND verified_at IS NOT NULL`
  expect(rows).toHaveLength(1)
})

test('GTW-40 counts of the platform’s sender read only the emails of the organization', async () => {
  const { ada, database } = world
  const { items } = await ada.fetchJson<{ items: { id: string; kind: string }[] }>('GET /api/senders')
  const platform = items.find(({ kind }) => kind === 'platform')?.id ?? ''
  const organizationId = ada.things.organizations
  const addSent = async (owner: string, sender: string, emails: number) => {
    const message = newId()
    await database.sql`
      INSERT INTO gateway.email_messages (id, organization_id, system, sender_id, from_address, from_name, subject,
        attachments, fingerprint, state, provider, cost_nano_usd, settled_at)
      VALUES (${message}, ${owner}, false, ${sender}, 'a@acme.example', '', '', '[]', '', 'settled', 'smtp', 0, now())`
    await database.sql`
      INSERT INTO gateway.email_recipients (id, message_id, organization_id, sender_id, address, field, state)
      SELECT gen_random_uuid(), ${message}, ${owner}, ${sender}, n || '@example.com', 'to', 'sent'
      FROM generate_series(1, ${emails}::int) AS n`
  }
  await addSent(newId(), platform, 5_000)
  await addSent(organizationId, newId(), 5_000)
  await addSent(organizationId, platform, 20)
  await database.sql`ANALYZE gateway.email_recipients`
  const since = new Date(Date.now() - 24 * 60 * 60_000)
  for (const query of [
    selectSent(database.db, { organizationId, senderIds: [platform], since }),
    selectBounced(database.db, { organizationId, senderId: platform, since }),
  ]) {
    const [row] = await database.db.execute(sql`EXPLAIN (ANALYZE, FORMAT JSON) ${query.getSQL()}`)
    const plan = JSON.stringify(row?.['QUERY PLAN'])
    expect(plan).toContain('"Index Name":"email_recipients_sender"')
    expect(plan).toMatch(/"Index Cond":"[^"]*organization_id/)
    expect(await query).toMatchObject([{ sent: 20 }])
    expect(plan).not.toMatch(/"Rows Removed by Filter":[1-9]/)
  }
})

test('GTW-40 senders that are made default at the same time leave one default sender', async () => {
  const { ada } = world
  const { id: domainId } = await create('defaults.acme.example')
  await world.database.sql`UPDATE gateway.sender_domains SET verified_at = now() WHERE id = ${domainId}`
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const added = await Promise.all(
    names.map((name) =>
      ada.fetch('POST /api/senders', { address: `${name}@defaults.acme.example`, name, isDefault: true }),
    ),
  )
  expect(added.map(({ status }) => status)).toEqual(names.map(() => 201))
  const ids = await Promise.all(added.map(async (response) => ((await response.json()) as { id: string }).id))
  const changed = await Promise.all(ids.map((id) => ada.fetch(`PATCH /api/senders/${id}`, { isDefault: true })))
  expect(changed.map(({ status }) => status)).toEqual(names.map(() => 200))
  const { items } = await ada.fetchJson<{ items: { id: string; isDefault: boolean }[] }>('GET /api/senders')
  expect(items.filter(({ isDefault }) => isDefault)).toHaveLength(1)
})

test.each([
  ['an override', '\u202Egro.knab'],
  ['an isolate', 'Acme\u2066 Bank'],
  ['a mark', 'Acme\u200F'],
])('GTW-40 sender name with %s that changes the direction of text is refused', async (_, name) => {
  const draft = { address: 'bidi@defaults.acme.example', name }
  expect(await world.ada.fetchJson('POST /api/senders', draft, 422)).toMatchObject({ errors: [{ path: 'name' }] })
})
