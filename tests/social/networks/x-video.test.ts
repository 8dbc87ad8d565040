import { afterAll, beforeAll, expect, test } from 'bun:test'
import { killRest } from '../../boot/program.ts'
import { startX, type XCounterpart } from '../../counterparts/x/index.ts'
import { freshDatabase, type TestDatabase } from '../../support/database.ts'
import { isSettled, newPublisher, type Publisher } from '../../support/publisher.ts'
import { serve, type Served } from '../../support/served.ts'
import { beginConnecting, comeBack, drawPage, findConnected, storeApp } from './support/connect.ts'
import { networkEnv } from './support/origins.ts'
import { hasFfmpeg, uploadVideo } from './support/upload.ts'

// Uploads before the post: in chunks, continued after a restart, and waiting by name.

const withVideos = test.skipIf(!hasFfmpeg)

let database: TestDatabase
let x: XCounterpart
let server: Served
let ada: Publisher

const startServer = (more: Record<string, string> = {}) =>
  serve({ databaseUrl: database.url, env: { ...networkEnv({ x }), ...more } })

beforeAll(async () => {
  database = await freshDatabase()
  x = startX({ processing: 2 })
  server = await startServer()
  x.app.redirectUris.push(`${server.url}/workspace/accounts/callback/x`)
  ada = await newPublisher(server.url)
  await storeApp(ada, { provider: 'x', ...x.app })
})

afterAll(async () => {
  await killRest()
  await x.stop()
  await database.drop()
})

const append = 'api POST /2/media/upload/:id/append'
const initialize = 'api POST /2/media/upload/initialize'
const megabyte = 1024 * 1024
let accounts = 0

async function connect() {
  const account = x.account(`video${(accounts += 1)}`)
  await comeBack(ada, x.consent(await beginConnecting(ada, 'x'), account))
  return { account, connectionId: (await findConnected(ada, account.id)).id }
}

async function schedule(connectionId: string, mediaId: string, text = 'Watch'): Promise<string> {
  const target = { connectionId }
  const media = [{ mediaId, alt: 'Bars' }]
  const post = { provider: 'x', text, status: 'scheduled', scheduledAt: 'now', target, media }
  return (await ada.post(post)).id
}

withVideos('SOC-25 video is uploaded in chunks, and its post waits by name while X processes it', async () => {
  const { account, connectionId } = await connect()
  const video = await uploadVideo(ada, 9 * megabyte)
  const before = x.callsOf(append).length
  const id = await schedule(connectionId, video.id)
  const waiting = await ada.until(id, ({ waitingFor }) => waitingFor?.reason === 'media_processing', 30_000)
  expect(waiting.status).toBe('scheduled')
  const page = await drawPage(ada, `/workspace/posts/${id}?brandId=${ada.brandId}`)
  expect(page).toContain('X is processing the media')
  expect(await ada.until(id, isSettled, 30_000)).toMatchObject({ status: 'published', failureMessage: null })
  expect(x.callsOf(append).length - before).toBe(3)
  expect(x.posts(account)[0]?.media.map(({ type, alt }) => [type, alt])).toEqual([['video/mp4', 'Bars']])
})

withVideos('SOC-25 video that X can’t process fails its post before anything is published', async () => {
  const { account, connectionId } = await connect()
  const video = await uploadVideo(ada)
  x.breakVideos(1)
  const post = await ada.until(await schedule(connectionId, video.id), isSettled, 30_000)
  expect(post).toMatchObject({ status: 'failed', failureCode: 'media_refused' })
  expect(post.failureMessage).toContain('Replace it')
  expect(x.posts(account)).toEqual([])
})

withVideos('SOC-24 post that is edited during its upload is published as it is then', async () => {
  const { account, connectionId } = await connect()
  const video = await uploadVideo(ada, 9 * megabyte)
  const id = await schedule(connectionId, video.id, 'Before')
  await ada.until(id, ({ waitingFor }) => waitingFor?.reason === 'media_processing', 30_000)
  await ada.call('PUT', `/api/posts/${id}`, { text: 'After' })
  expect(await ada.until(id, isSettled, 30_000)).toMatchObject({ status: 'published' })
  expect(x.posts(account).map(({ text }) => text)).toEqual(['After'])
})

withVideos('SOC-24 upload of a killed server is continued by the next one', async () => {
  const { account, connectionId } = await connect()
  const video = await uploadVideo(ada, 13 * megabyte)
  const began = x.callsOf(initialize).length
  server.kill('SIGTERM')
  await server.exited
  const killed = await startServer({ KILL_AT: 'uploaded:2' })
  ada = ada.through(killed.url)
  const id = await schedule(connectionId, video.id)
  await killed.exited
  server = await startServer()
  ada = ada.through(server.url)
  expect(await ada.until(id, isSettled, 30_000)).toMatchObject({ status: 'published', failureMessage: null })
  expect(x.callsOf(initialize).length - began).toBe(1)
  expect(x.posts(account)).toHaveLength(1)
})
