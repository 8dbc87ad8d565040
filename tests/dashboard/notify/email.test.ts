import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { announceNotifications } from '../../../src/dashboard/delivery/announce/announce.job.ts'
import { sendEmail } from '../../../src/dashboard/delivery/email/email.job.ts'
import { openOffice, type Office } from './office.ts'

let office: Office
beforeAll(async () => {
  office = await openOffice()
})
afterEach(() => office.clear())
afterAll(() => office.close())

const { stringify } = JSON
const preferences = (edit: object) => office.world.ada.fetchJson('PUT /api/notification-preferences', edit)
const toAda = () => office.mailsTo(office.world.ada.email)
const deliver = async () => {
  await office.announce()
  await office.sendDue()
}

test('DSH-37 action is emailed once to each person who can see it, also when it is announced and sent again', async () => {
  const { id } = await office.take('Dispute of order 7')
  await office.take('Only for admins', {
    kind: 'identity.seats',
    service: 'platform-identity',
    permission: 'role:admin',
  })
  await Promise.all([office.announce(), office.announce()])
  await Promise.all([office.sendDue(), office.sendDue()])
  await deliver()
  const [letter, ...others] = await toAda()
  expect(others).toEqual([])
  expect(letter?.subject).toBe('2 notifications in Acme')
  expect(letter?.text).toContain('Dispute of order 7')
  expect(letter?.text).toContain('/pay/orders')
  const [forViewer] = await office.mailsTo(office.world.vera.email)
  expect(forViewer?.subject).toBe('Dispute of order 7 · Acme')
  expect(forViewer?.text).not.toContain('Only for admins')
  expect(await office.mailsTo(office.world.mallory.email)).toEqual([])
  const stored = (await office.deliveries(id)).map(({ channel, state }) => ({ channel, state }))
  expect(stored).toContainEqual({ channel: 'email', state: 'sent' })
})

test('DSH-37 server that is killed after the email was stored sends no second one', async () => {
  await office.take('Once')
  await office.announce()
  const { work, organizationId, world } = office
  const killed = {
    ...work(),
    mail: {
      ...world.provided.mail,
      send: async (...given: Parameters<typeof world.provided.mail.send>) => {
        await world.provided.mail.send(...given)
        throw new Error('killed')
      },
    },
  }
  const input = { organizationId, personId: world.ada.id }
  await sendEmail.run({ ...killed, input }).catch(() => {})
  expect(await toAda()).toEqual([])
  await office.sendDue()
  await office.sendDue()
  expect(await toAda()).toHaveLength(1)
})

test('DSH-37 action that was resolved before its email is not emailed', async () => {
  const { id } = await office.take('Solved')
  await office.announce()
  await office.world.ada.fetchJson(`POST /api/notifications/${id}/resolve`, {}, 204)
  await office.sendDue()
  expect(await toAda()).toEqual([])
  expect(await office.deliveries(id)).toContainEqual(expect.objectContaining({ channel: 'email', state: 'dropped' }))
})

test('DSH-37 kind and channel that a person turned off send nothing, and a locked channel can’t be turned off', async () => {
  await preferences({ choices: [{ kind: 'payments.dispute', channel: 'email', enabled: false }] })
  await office.take('Not by email')
  await deliver()
  expect(await toAda()).toEqual([])
  await preferences({ email: false })
  await office.take('No emails', { kind: 'gateway.budget', service: 'platform-gateway', permission: 'usage:read' })
  await deliver()
  expect(await toAda()).toEqual([])
  const locked = { choices: [{ kind: 'dashboard.chat', channel: 'inApp', enabled: false }] }
  const refused = await office.world.ada.fetch('PUT /api/notification-preferences', locked)
  expect([refused.status, stringify(await refused.json())]).toEqual([422, expect.stringContaining('choices.0.enabled')])
  const unknown = { choices: [{ kind: 'no.kind', channel: 'email', enabled: true }] }
  expect((await office.world.ada.fetch('PUT /api/notification-preferences', unknown)).status).toBe(422)
})

test('DSH-37 kind that is off in the app is not listed under actions, unless it is assigned to the person', async () => {
  const { id } = await office.take('Hidden')
  const titles = async () =>
    (
      await office.world.ada.fetchJson<{ items: { title: string }[]; open: number }>('GET /api/notifications')
    ).items.map(({ title }) => title)
  expect(await titles()).toEqual(['Hidden'])
  await preferences({ choices: [{ kind: 'payments.dispute', channel: 'inApp', enabled: false }] })
  expect(await titles()).toEqual([])
  expect(await office.world.vera.fetchJson<{ open: number }>('GET /api/notifications')).toMatchObject({ open: 1 })
  await office.world.ada.fetchJson(`POST /api/notifications/${id}/assign-to-me`, {}, 204)
  expect(await titles()).toEqual(['Hidden'])
})

test('DSH-37 quiet hours delay an email until they end in the person’s zone, also across a change of the clocks', async () => {
  await preferences({ quietHours: true, quietFrom: '20:00', quietUntil: '07:00', timeZone: 'Europe/Berlin' })
  // Saturday, 23:00 in Berlin: clocks go forward at 2:00 that night.
  office.setClock('2026-03-28T22:00:00Z')
  const held = await office.take('During the night')
  await office.announce()
  const [email] = (await office.deliveries(held.id)).filter(({ person_id: id }) => id === office.world.ada.id)
  expect(email?.due_at.toISOString()).toBe('2026-03-29T05:00:00.000Z')
  await office.sendDue()
  expect(await toAda()).toEqual([])
  const failed = { kind: 'social.post_failed', service: 'platform-socialize', permission: 'posts:read' }
  await office.take('Post failed', failed)
  await deliver()
  expect((await toAda()).map(({ subject }) => subject)).toEqual(['Post failed · Acme'])
  office.setClock('2026-03-29T05:00:00Z')
  await office.sendDue()
  expect((await toAda()).map(({ subject }) => subject)).toContain('During the night · Acme')
})

test('DSH-37 what quiet hours held comes with the next hourly or daily email, not before it', async () => {
  const dueOf = async (frequency: object, at: string) => {
    await preferences({ quietHours: true, quietFrom: '20:00', quietUntil: '07:00', timeZone: 'UTC', ...frequency })
    office.setClock(at)
    const { id } = await office.take('At night')
    await office.announce()
    const sent = await office.deliveries(id)
    return sent.find(({ person_id: person }) => person === office.world.ada.id)?.due_at.toISOString()
  }
  const night = '2026-07-01T23:00:00Z'
  expect(await dueOf({ frequency: 'daily', dailyAt: '08:30' }, night)).toBe('2026-07-02T08:30:00.000Z')
  expect(await dueOf({ frequency: 'daily', dailyAt: '07:00' }, night)).toBe('2026-07-02T07:00:00.000Z')
  expect(await dueOf({ frequency: 'hourly' }, night)).toBe('2026-07-02T07:00:00.000Z')
  expect(await dueOf({ frequency: 'hourly', quietUntil: '07:30' }, night)).toBe('2026-07-02T08:00:00.000Z')
})

test('DSH-37 quiet hours begin only on their days', async () => {
  await preferences({
    quietHours: true,
    quietDays: [1],
    quietFrom: '20:00',
    quietUntil: '07:00',
    timeZone: 'Europe/Berlin',
  })
  office.setClock('2026-11-24T20:00:00Z') // Tuesday, 21:00
  await office.take('On Tuesday')
  await deliver()
  expect(await toAda()).toHaveLength(1)
  office.setClock('2026-11-24T05:30:00Z') // Tuesday, 6:30: those of Monday last
  const { id } = await office.take('On Tuesday morning')
  await office.announce()
  const [email] = (await office.deliveries(id)).filter(({ person_id: person }) => person === office.world.ada.id)
  expect(email?.due_at.toISOString()).toBe('2026-11-24T06:00:00.000Z')
})

test('DSH-37 daily email gathers what happened until its time in the person’s zone', async () => {
  await preferences({ frequency: 'daily', dailyAt: '08:30', timeZone: 'America/New_York' })
  office.setClock('2026-07-01T14:00:00Z')
  await office.take('First')
  await office.announce()
  office.setClock('2026-07-02T12:00:00Z')
  await office.take('Second')
  await deliver()
  expect(await toAda()).toEqual([])
  office.setClock('2026-07-02T12:30:00Z')
  await office.sendDue()
  const [letter] = await toAda()
  expect(letter?.subject).toBe('2 notifications in Acme')
})

test('DSH-37 quiet hours and the daily email follow the time zone of the profile, not the one from the browser', async () => {
  const setZone = (timeZone: string) => office.world.ada.fetchJson('PUT /api/app-switcher/preferences', { timeZone })
  const dueTo = async (id: string) => {
    const sent = await office.deliveries(id)
    return sent.find(({ person_id: person }) => person === office.world.ada.id)?.due_at.toISOString()
  }
  await setZone('Asia/Tokyo')
  onTestFinished(() => setZone('system').then(() => {}))
  await preferences({ quietHours: true, quietFrom: '20:00', quietUntil: '07:00', timeZone: 'America/New_York' })
  expect(await office.world.ada.fetchJson('GET /api/notification-preferences')).toMatchObject({
    timeZone: 'Asia/Tokyo',
  })
  office.setClock('2026-07-01T14:00:00Z') // 23:00 in Tokyo, 10:00 in New York
  const held = await office.take('At night in Tokyo')
  await office.announce()
  expect(await dueTo(held.id)).toBe('2026-07-01T22:00:00.000Z')

  await preferences({ quietHours: false, frequency: 'daily', dailyAt: '08:30', timeZone: 'America/New_York' })
  office.setClock('2026-07-02T14:00:00Z')
  const gathered = await office.take('For the daily email')
  await office.announce()
  expect(await dueTo(gathered.id)).toBe('2026-07-02T23:30:00.000Z')
  office.setClock('2026-07-02T23:29:00Z')
  await office.sendDue()
  expect(await toAda()).toHaveLength(1)
  office.setClock('2026-07-02T23:30:00Z')
  await office.sendDue()
  expect((await toAda()).map(({ subject }) => subject)).toContain('For the daily email · Acme')
})

test('DSH-37 emails that follow one another soon are gathered into one', async () => {
  office.setClock('2026-07-01T14:00:00Z')
  await office.take('First')
  await deliver()
  office.setClock('2026-07-01T14:01:00Z')
  await office.take('Second')
  await office.take('Third')
  await deliver()
  expect(await toAda()).toHaveLength(1)
  office.setClock('2026-07-01T14:05:00Z')
  await office.sendDue()
  expect((await toAda()).map(({ subject }) => subject).toSorted()).toEqual(['2 notifications in Acme', 'First · Acme'])
})

test('DSH-37 IDN-27 role that is limited to a brand is emailed about that brand alone', async () => {
  const { world, organizationId, take } = office
  const { brands } = world.ada.things
  const hugo = await world.join(world.ada, { name: 'Hugo', role: 'editor' })
  const resources = [{ service: 'platform-socialize', kind: 'brand', id: brands, role: 'editor' }]
  await world.ada.fetchJson(`PUT /api/organizations/${organizationId}/members/${hugo.id}/resources`, { resources })
  const failed = { kind: 'social.post_failed', service: 'platform-socialize', permission: 'posts:read' }
  await take('Post of Hugo’s brand', { ...failed, resourceKind: 'brand', resourceId: brands })
  await take('Post of another brand', { ...failed, resourceKind: 'brand', resourceId: newId() })
  await take('Of the whole organization', failed)
  const mentioned = { ...failed, kind: 'comment.mentioned', personId: hugo.id, resourceKind: 'brand' }
  const mention = await take('Mention in another brand', { ...mentioned, resourceId: newId() })
  await deliver()
  expect((await office.mailsTo(hugo.email)).map(({ subject }) => subject)).toEqual(['Post of Hugo’s brand · Acme'])
  expect(await office.deliveries(mention.id)).toEqual([])
  expect((await toAda()).map(({ subject }) => subject)).toEqual(['3 notifications in Acme'])
})

test('DSH-37 notification waits while identity can’t be asked who sees it, and is emailed afterwards', async () => {
  await office.take('Not lost')
  const { identity } = office.world.provided
  const failing = {
    ...identity,
    serviceId: async (slug: string) => {
      if (slug === 'platform-pay') throw new Error('identity is away')
      return identity.serviceId(slug)
    },
  }
  const input = { organizationId: office.organizationId }
  const announced = announceNotifications.run({ ...office.work(), identity: failing, input })
  expect(await announced.catch(String)).toBe('Error: identity is away')
  await office.announce()
  const emailed = sendEmail.run({
    ...office.work(),
    identity: failing,
    input: { ...input, personId: office.world.ada.id },
  })
  expect(await emailed.catch(String)).toBe('Error: identity is away')
  expect(await toAda()).toEqual([])
  await office.sendDue()
  expect(await toAda()).toHaveLength(1)
})

test('DSH-37 email that waits isn’t sent when its kind was turned off, or the person deletes their account', async () => {
  const { world, organizationId } = office
  const lea = await world.join(world.ada, { name: 'Lea', role: 'viewer' })
  await office.take('Unwanted')
  await office.announce()
  await preferences({ choices: [{ kind: 'payments.dispute', channel: 'email', enabled: false }] })
  await world.database.sql`INSERT INTO identity.account_deletions (user_id, requested_at, deletes_at)
    VALUES (${lea.id}, now(), now() + interval '30 days')`
  await office.sendDue()
  expect([await toAda(), await office.mailsTo(lea.email)]).toEqual([[], []])
  expect(await office.mailsTo(world.vera.email)).toHaveLength(1)
  await world.ada.fetchJson(`DELETE /api/organizations/${organizationId}/members/${lea.id}`, undefined, 204)
})

test('DSH-37 IDN-49 person without the second factor that the organization requires gets no email', async () => {
  const { world } = office
  const { sql } = world.database
  const lone = await world.join(world.ada, { name: 'Lone', role: 'admin' })
  await sql`UPDATE identity.organizations SET requires_second_factor = true WHERE id = ${office.organizationId}`
  // Ada has an authenticator app.
  try {
    await office.take('For those who can sign in')
    await deliver()
    expect([await toAda(), await office.mailsTo(lone.email)].map(({ length }) => length)).toEqual([1, 0])
  } finally {
    await sql`UPDATE identity.organizations SET requires_second_factor = false WHERE id = ${office.organizationId}`
  }
})

test('DSH-37 all members of a large organization are told, with a few queries for a hundred of them', async () => {
  const { world } = office
  const { sql } = world.database
  await sql`INSERT INTO identity.users (id, email, name, created_at)
    SELECT gen_random_uuid(), 'crowd-' || at || '@example.com', 'Crowd', now() FROM generate_series(1, 2100) AS at`
  await sql`INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    SELECT ${office.organizationId}, id, 'admin', now() FROM identity.users WHERE email LIKE 'crowd-%'`
  try {
    const { id } = await office.take('For everyone')
    let queries = 0
    const { db } = world.database
    const counted = new Proxy(db, {
      get: (target, name) => {
        if (name === 'select') queries += 1
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const work = office.work()
    const { organizationId } = office
    await announceNotifications.run({ ...work, database: { ...work.database, db: counted }, input: { organizationId } })
    const emails = (await office.deliveries(id)).filter(({ channel }) => channel === 'email')
    expect(emails.length).toBeGreaterThan(2_100)
    expect(queries).toBeLessThan(22 * 5)
    // Announced again after a server that was killed in the middle: the missing one, and no other again.
    await sql`DELETE FROM dashboard.notification_deliveries WHERE id = ${emails.at(-1)?.id ?? ''}`
    await sql`UPDATE dashboard.notifications SET announced_at = NULL`
    await office.announce()
    const again = (await office.deliveries(id)).filter(({ channel }) => channel === 'email')
    expect(again.length).toBe(emails.length)
  } finally {
    await sql`DELETE FROM identity.users WHERE email LIKE 'crowd-%'`
  }
})

test('DSH-37 person who left gets no email', async () => {
  const { world } = office
  const left = await world.join(world.ada, { name: 'Lena', role: 'editor' })
  await office.take('For members')
  await office.announce()
  await world.ada.fetchJson(`DELETE /api/organizations/${office.organizationId}/members/${left.id}`, undefined, 204)
  await office.sendDue()
  expect(await office.mailsTo(left.email)).toEqual([])
  expect(await toAda()).toHaveLength(1)
})

test('DSH-37 link in an email ends the emails with one request, without a session, and only its own', async () => {
  await office.take('With a link')
  await deliver()
  const [letter] = await toAda()
  const link = /\S+(\/unsubscribe\?token=\S+)/.exec(letter?.text ?? '')?.[1] ?? ''
  const { stranger } = office.world
  const page = await stranger.fetch(`GET ${link}`, undefined, { accept: 'text/html' })
  expect([page.status, (await page.text()).includes('Unsubscribe')]).toEqual([200, true])
  expect(await office.world.ada.fetchJson('GET /api/notification-preferences')).toMatchObject({ email: true })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const once = await office.world.handle(
    new Request(`http://localhost${link}`, { method: 'POST', headers: form, body: 'List-Unsubscribe=One-Click' }),
  )
  expect(once.status).toBe(200)
  expect(await office.world.ada.fetchJson('GET /api/notification-preferences')).toMatchObject({ email: false })
  expect(await office.world.vera.fetchJson('GET /api/notification-preferences')).toMatchObject({ email: true })
  const changed = link.slice(0, -2) + (link.endsWith('AA') ? 'BB' : 'AA')
  expect((await stranger.fetch(`POST ${changed}`, {})).status).toBe(404)
})
