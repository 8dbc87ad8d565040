import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventually, killRest } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { scaleTime } from '../support/time-scale.ts'
import { duePosts, type DuePosts } from '../support/due-posts.ts'
import type { Received } from '../support/publisher.ts'
import { serve, serveSandboxProcess, spawnServer, type Served } from '../support/served.ts'

// Servers are killed at every step of publishing, under every fault of the network, with 20 or 40 posts due each time.
// The network is a separate process with its own database: its receipts are the reference.

const steps = ['claiming', 'claimed', 'prepared', 'sending', 'answered', 'settling']
const faults = {
  ok: { mode: 'ok', latencyMs: 100 },
  fail: { mode: 'fail', latencyMs: 60, times: 2 },
  rate_limit: { mode: 'rate_limit', latencyMs: 60, times: 1, retryAfter: 1 },
  timeout: { mode: 'timeout', times: 1 },
  lose_answer: { mode: 'lose_answer', latencyMs: 60 },
}
type Fault = keyof typeof faults
const long = process.env['TEST_LONG'] === 'true'
const rounds = long ? Number(process.env['CHAOS_ROUNDS'] ?? 2) : 1
const all = Object.keys(faults) as Fault[]
/** Networks with their own servers: a usual run has one with every fault at once, on different accounts. */
const networks = long ? all.map((fault) => [fault]) : [all]
/** Accounts per fault, and posts per account at every kill. */
const [accountsEach, postsEach] = [long ? 10 : 4, 2]
/** SIGKILL as a shell's exit status. */
const killed = 137

let networkDatabase: TestDatabase
let network: Served

beforeAll(async () => {
  networkDatabase = await freshDatabase()
  network = await serveSandboxProcess(networkDatabase.url)
})

afterAll(async () => {
  await killRest()
  await networkDatabase.drop()
})

const account = (handle: string) => `${network.url}/dev/sandbox/api/accounts/${handle}`

async function behave(handles: string[], behavior: object): Promise<void> {
  const body = JSON.stringify(behavior)
  await Promise.all(handles.map((handle) => fetch(`${account(handle)}/behavior`, { method: 'PUT', body })))
}

async function receivedBy(handle: string): Promise<{ account: string; id: string }[]> {
  const response = await fetch(`${account(handle)}/posts`)
  const { items } = (await response.json()) as { items: Received[] }
  return items.map(({ id }) => ({ account: handle, id }))
}

/** Kills servers on one database at each step while more posts come due. */
async function killAtEachStep(databaseUrl: string, posts: DuePosts, accounts: Map<Fault, string[]>): Promise<number> {
  let made = 0
  for (let round = 0; round < rounds; round++) {
    for (const [at, step] of steps.entries()) {
      for (const [fault, handles] of accounts) await behave(handles, faults[fault])
      await posts.schedule({ perAccount: postsEach, text: 'Chaos' })
      made += accounts.size * accountsEach * postsEach
      const nth = 1 + ((at + round * 5) % 8)
      const env = { KILL_AT: `${step}:${nth}`, SANDBOX_URL: network.url }
      expect(await spawnServer({ databaseUrl, env }).exited).toBe(killed)
    }
  }
  return made
}

const byAccount = (a: { account: string; id: string }, b: { account: string; id: string }) =>
  `${a.account} ${a.id}`.localeCompare(`${b.account} ${b.id}`)

test.concurrent.each(networks.map((of) => [of.join(', '), of] as const))(
  'SOC-24 each post is published once when servers are killed while publishing (network: %s)',
  async (_, of) => {
    const database = await freshDatabase()
    const posts = await duePosts(database.url)
    const handlesOf = (fault: Fault) => Array.from({ length: accountsEach }, (_each, at) => `${fault}-${at}`)
    const accounts = new Map(of.map((fault) => [fault, handlesOf(fault)]))
    const handles = [...accounts.values()].flat()
    await posts.accounts(handles)
    const made = await killAtEachStep(database.url, posts, accounts)

    const server = await serve({ databaseUrl: database.url, env: { SANDBOX_URL: network.url } })
    await eventually(async () => !(await posts.statuses())['scheduled'], 120_000)
    expect(await posts.statuses()).toEqual({ published: made })
    const received = (await Promise.all(handles.map(receivedBy))).flat()
    expect(received.sort(byAccount)).toEqual((await posts.published()).sort(byAccount))

    server.kill('SIGTERM')
    await server.exited
    await posts.close()
    await database.drop()
  },
  long ? 3_500_000 : scaleTime(230_000),
)
