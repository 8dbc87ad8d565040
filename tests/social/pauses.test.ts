import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { IntegrationList } from '#social/types'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, isSettled, newPublisher, type Post, type Publisher } from '../support/publisher.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'

// Pause and resume: accounts, brands and everything (SOC-47).

let database: TestDatabase
let server: Server
let ada: Publisher

beforeAll(async () => {
  database = await freshDatabase()
  server = await serveInProcess({ databaseUrl: database.url })
})
afterAll(async () => {
  await server.stop()
  await database.drop()
})

const schedule = async (who: Publisher, connectionId: string, text = 'Hello'): Promise<string> =>
  (await who.post({ text, status: 'scheduled', scheduledAt: inMs(150), target: { connectionId } })).id

const isWaiting = ({ waitingFor }: Post): boolean => waitingFor?.reason === 'paused'
const change = (who: Publisher, what: 'pause' | 'resume', scope: object, status = 200) =>
  who.call<{ items: { brandId: string | null; connectionId: string | null; pausedBy: string }[] }>(
    'POST',
    `/api/publishing/${what}`,
    scope,
    status,
  )

test.each(['account', 'brand', 'everything'] as const)(
  'SOC-47 due posts of a paused %s wait by name, and are published when it is resumed',
  async (kind) => {
    ada = await newPublisher(server.url)
    const connectionId = await ada.connect(`pause-${kind}`)
    const scope = { account: { connectionId }, brand: { brandId: ada.brandId }, everything: {} }[kind]
    const { items } = await change(ada, 'pause', scope)
    expect(items).toMatchObject([{ pausedBy: ada.userId }])
    const id = await schedule(ada, connectionId)
    await ada.until(id, isWaiting)
    const headers = { authorization: `Bearer ${ada.token}`, accept: 'text/html' }
    const page = await fetch(`${ada.url}/workspace/posts/${id}?brandId=${ada.brandId}`, { headers })
    expect(await page.text()).toContain('Publishing is paused')
    const accounts = await fetch(`${ada.url}/workspace/accounts?brandId=${ada.brandId}`, { headers })
    expect(await accounts.text()).toContain(kind === 'account' ? 'Paused' : 'Publishing is paused')
    expect(await ada.received(`pause-${kind}`)).toEqual([])
    expect((await change(ada, 'resume', scope)).items).toEqual([])
    expect(await ada.until(id, isSettled)).toMatchObject({ status: 'published' })
  },
)

test('SOC-47 paused account delays no other account', async () => {
  ada = await newPublisher(server.url)
  const [paused, free] = [await ada.connect('pause-one'), await ada.connect('pause-other')]
  await change(ada, 'pause', { connectionId: paused })
  const [waiting, sent] = [await schedule(ada, paused), await schedule(ada, free)]
  expect(await ada.until(sent, isSettled)).toMatchObject({ status: 'published' })
  expect(await ada.until(waiting, isWaiting)).toMatchObject({ status: 'scheduled' })
  const { items } = await ada.call<IntegrationList>('GET', `/api/integrations?brandId=${ada.brandId}`)
  const states = items.flatMap(({ connections }) => connections.map(({ id, isPaused }) => [id, isPaused]))
  expect(new Map(states as [string, boolean][])).toEqual(
    new Map([
      [paused, true],
      [free, false],
    ]),
  )
})

test('SOC-47 pausing twice is one pause, resuming twice changes nothing, and others’ brands can’t be paused', async () => {
  ada = await newPublisher(server.url)
  const scope = { brandId: ada.brandId }
  await change(ada, 'pause', scope)
  expect((await change(ada, 'pause', scope)).items).toHaveLength(1)
  const bob = await newPublisher(server.url)
  await change(bob, 'resume', scope, 404)
  expect((await bob.call<{ items: unknown[] }>('GET', '/api/publishing/pauses')).items).toEqual([])
  await change(ada, 'resume', scope)
  expect((await change(ada, 'resume', scope)).items).toEqual([])
})
