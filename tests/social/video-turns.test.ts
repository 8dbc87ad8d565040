import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase } from '#lib/db.ts'
import type { Media, Upload } from '#social/types'
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
let [many, one]: Publisher[] = []
beforeAll(async () => {
  database = await freshDatabase()
  opened = openDatabase(database.url, 1)
  server = await serveInProcess({ databaseUrl: database.url, env: { TRANSCODERS: '1' } })
  many = await newPublisher(server.url)
  one = await newPublisher(server.url)
})
afterAll(async () => {
  await server.stop()
  await opened.close()
  await database.drop()
})

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

const states = async () => {
  const rows = await opened.sql<{ id: string; state: string | null }[]>`
    SELECT id, transcoding ->> 'state' AS state FROM social.media ORDER BY id`
  return new Map(rows.map(({ id, state }) => [id, state]))
}

test.skipIf(!hasFfmpeg)(
  'SOC-30 videos of an organization that has many don’t delay the one of another, and no more than TRANSCODERS are converted at once',
  async () => {
    if (!many || !one) throw new Error('No publishers')
    const large = webm('testsrc2=s=640x360:r=30:d=8')
    const theirs: string[] = []
    for (let nth = 0; nth < 4; nth++) theirs.push(await upload(many, large))
    const own = await upload(one, webm('testsrc2=s=320x180:r=25:d=1'))
    let most = 0
    let finishedBefore = 0
    const isOver = async () => {
      const found = await states()
      most = Math.max(most, [...found.values()].filter((state) => state === 'running').length)
      finishedBefore = theirs.filter((id) => found.get(id) === 'completed').length
      return found.get(own) === 'completed'
    }
    expect(await eventually(isOver, scaleTime(60_000))).toBe(true)
    expect(finishedBefore).toBeLessThan(4)
    const areAllOver = async () => {
      const found = [...(await states()).values()]
      most = Math.max(most, found.filter((state) => state === 'running').length)
      return found.every((state) => state === 'completed')
    }
    expect(await eventually(areAllOver, scaleTime(120_000))).toBe(true)
    expect(most).toBe(1)
    const copy = await one.call<Media & Record<string, unknown>>('GET', `/api/media/${own}`)
    expect(copy.renditions.web).toMatchObject({ contentType: 'video/mp4' })
  },
  scaleTime(240_000),
)
