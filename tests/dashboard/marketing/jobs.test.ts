import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { remindOfDemos } from '../../../src/dashboard/marketing/demo/remind.job.ts'
import { deleteExpiredInquiries } from '../../../src/dashboard/marketing/retention.ts'
import { workOf } from '../../payments/subscribing.ts'
import { openWorld, type World } from '../../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

interface Stored {
  kind?: string
  email: string
  /** Hours from now. */
  expiresIn?: number
  confirmedAt?: Date | null
}

const hours = (count: number) => new Date(Date.now() + count * 60 * 60_000)

async function store({ kind = 'demo', email, expiresIn = 48, confirmedAt = null }: Stored): Promise<string> {
  const id = newId()
  await world.database.sql`
    INSERT INTO dashboard.inquiries (id, kind, topics, name, email, fingerprint, confirmed_at, created_at, expires_at)
    VALUES (${id}, ${kind}, '{}', 'Cleo', ${email}, ${id}, ${confirmedAt}, now(), ${hours(expiresIn)})`
  return id
}

async function storeDemo(email: string, startsIn: number, state = 'booked'): Promise<void> {
  const id = await store({ email })
  await world.database.sql`
    INSERT INTO dashboard.demo_bookings (id, starts_at, ends_at, time_zone, state)
    VALUES (${id}, ${hours(startsIn)}, ${hours(startsIn + 0.5)}, 'Europe/Paris', ${state})`
}

const remind = () => remindOfDemos.run({ ...workOf(world), input: {} })
const subjectsTo = async (email: string) => (await world.letters(email)).map(({ subject }) => subject)

test('DSH-30 visitor is reminded once of a demo on the next day, and not of a later, past or canceled one', async () => {
  await storeDemo('tomorrow@example.com', 20)
  await storeDemo('later@example.com', 30)
  await storeDemo('past@example.com', -2)
  await storeDemo('canceled@example.com', 10, 'canceled')
  await Promise.all([remind(), remind()])
  await remind()
  expect(await subjectsTo('tomorrow@example.com')).toEqual([expect.stringContaining('demo')])
  for (const name of ['later', 'past', 'canceled']) expect(await subjectsTo(`${name}@example.com`)).toEqual([])
  const [letter] = await world.letters('tomorrow@example.com')
  expect(letter?.text).toContain('/demo/bookings/')
})

test('DSH-30 messages, entries and bookings are deleted when they expire, and no others', async () => {
  const ids = {
    old: await store({ kind: 'contact', email: 'old@example.com', expiresIn: -1 }),
    booking: await store({ email: 'old-demo@example.com', expiresIn: -1 }),
    kept: await store({ kind: 'contact', email: 'kept@example.com', expiresIn: 1 }),
  }
  await world.database.sql`
    INSERT INTO dashboard.demo_bookings (id, starts_at, ends_at, time_zone, state)
    VALUES (${ids.booking}, ${hours(-3)}, ${hours(-2)}, 'Europe/Paris', 'canceled')`
  await deleteExpiredInquiries.run({ ...workOf(world), input: {} })
  const rows = await world.database.sql<{ id: string }[]>`
    SELECT id FROM dashboard.inquiries WHERE id IN (${ids.old}, ${ids.booking}, ${ids.kept})`
  expect(rows.map(({ id }) => id)).toEqual([ids.kept])
  const [{ bookings } = { bookings: -1 }] = await world.database.sql<{ bookings: number }[]>`
    SELECT count(*)::int AS bookings FROM dashboard.demo_bookings WHERE id = ${ids.booking}`
  expect(bookings).toBe(0)
})

test('DSH-30 database refuses a confirmation of anything but a waitlist entry', async () => {
  const confirmedAt = new Date()
  await store({ kind: 'waitlist', email: 'listed@example.com', confirmedAt })
  for (const kind of ['contact', 'feedback', 'demo'])
    expect(store({ kind, email: 'other@example.com', confirmedAt })).rejects.toThrow('inquiries_confirmed')
})
