import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually, killRest } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { newPublisher, type Publisher } from '../support/publisher.ts'
import { serve, type Served } from '../support/served.ts'
import { scaleTime } from '../support/time-scale.ts'

// A thousand open pages of one organization, at one server process (DSH-21).

const count = 1_000
/** As many channels as a credential can have. */
const perKey = 50
const maxExtraBytes = 100 * 1024 * 1024
/** What another thousand can take in addition, after the one before it was closed. */
const maxKeptBytes = 30 * 1024 * 1024
const rounds = 4

let database: TestDatabase
let server: Served
let ada: Publisher
let keys: string[]

beforeAll(async () => {
  database = await freshDatabase()
  server = await serve({ databaseUrl: database.url })
  ada = await newPublisher(server.url)
  const key = { service: 'platform-dashboard-api', scopes: ['notifications.read', 'notifications.write'] }
  keys = await Promise.all(
    Array.from({ length: count / perKey }, async (_, at) => {
      const { key: text } = await ada.call<{ key: string }>(
        'POST',
        '/api/api-keys',
        { ...key, name: `Page ${at}` },
        201,
      )
      return text
    }),
  )
})
afterAll(async () => {
  await killRest()
  await database.drop()
})

const residentBytes = (): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) * 1024

interface Channel {
  changes: number
  close(): Promise<unknown>
}

async function openChannel(key: string): Promise<Channel> {
  const headers = { authorization: `Bearer ${key}` }
  const issued = await fetch(`${server.url}/api/live/token`, { method: 'POST', headers })
  const { token } = (await issued.json()) as { token: string }
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/api/live`)
  const followed = Promise.withResolvers<void>()
  const closed = Promise.withResolvers<void>()
  const topic = `actions:${ada.organizationId}`
  const channel = {
    changes: 0,
    close: () => {
      socket.close()
      return closed.promise
    },
  }
  socket.addEventListener('open', () => socket.send(JSON.stringify({ token, topics: [topic] })))
  socket.addEventListener('close', ({ code, reason }) => {
    closed.resolve()
    followed.reject(new Error(`The channel was closed: ${code} ${reason}`))
  })
  socket.addEventListener('message', ({ data }) => {
    const { type, topics }: { type: string; topics?: string[] } = JSON.parse(String(data))
    if (type === 'subscribed' && topics?.includes(topic)) followed.resolve()
    if (type === 'invalidate' || type === 'resync') channel.changes += 1
  })
  await followed.promise
  return channel
}

/** A few at a time, as people arrive. */
async function openChannels(each: number): Promise<Channel[]> {
  const opened = await Promise.all(
    keys.map(async (key) => {
      const mine: Channel[] = []
      for (let nth = 0; nth < each; nth++) mine.push(await openChannel(key))
      return mine
    }),
  )
  return opened.flat()
}

const closeAll = (channels: readonly Channel[]) => Promise.all(channels.map((channel) => channel.close()))

const raise = (cause: string) =>
  ada.call('POST', '/api/notifications', { cause, title: cause, reason: 'It waits.', href: '/actions' }, 201)

test('DSH-21 a thousand sockets take less than 100 MB, each is told of a change within a second, and closed ones are freed', async () => {
  // The first ones compile the code.
  await closeAll(await openChannels(5))
  const before = residentBytes()
  const first = await openChannels(perKey)
  expect(first).toHaveLength(count)
  const extra = residentBytes() - before
  const began = performance.now()
  await raise('One')
  expect(await eventually(() => first.every(({ changes }) => changes > 0))).toBe(true)
  const elapsedMs = performance.now() - began
  await closeAll(first)
  // Each key has the channels again that were closed. Single rounds measure garbage: a leak shows in their mean.
  const growths: number[] = []
  for (let last = before + extra; growths.length < rounds;) {
    const again = await openChannels(perKey)
    const now = residentBytes()
    growths.push(now - last)
    last = now
    await closeAll(again)
  }
  expect(extra).toBeLessThan(maxExtraBytes)
  expect(elapsedMs).toBeLessThan(scaleTime(1_000))
  expect(growths.reduce((sum, bytes) => sum + bytes, 0) / rounds).toBeLessThan(maxKeptBytes)
})
