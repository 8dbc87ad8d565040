import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { z } from 'zod'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { openEvents, type Events } from '#lib/events.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { scaleTime } from '../support/time-scale.ts'

let fresh: TestDatabase
let database: DatabaseHandle
let one: Events
let other: Events

beforeAll(async () => {
  fresh = await freshDatabase()
  database = openDatabase(fresh.url, 3)
  ;[one, other] = [await openEvents(database), await openEvents(database)]
})

afterAll(async () => {
  await Promise.all([one.close(), other.close()])
  await database.close()
  await fresh.drop()
})

const Word = z.object({ word: z.string() })

/** Collects the events that a server receives of a topic from now on. */
function hearAt(events: Events, topic: string): string[] {
  const words: string[] = []
  events.subscribe(topic, Word, ({ word }) => void words.push(word))
  return words
}

const until = async (holds: () => boolean) => {
  while (!holds()) await Bun.sleep(20)
}

test('IDN-05 awaited event is acknowledged by every server at commit, and other events are not awaited', async () => {
  const words = hearAt(other, 'awaited')
  for (let nth = 0; nth < 20; nth++) {
    await database.transaction((tx) => one.publish(tx, 'awaited', { word: `${nth}` }, { waitForServers: true }))
    expect(words.at(-1)).toBe(`${nth}`)
  }
})

test('IDN-05 event of a rolled-back transaction is not awaited', async () => {
  const began = performance.now()
  const failing = database.transaction(async (tx) => {
    await one.publish(tx, 'awaited', { word: 'never' }, { waitForServers: true })
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(performance.now() - began).toBeLessThan(scaleTime(1_000))
})

test('IDN-05 revocations no longer wait for a server that has shut down', async () => {
  const third = await openEvents(database)
  await Bun.sleep(50)
  await third.close()
  expect(third.healthy()).toBe(false)
  const began = performance.now()
  await database.transaction((tx) => one.publish(tx, 'awaited', { word: 'on' }, { waitForServers: true }))
  expect(performance.now() - began).toBeLessThan(scaleTime(1_000))
})

test('IDN-05 starting server discovers the others immediately, before their next ping', async () => {
  const pings: unknown[] = []
  const listener = postgres(fresh.url, { max: 1, onnotice: () => {} })
  await listener.listen('atrium', (text) => {
    if (Word.partial().loose().parse(JSON.parse(text))['topic'] === 'ping') pings.push(text)
  })
  const began = performance.now()
  const starts = 8
  for (let nth = 0; nth < starts; nth++) {
    const before = pings.length
    const started = await openEvents(database)
    // Its own, and those of the two existing servers.
    await until(() => pings.length >= before + 3)
    await started.close()
  }
  const regular = 3 * Math.ceil((performance.now() - began) / 1_000)
  // Plus those of starting servers.
  expect(pings.length).toBeGreaterThan(regular + starts)
  await listener.end()
})

test('IDN-05 listener reconnects when its connection is ended repeatedly', async () => {
  const words = hearAt(other, 'after')
  await until(() => one.healthy() && other.healthy())
  const cut = () => database.sql`SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE datname = current_database() AND query ILIKE 'listen %'`
  for (const end = performance.now() + 3_000; performance.now() < end;) await cut()
  while (words.length === 0) {
    await one.publish(database.db, 'after', { word: 'back' })
    await Bun.sleep(50)
  }
  await until(() => one.healthy() && other.healthy())
})
