import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase } from '#lib/db.ts'
import type { Upload } from '#social/types'
import { findFfmpeg } from '../../src/social/media/video/ffmpeg.ts'
import { eventually } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { newPublisher, type Publisher } from '../support/publisher.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'
import { scaleTime } from '../support/time-scale.ts'
import { bearer } from '../support/world.ts'
import { encodeVideo } from './videos.ts'

// Videos of two organizations that are converted by a server’s queue, which has places for one or more (TRANSCODERS).

const hasFfmpeg = (await findFfmpeg({})) !== null

let database: TestDatabase
let opened: ReturnType<typeof openDatabase>
let server: Server
beforeAll(async () => {
  database = await freshDatabase()
  opened = openDatabase(database.url, 1)
  server = await serve({ FFMPEG_PATH: 'off' })
})
afterAll(async () => {
  await server.stop()
  await opened.close()
  await database.drop()
})

const serve = (env: Record<string, string>) => serveInProcess({ databaseUrl: database.url, env })

const webm = (pictures: string) =>
  encodeVideo('a.webm', pictures, '-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '300k')

/** @returns the ID of the video in the library */
async function upload(who: Publisher, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const draft = { brandId: who.brandId, length: bytes.byteLength, name: 'a.webm' }
  const { id } = await who.call<Upload & Record<string, unknown>>('POST', '/api/uploads', draft, 201)
  const headers = { ...bearer(who.token), 'content-type': 'application/offset+octet-stream' }
  const path = `${server.url}/api/uploads/${id}?offset=0`
  const sent = await fetch(path, { method: 'PATCH', body: new Blob([bytes]), headers })
  expect(sent.ok).toBe(true)
  let mediaId: string | null = null
  const isStored = async () => {
    const found = await who.call<Upload & Record<string, unknown>>('GET', `/api/uploads/${id}`)
    mediaId = found.mediaId
    return mediaId !== null
  }
  expect(await eventually(isStored, scaleTime(20_000))).toBe(true)
  return mediaId ?? ''
}

const statesOf = async (column: 'status' | 'transcoding') => {
  const state = column === 'status' ? opened.sql`status` : opened.sql`transcoding ->> 'state'`
  const rows = await opened.sql<{ id: string; state: string | null }[]>`SELECT id, ${state} AS state FROM social.media`
  return new Map(rows.map(({ id, state: found }) => [id, found]))
}

test.skipIf(!hasFfmpeg)(
  'SOC-30 videos of an organization that has many don’t delay the one of another, and no more than TRANSCODERS are converted at once',
  async () => {
    const [many, one] = [await newPublisher(server.url), await newPublisher(server.url)]
    const video = webm('testsrc2=s=320x180:r=25:d=3')
    const theirs: string[] = []
    for (let nth = 0; nth < 5; nth++) theirs.push(await upload(many, video))
    const own = await upload(one, video)
    const areRead = async () => [...(await statesOf('status')).values()].every((state) => state === 'ready')
    expect(await eventually(areRead, 60_000)).toBe(true)
    // Without ffmpeg nothing was converted: now all wait at once.
    await server.stop()
    server = await serve({ TRANSCODERS: '1' })
    for (const id of theirs) await many.through(server.url).call('POST', `/api/media/${id}/process`)
    await one.through(server.url).call('POST', `/api/media/${own}/process`)
    let [most, finishedBefore] = [0, 0]
    const look = async () => {
      const found = await statesOf('transcoding')
      most = Math.max(most, [...found.values()].filter((state) => state === 'running').length)
      return found
    }
    const isOver = async () => {
      const found = await look()
      finishedBefore = theirs.filter((id) => found.get(id) === 'completed').length
      return found.get(own) === 'completed'
    }
    expect(await eventually(isOver, 60_000)).toBe(true)
    expect(finishedBefore).toBeLessThan(5)
    const areAllOver = async () => [...(await look()).values()].every((state) => state === 'completed')
    expect(await eventually(areAllOver, 60_000)).toBe(true)
    expect(most).toBe(1)
  },
  scaleTime(240_000),
)
