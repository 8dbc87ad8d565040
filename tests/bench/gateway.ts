import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { startPostgres } from '#lib/embedded-postgres.ts'
import { killRest, run } from '../boot/program.ts'
import { applicationId, startAtrium, type Atrium } from './gateway/atrium.ts'
import { measureLoad, median, type Load, type Target } from './gateway/load.ts'
import { installPortkey, startPortkey } from './gateway/portkey.ts'

// Compares `POST /api/ai/chat/completions` to Portkey’s gateway: requests per second, and median latency added to that
// of calling the provider directly. Atrium authenticates an API key, reserves from three hard limits and meters. Portkey
// does none of it. Both run with Bun, on one provider with one client; the rounds alternate. Fails when Atrium is slower.
// Portkey listens on all addresses, so everything runs in a network namespace of its own, with only a loopback.

const [rounds, roundMs, warmUpMs, processes] = [5, 1000, 6000, 3]
/** 300 as in tests/chaos/overshoot.test.ts. */
const callerCounts = [1, 16, 64, 300]
const inNamespace = 'ATRIUM_BENCH_NAMESPACE'
const folder = process.env[inNamespace]
process.exit(folder === undefined ? await prepare() : await compare(folder))

async function prepare(): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), 'atrium-gateway-'))
  try {
    if ((await installPortkey(scratch)) === null) return skip('@portkey-ai/gateway can’t be installed from npm')
    const isolated = [
      'unshare',
      '--net',
      ...(process.getuid?.() === 0 ? [] : ['--user', '--map-current-user', '--keep-caps']),
    ]
    const withLoopback = [...isolated, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
    if (!Bun.which('unshare') || !Bun.spawnSync([...withLoopback, 'true']).success)
      return skip('this system can’t give it a network namespace of its own')
    const inside = Bun.spawn([...withLoopback, process.execPath, import.meta.path], {
      env: { ...process.env, [inNamespace]: scratch },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    return await inside.exited
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function skip(reason: string): number {
  console.log(`gateway: SKIPPED, nothing was compared: ${reason}`)
  return 0
}

async function compare(scratch: string): Promise<number> {
  const cluster = await startPostgres({ dataDir: join(scratch, 'data'), log: () => {} })
  try {
    const model = run([process.execPath, 'tests/bench/servers/model.ts'])
    const [provider] = await model.until(/http:\S+/)
    const portkey = await startPortkey(join(scratch, 'node_modules/@portkey-ai/gateway/build/start-server.js'), 8787)
    const atrium = await startAtrium(cluster.url, provider, processes)
    const targets = targetsOf(provider, portkey, atrium)
    // Until the runtime has compiled what they run often, each process as long as Portkey’s.
    for (const target of [targets.portkey, ...atrium.servers.map((server) => ownTarget(atrium, [server]))])
      await measureLoad(target, 16, warmUpMs)
    const verdicts = []
    for (const callers of callerCounts) verdicts.push(await compareWith(callers, targets))
    await requireMetered(cluster.url, atrium)
    return verdicts.every(Boolean) ? 0 : 1
  } finally {
    await killRest()
    await cluster.stop()
  }
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

function ownTarget({ apiKey }: Pick<Atrium, 'apiKey'>, servers: Atrium['servers']): Target {
  return {
    name: servers.length === 1 ? 'Atrium, 1 process' : `Atrium, ${servers.length} processes`,
    urls: servers.map(({ url }) => `${url}/api/ai/chat/completions`),
    headers: { ...bearer(apiKey), 'x-application-id': applicationId },
    pids: servers.map(({ pid }) => pid),
  }
}

function targetsOf(provider: string, portkey: { url: string; pid: number }, atrium: Atrium) {
  const path = 'v1/chat/completions'
  const toPortkey = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${provider}v1` }
  return {
    direct: { name: 'direct', urls: [`${provider}${path}`], headers: bearer('x'), pids: [] },
    portkey: {
      name: 'Portkey',
      urls: [`${portkey.url}/${path}`],
      headers: { ...bearer('x'), ...toPortkey },
      pids: [portkey.pid],
    },
    atrium: ownTarget(atrium, atrium.servers),
    single: ownTarget(atrium, atrium.servers.slice(0, 1)),
  } satisfies Record<string, Target>
}

type Targets = ReturnType<typeof targetsOf>

/** Whether Atrium answered at least as many requests and added at most as much latency as Portkey. */
async function compareWith(callers: number, targets: Targets): Promise<boolean> {
  const all: Record<keyof Targets, Load>[] = []
  for (let round = 0; round < rounds; round++) {
    const measured = {
      direct: await measureLoad(targets.direct, callers, roundMs),
      portkey: await measureLoad(targets.portkey, callers, roundMs),
      atrium: await measureLoad(targets.atrium, callers, roundMs),
      single: await measureLoad(targets.single, callers, roundMs),
    }
    all.push(measured)
  }
  const of = (read: (one: (typeof all)[number]) => number) => median(all.map(read))
  console.log(`\n${callers === 1 ? '1 caller' : `${callers} callers`} (medians of ${rounds} rounds):`)
  const row = (key: keyof Targets) => ({
    target: targets[key].name,
    'requests/s': of((one) => one[key].perSecond).toFixed(0),
    'median ms': of((one) => one[key].latencyMs).toFixed(2),
    'added ms': of((one) => one[key].latencyMs - one.direct.latencyMs).toFixed(2),
    'processor ms': of((one) => one[key].cpuMs).toFixed(3),
  })
  console.table((['direct', 'portkey', 'atrium', 'single'] as const).map(row))
  const ratioOf = (key: 'atrium' | 'single') => ({
    throughput: of((one) => one[key].perSecond / one.portkey.perSecond),
    added: of((one) => (one[key].latencyMs - one.direct.latencyMs) / (one.portkey.latencyMs - one.direct.latencyMs)),
  })
  for (const key of ['atrium', 'single'] as const) {
    const { throughput, added } = ratioOf(key)
    console.log(
      `gateway, ${callers} callers: ${targets[key].name}: ${throughput.toFixed(2)} of Portkey’s requests per second (at least 1), ${added.toFixed(2)} of its added latency (at most 1)`,
    )
  }
  const { throughput, added } = ratioOf('atrium')
  if (of(({ portkey, direct }) => portkey.latencyMs - direct.latencyMs) <= 0) {
    console.log(`gateway, ${callers} callers: the machine was too busy: Portkey added no latency`)
    return false
  }
  return throughput >= 1 && added <= 1
}

/** @throws unless every hold was settled and counted in the three limits, so that the whole path was measured */
async function requireMetered(databaseUrl: string, { organizationId }: Atrium): Promise<void> {
  await Bun.sleep(1_000)
  const sql = postgres(databaseUrl, { max: 1 })
  const [row] = await sql<{ open: number; agreeing: number; calls: number }[]>`
    SELECT (SELECT count(*) FROM gateway.budget_holds)::int AS open,
      (SELECT count(*) FROM gateway.budget_periods WHERE spent_nano_usd = (
        SELECT sum(cost_nano_usd) FROM gateway.usage_logs WHERE organization_id = ${organizationId}))::int AS agreeing,
      (SELECT count(*) FROM gateway.usage_logs WHERE organization_id = ${organizationId})::int AS calls`
  await sql.end()
  if (row?.open !== 0 || row.agreeing !== 3) throw new Error(`Not all requests were metered: ${JSON.stringify(row)}`)
  console.log(`${row.calls} calls were metered, and the three limits counted all of them`)
}
