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

/** How many of these videos wait, are converted or are completed at one moment. */
async function look(...groups: readonly (readonly string[])[]) {
  const states = await statesOf('transcoding')
  const countOf = (ids: readonly string[], wanted: string) => ids.filter((id) => states.get(id) === wanted).length
  return {
    running: countOf([...states.keys()], 'running'),
    groups: groups.map((ids) => ({
      seen: ids.filter((id) => states.get(id)).length,
      completed: countOf(ids, 'completed'),
    })),
  }
}

const startAll = async (who: Publisher, ids: readonly string[]) => {
  for (const id of ids) await who.through(server.url).call('POST', `/api/media/${id}/process`)
}

async function restart(places: number) {
  await server.stop()
  server = await serve({ TRANSCODERS: String(places) })
}

test.skipIf(!hasFfmpeg)(
  'SOC-30 short video of an organization waits for at most one of the 20 long ones of another, and no more than TRANSCODERS are converted at once',
  async () => {
    const [many, one, third] = [
      await newPublisher(server.url),
      await newPublisher(server.url),
      await newPublisher(server.url),
    ]
    const long = webm('testsrc2=s=320x180:r=25:d=20')
    const short = webm('testsrc2=s=320x180:r=25:d=1')
    const theirs: string[] = []
    for (let nth = 0; nth < 20; nth++) theirs.push(await upload(many, long))
    const own = [await upload(one, short), await upload(one, short)]
    const others = [await upload(third, long), await upload(third, long)]
    const areRead = async () => [...(await statesOf('status')).values()].every((state) => state === 'ready')
    expect(await eventually(areRead, scaleTime(60_000))).toBe(true)

    // Without ffmpeg nothing was converted: now all wait at once.
    await restart(1)
    await startAll(many, theirs)
    expect(await eventually(async () => (await look()).running === 1, scaleTime(30_000))).toBe(true)
    for (const id of own) {
      await startAll(one, [id])
      // Its turn is counted from the moment when it waits for conversion: its poster is drawn before.
      let [before, after]: (number | undefined)[] = []
      let most = 0
      const isOver = async () => {
        const now = await look(theirs, [id])
        const [ofTheirs, ofOwn] = now.groups
        if (ofOwn?.seen) before ??= ofTheirs?.completed
        after = ofTheirs?.completed
        most = Math.max(most, now.running)
        return ofOwn?.completed === 1
      }
      expect(await eventually(isOver, scaleTime(60_000))).toBe(true)
      expect((after ?? NaN) - (before ?? NaN)).toBeLessThanOrEqual(1)
      expect(most).toBe(1)
    }

    await restart(2)
    expect(await eventually(async () => (await look()).running === 1, scaleTime(30_000))).toBe(true)
    await startAll(third, others)
    let most = 0
    const isOver = async () => {
      const now = await look(theirs, others)
      most = Math.max(most, now.running)
      return now.groups[1]?.completed === 2
    }
    expect(await eventually(isOver, scaleTime(60_000))).toBe(true)
    expect(most).toBe(2)
    expect((await look(theirs)).groups[0]?.completed).toBeLessThan(20)
  },
  scaleTime(240_000),
)
