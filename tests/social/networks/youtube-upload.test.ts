import { afterAll, beforeAll, expect, test } from 'bun:test'
import { killRest } from '../../boot/program.ts'
import { startYouTube, type Channel, type YouTubeCounterpart } from '../../counterparts/youtube/index.ts'
import { freshDatabase, type TestDatabase } from '../../support/database.ts'
import { isSettled, newPublisher, type Publisher } from '../../support/publisher.ts'
import { serve, type Served } from '../../support/served.ts'
import { scaleTime } from '../../support/time-scale.ts'
import { beginConnecting, comeBack, findConnected, storeApp } from './support/connect.ts'
import { networkEnv } from './support/origins.ts'
import { hasFfmpeg, uploadVideo } from './support/upload.ts'

// Uploads of killed servers, which another one continues.

let database: TestDatabase
let youtube: YouTubeCounterpart
let server: Served
let ada: Publisher
let mediaId = ''

const steps = ['uploaded:2', 'prepared:1', 'sending:1', 'answered:1', 'settling:1']
/** Connected before the server’s URL changes. */
const connected = new Map<string, { channel: Channel; connectionId: string }>()

const startServer = (more: Record<string, string> = {}) =>
  // The upload of a killed server is locked for as long.
  serve({
    databaseUrl: database.url,
    env: { ...networkEnv({ youtube }), UPLOAD_LEASE_MS: String(scaleTime(500)), ...more },
  })

beforeAll(async () => {
  if (!hasFfmpeg) return
  database = await freshDatabase()
  youtube = startYouTube()
  server = await startServer()
  youtube.app.redirectUris.push(`${server.url}/workspace/accounts/callback/youtube`)
  ada = await newPublisher(server.url)
  await storeApp(ada, { provider: 'youtube', ...youtube.app })
  for (const step of steps) {
    const channel = youtube.channel(`acme${connected.size}`)
    await comeBack(ada, youtube.consent(await beginConnecting(ada, 'youtube'), channel))
    connected.set(step, { channel, connectionId: (await findConnected(ada, channel.id)).id })
  }
  mediaId = (await uploadVideo(ada, 9 * 1024 * 1024)).id
})

afterAll(async () => {
  await killRest()
  await youtube?.stop()
  await database?.drop()
})

test.skipIf(!hasFfmpeg).each(steps)(
  'SOC-24 upload of a server killed at %s is continued by the next one, as one video',
  async (step) => {
    const { channel, connectionId } = connected.get(step) ?? {}
    if (!channel) throw new Error(`No channel for ${step}`)
    const started = youtube.callsOf('api POST /upload/youtube/v3/videos').length
    server.kill('SIGTERM')
    await server.exited
    const killed = await startServer({ KILL_AT: step })
    ada = ada.through(killed.url)
    const video = { provider: 'youtube', text: `Killed at ${step}`, media: [{ mediaId }], target: { connectionId } }
    const { id } = await ada.post({ ...video, status: 'scheduled', scheduledAt: 'now' })
    await killed.exited
    server = await startServer()
    ada = ada.through(server.url)
    const post = await ada.until(id, isSettled, 30_000)
    expect([post.status, post.failureMessage]).toEqual(['published', null])
    expect(youtube.videos(channel).map(({ title }) => title)).toEqual([`Killed at ${step}`])
    expect(youtube.callsOf('api POST /upload/youtube/v3/videos').length - started).toBe(1)
  },
)
