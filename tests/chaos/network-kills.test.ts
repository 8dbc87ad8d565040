import { afterAll, expect, test } from 'bun:test'
import { eventually, killRest } from '../boot/program.ts'
import { freshDatabase } from '../support/database.ts'
import { inMs, isSettled, newPublisher, type Post } from '../support/publisher.ts'
import { serve, spawnServer } from '../support/served.ts'
import { scaleTime } from '../support/time-scale.ts'
import { startNetworks, type Connected } from './networks.ts'

// Servers are killed at every step while posts of every network are due. What readers see there is the reference.

const steps = ['claimed', 'uploaded', 'prepared', 'sending', 'answered', 'settling']
const long = process.env['TEST_LONG'] === 'true'
const kills = long ? Number(process.env['NETWORK_KILLS'] ?? 1000) : steps.length
/** Their APIs don’t say whether a post arrived: a person is asked. */
const unreadable = new Set(['linkedin', 'discord'])

/** SIGKILL as a shell's exit status. */
const killed = 137

const networks = startNetworks()

afterAll(async () => {
  await killRest()
  await networks.stop()
})

const env = {
  ...networks.env,
  // The upload of a killed server is locked for as long.
  UPLOAD_LEASE_MS: String(scaleTime(500)),
}

test(
  'SOC-24 each post of each network is published once when servers are killed at every step',
  async () => {
    const database = await freshDatabase()
    const first = await serve({ databaseUrl: database.url, env })
    const ada = await newPublisher(first.url)
    const accounts = await networks.connect(ada)
    first.kill('SIGKILL')
    await first.exited

    const posts: { id: string; text: string; account: Connected }[] = []
    for (let kill = 0; kill < kills; kill++) {
      const at = `${steps[kill % steps.length]}:${1 + (Math.floor(kill / steps.length) % 8)}`
      const server = spawnServer({ databaseUrl: database.url, env: { ...env, KILL_AT: at } })
      // It can die of an earlier post while it starts.
      const [, url] = await server.until(/(http:\/\/[\w.]+:\d+)/).catch(() => [])
      if (url === undefined) {
        expect(await server.exited).toBe(killed)
        continue
      }
      // Its token is good for some minutes alone.
      const here = await ada.signIn(url).catch(() => ada.through(url))
      const scheduledAt = inMs(700)
      for (const account of accounts) {
        const { provider, connectionId, media } = account
        const text = `Chaos ${kill} on ${provider}`
        const draft = { provider, text, media, target: { connectionId }, status: 'scheduled', scheduledAt }
        // The server can die of an earlier post.
        const post = await here.post(draft).catch(() => null)
        if (post) posts.push({ id: post.id, text, account })
      }
      await Promise.race([server.exited, Bun.sleep(scaleTime(4_000))])
      server.kill('SIGKILL')
      await server.exited
    }

    const last = await serve({ databaseUrl: database.url, env })
    const reader = await ada.signIn(last.url)
    const read = (id: string): Promise<Post> => reader.read(id)
    await eventually(
      async () => (await Promise.all(posts.map(({ id }) => read(id)))).every(isSettled),
      long ? 600_000 : 120_000,
    )
    const wrong: string[] = []
    for (const { id, text, account } of posts) {
      const { status, failureCode, waitingFor } = await read(id)
      const seen = account.texts().filter((each) => each === text).length
      const isUnknown = unreadable.has(account.provider) && failureCode === 'outcome_unknown' && seen <= 1
      if (!(status === 'published' && seen === 1) && !isUnknown)
        wrong.push(`${text}: ${status} ${failureCode} ${JSON.stringify(waitingFor)}, seen ${seen} times`)
    }
    expect(wrong).toEqual([])
    expect(posts.length).toBeGreaterThan((kills * accounts.length) / 4)
    last.kill('SIGTERM')
    await last.exited
    await database.drop()
  },
  long ? 3_500_000 : scaleTime(230_000),
)
