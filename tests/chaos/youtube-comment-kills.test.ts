import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase, type DatabaseHandle } from '#lib/db.ts'
import { eventually, killRest } from '../boot/program.ts'
import { startYouTube, type Channel, type YouTubeCounterpart } from '../counterparts/youtube/index.ts'
import { beginConnecting, comeBack, findConnected, storeApp } from '../social/networks/support/connect.ts'
import { networkEnv } from '../social/networks/support/origins.ts'
import { hasFfmpeg, uploadVideo } from '../social/networks/support/upload.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { isSettled, newPublisher } from '../support/publisher.ts'
import { serve, spawnServer } from '../support/served.ts'
import { scaleTime } from '../support/time-scale.ts'

// Servers are killed at each step of writing first comments on YouTube, which has no key against repetitions.

const long = process.env['TEST_LONG'] === 'true'
/** Without the long run: while YouTube can have the comment. */
const steps = [...(long ? ['claimed', 'prepared'] : []), 'sending', 'answered', ...(long ? ['settling'] : [])]
/** SIGKILL as a shell's exit status. */
const killed = 137

let database: TestDatabase
let direct: DatabaseHandle
let youtube: YouTubeCounterpart
let channel: Channel

beforeAll(async () => {
  database = await freshDatabase()
  direct = openDatabase(database.url, 2)
  youtube = startYouTube()
  channel = youtube.channel('acme')
})

afterAll(async () => {
  await killRest()
  await youtube.stop()
  await direct.close()
  await database.drop()
})

const env = () => networkEnv({ youtube })

/** A video for each step, without a comment. */
async function publishVideos(): Promise<string[]> {
  const server = await serve({ databaseUrl: database.url, env: env() })
  youtube.app.redirectUris.push(`${server.url}/workspace/accounts/callback/youtube`)
  const ada = await newPublisher(server.url)
  await storeApp(ada, { provider: 'youtube', ...youtube.app })
  await comeBack(ada, youtube.consent(await beginConnecting(ada, 'youtube', { firstComments: true }), channel))
  const target = { connectionId: (await findConnected(ada, channel.id)).id }
  const media = [{ mediaId: (await uploadVideo(ada)).id }]
  const ids: string[] = []
  for (const step of steps) {
    const content = { provider: 'youtube', text: `For ${step}`, media, target, youtube: { privacy: 'unlisted' } }
    const { id } = await ada.post({ ...content, status: 'scheduled', scheduledAt: 'now' })
    expect((await ada.until(id, isSettled, 30_000)).status).toBe('published')
    ids.push(id)
  }
  server.kill('SIGTERM')
  await server.exited
  return ids
}

test.skipIf(!hasFfmpeg)(
  'SOC-10 SOC-24 each first comment on YouTube is written once when servers are killed while writing it',
  async () => {
    const ids = await publishVideos()
    for (const [at, step] of steps.entries()) {
      const id = ids[at] ?? ''
      await direct.sql`UPDATE social.posts SET first_comment = ${`On ${step}`} WHERE id = ${id}`
      await direct.sql`
        INSERT INTO social.first_comments (id, brand_id, provider, external_account, due_at)
        SELECT id, brand_id, provider, external_account, clock_timestamp() FROM social.posts WHERE id = ${id}`
      const options = { databaseUrl: database.url, env: { ...env(), KILL_AT: `comment_${step}:1` } }
      expect([step, await spawnServer(options).exited]).toEqual([step, killed])
    }
    const server = await serve({ databaseUrl: database.url, env: env() })
    const states = () =>
      direct.sql<{ state: string; id: string }[]>`
        SELECT c.state, c.platform_comment_id AS id FROM social.first_comments c JOIN social.posts p USING (id) ORDER BY p.id`
    await eventually(async () => (await states()).every(({ state }) => state === 'published'), 60_000)
    const rows = [...(await states())]
    expect(rows.map(({ state }) => state)).toEqual(steps.map(() => 'published'))
    const comments = youtube.comments(channel)
    expect(comments.map(({ text }) => text).toSorted()).toEqual(steps.map((step) => `On ${step}`).toSorted())
    expect(comments.map(({ id }) => id).toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
    server.kill('SIGTERM')
    await server.exited
  },
  scaleTime(120_000),
)
