import { afterAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { eventually, killRest } from '../boot/program.ts'
import { administer, freshDatabase } from '../support/database.ts'
import { newPublisher } from '../support/publisher.ts'
import { home, serve } from '../support/served.ts'
import { scaleTime } from '../support/time-scale.ts'
import { bundleServer } from './bundled-server.ts'
import { openKilledServers } from './killed-servers.ts'
import { startNetworks, type Connected } from './networks.ts'

// Several servers on one database are killed at every step, and at random moments after it, while posts of every network
// are due. A kill counts when the server held a post. What readers see on the networks is the reference.

const steps = ['claimed', 'uploaded', 'prepared', 'sending', 'answered', 'settling']
const long = process.env['TEST_LONG'] === 'true'
const kills = long ? Number(process.env['NETWORK_KILLS'] ?? 1000) : steps.length
/** After which a shorter run is checked, too. */
const maxMs = Number(process.env['NETWORK_KILL_MINUTES'] ?? Infinity) * 60_000
/** A server's start takes most of the time, on one core. */
const servers = long ? 4 : 2
/** Networks with another post for each kill, and posts that are due on each. */
const [networksEach, maxDue] = [5, 4]
/** Their APIs don’t say whether a post arrived: a person is asked. */
const unreadable = new Set(['linkedin', 'discord'])

const networks = startNetworks()

afterAll(async () => {
  await killRest()
  await networks.stop()
})

// The upload of a killed server is locked for as long.
const env = { ...networks.env, UPLOAD_LEASE_MS: String(scaleTime(500)) }

// Leases of a killed server keep its accounts busy: shorter than other tests have them on a slow machine, where some expire
// while their server is alive.
const killedEnv = {
  ...env,
  PUBLISH_LEASE_MS: String(Math.min(scaleTime(2000), 6000)),
  PROVIDER_TIMEOUT_MS: String(Math.min(scaleTime(1000), 3000)),
  PUBLISH_HEARTBEAT_MS: String(Math.min(scaleTime(500), 1500)),
  PUBLISH_RETRY_BUDGET_MS: String(scaleTime(10_000)),
}

/** Half of the kills are at the step, the others up to 150 ms later: the last two steps don't last as long. */
function momentOf(kill: number): string {
  const index = kill % steps.length
  const isLater = index < 4 && Math.random() < 0.75
  const delay = isLater ? `:SIGKILL:${Math.floor(Math.random() * 150)}` : ''
  return `${steps[index]}:${1 + Math.floor(Math.random() * 4)}${delay}`
}

function count<Of>(items: Iterable<Of>): Map<Of, number> {
  const counts = new Map<Of, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

const describeCounts = (counts: Map<string, number>) =>
  [...counts].map(([provider, times]) => `${provider} ${times}`).join(', ')

test(
  'SOC-24 each post of each network is published once when servers are killed at every step',
  async () => {
    const database = await freshDatabase()
    const first = await serve({ databaseUrl: database.url, env })
    const ada = await newPublisher(first.url)
    const accounts = await networks.connect(ada)
    // A day of YouTube’s usual quota ends after about 100 videos.
    for (const bucket of ['other', 'videos.insert'])
      await administer(
        database.url,
        (sql) => sql`INSERT INTO gateway.video_quota_limits (project, bucket, units_per_day, updated_at)
          VALUES ('123456789012', ${bucket}, 10000000, now())`,
      )
    const drafts = new Map<Connected, string>()
    for (const account of accounts) {
      const { provider, connectionId, media } = account
      const { id } = await ada.post({ provider, text: 'Chaos', media, target: { connectionId } })
      drafts.set(account, id)
    }
    first.kill('SIGKILL')
    await first.exited

    const killed = openKilledServers(
      database.url,
      killedEnv,
      long ? await bundleServer(join(home, 'bundle')) : undefined,
    )
    const posts = new Map<string, { text: string; account: Connected }>()
    const killsOf = new Map(accounts.map(({ provider }) => [provider, 0]))
    const interrupted: string[] = []
    let [done, started, made] = [0, 0, 0]

    /** On the networks that had the fewest kills. */
    async function schedulePosts(): Promise<void> {
      const due = count(await killed.listDue())
      const open = accounts.filter(({ provider }) => (due.get(provider) ?? 0) < maxDue)
      const fewest = open.toSorted((a, b) => (killsOf.get(a.provider) ?? 0) - (killsOf.get(b.provider) ?? 0))
      for (const account of fewest.slice(0, networksEach)) {
        const text = `Chaos ${made++} on ${account.provider}`
        posts.set(await killed.schedule(drafts.get(account) ?? '', text), { text, account })
      }
    }

    const start = performance.now()
    async function killServers(): Promise<void> {
      while (done < kills && performance.now() - start < maxMs) {
        await schedulePosts()
        const kill = await killed.killOne(momentOf(started++))
        if (!kill) continue
        done++
        killsOf.set(kill.provider, (killsOf.get(kill.provider) ?? 0) + 1)
        interrupted.push(...kill.held.flatMap(({ provider, isSending }) => (isSending ? [provider] : [])))
        if (done % 20 === 0)
          console.log(
            `${done} kills of ${started} servers, ${(await killed.listDue()).length} of ${posts.size} posts are due`,
          )
      }
    }

    await Promise.all(Array.from({ length: servers }, killServers))
    const minutes = (performance.now() - start) / 60_000
    const last = await serve({ databaseUrl: database.url, env })
    await eventually(async () => (await killed.listDue()).length === 0, 120_000)

    const rows = await killed.read()
    const seen = new Map(accounts.map((account) => [account, count(account.texts())]))
    const wrong: string[] = []
    const unknown: string[] = []
    for (const { id, status, failureCode, waiting } of rows) {
      const post = posts.get(id)
      if (!post) throw new Error(`An unexpected post: ${id}`)
      const { text, account } = post
      const times = seen.get(account)?.get(text) ?? 0
      const isUnknown = unreadable.has(account.provider) && failureCode === 'outcome_unknown' && times <= 1
      if (isUnknown) unknown.push(account.provider)
      if (!(status === 'published' && times === 1) && !isUnknown)
        wrong.push(`${text}: ${status} ${failureCode} ${waiting}, seen ${times} times`)
    }
    console.log(
      [
        `${done} kills of ${started} servers in ${minutes.toFixed(1)} minutes, ${posts.size} posts: ${describeCounts(killsOf)}`,
        `Interrupted while sending: ${describeCounts(count(interrupted))}`,
        `Unknown, where the network can’t be read: ${describeCounts(count(unknown))}`,
      ].join('\n'),
    )
    expect(wrong).toEqual([])
    expect(rows.length).toBe(posts.size)
    if (done >= 100) for (const [, times] of killsOf) expect(times).toBeGreaterThan(done / accounts.length / 4)
    last.kill('SIGTERM')
    await last.exited
    await killed.close()
    await database.drop()
  },
  long ? 3_500_000 * Math.max(1, scaleTime(1) / 2) : scaleTime(230_000),
)
