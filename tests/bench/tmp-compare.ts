import { z } from 'zod'
import { openDatabase } from '#lib/db.ts'
import { killRest, run } from '../boot/program.ts'
import { freshDatabase } from '../support/database.ts'
import { environmentOf, serve } from '../support/served.ts'
import { readFileSync, readdirSync, readlinkSync } from 'node:fs'
const [rounds, roundMs, inFlight] = [12, 1500, 16]
const database = await freshDatabase()
const real = await serve({ databaseUrl: database.url, env: { LOG_LEVEL: 'info' } })
const old = run(
  [
    process.execPath,
    '--preload',
    '/tmp/w/social-a-old/tests/support/quick-hashes.ts',
    '/tmp/w/social-a-old/src/server.ts',
  ],
  {
    env: environmentOf({ databaseUrl: database.url, env: { LOG_LEVEL: 'info' } }),
    cwd: '/tmp/w/social-a-old',
  } as never,
)
const [oldUrl] = await old.until(/http:\S+/)
const { token, organization } = await signUp(real.url)
await fill(database.url, organization)
const bare = run([process.execPath, 'tests/bench/servers/bare-posts.ts'], {
  env: { DATABASE_URL: database.url, ORGANIZATION: organization },
})
const [bareUrl] = await bare.until(/http:\S+/)
const at = { new: `${real.url}/api/posts?limit=20`, old: `${oldUrl}/api/posts?limit=20`, bare: bareUrl }
const first = await (await fetch(at.new, { headers: { authorization: `Bearer ${token}` } })).json()
console.log(JSON.stringify(first).length, JSON.stringify(first.items[0]))
const o = await (await fetch(at.old, { headers: { authorization: `Bearer ${token}` } })).json()
console.log(JSON.stringify(o).length)
const pids = { new: pidOf(at.new), old: pidOf(at.old), bare: pidOf(at.bare) }
const cpu: Record<string, number[]> = { new: [], old: [], bare: [] }
function pidOf(url: string): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0')
  const inode = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((l) => l.trim().split(/\s+/))
    .find((f) => f[1]?.endsWith(':' + port) && f[3] === '0A')?.[9]
  for (const pid of readdirSync('/proc').filter((n) => /^\d+$/.test(n))) {
    try {
      for (const fd of readdirSync(`/proc/${pid}/fd`))
        if (readlinkSync(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`) return Number(pid)
    } catch {}
  }
  throw new Error('no pid')
}
const ticks = (pid: number) => {
  const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return Number(f[11]) + Number(f[12])
}
let count = 0
const all: Record<string, number[]> = { new: [], old: [], bare: [] }
for (let round = 0; round <= rounds; round++) {
  for (const name of ['bare', 'old', 'new'] as const) {
    const t0 = ticks(pids[name])
    const per = await perSecond(at[name])
    if (round > 0) {
      all[name]!.push(per)
      cpu[name]!.push(((ticks(pids[name]) - t0) * 10) / count)
    }
  }
  console.log(
    round,
    Object.values(all)
      .map((l) => l.at(-1)?.toFixed(0))
      .join(' '),
  )
}
const med = (l: number[]) => l.toSorted((a, b) => a - b)[Math.floor(l.length / 2)]!
const ratio = (a: string, b: string) => med(all[a]!.map((v, i) => v / all[b]![i]!)).toFixed(3)
console.log('new/old', ratio('new', 'old'), 'old/bare', ratio('old', 'bare'), 'new/bare', ratio('new', 'bare'))
for (const n of ['new', 'old', 'bare'])
  console.log(n, 'cpu ms/req', med(cpu[n]!).toFixed(3), cpu[n]!.map((v) => v.toFixed(3)).join(' '))
await killRest()
await database.drop()
process.exit(0)
async function perSecond(url: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  const started = performance.now()
  let answered = 0
  const caller = async () => {
    while (performance.now() - started < roundMs) {
      const r = await fetch(url, { headers })
      await r.arrayBuffer()
      if (!r.ok) throw new Error(`${url} ${r.status}`)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: inFlight }, caller))
  count = answered
  return answered / ((performance.now() - started) / 1000)
}
async function signUp(url: string): Promise<{ token: string; organization: string }> {
  const person = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
  const response = await fetch(`${url}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...person, createOrganization: true, organizationName: 'Acme' }),
  })
  const { accessToken } = z.object({ accessToken: z.string() }).parse(await response.json())
  const me = await fetch(`${url}/api/auth/me`, { headers: { authorization: `Bearer ${accessToken}` } })
  const { organization: own } = z.object({ organization: z.object({ id: z.string() }) }).parse(await me.json())
  return { token: accessToken, organization: own.id }
}

/** Published posts of a few brands, and as many of an unrelated organization. */
async function fill(url: string, owner: string): Promise<void> {
  const { sql, close } = openDatabase(url, 2)
  await sql`
    with owners as (select ${owner}::uuid as id union all select gen_random_uuid()),
      made as (
        insert into social.brands (id, platform_org_id, name, slug, time_zone)
        select gen_random_uuid(), owners.id, 'Brand ' || n, 'brand-' || n, 'UTC'
        from owners cross join generate_series(1, ${2}::int) n returning id
      )
    insert into social.posts (id, brand_id, author_id, provider, status, text, target, tags, scheduled_at,
      published_at, platform_post_id, external_account, permalink)
    select gen_random_uuid(), made.id, gen_random_uuid(), 'sandbox', 'published',
      'The new roast is in: notes of cherry and cocoa, and a long sweet end. Come by before noon. ' || n,
      '{}', '{coffee,launch}', now() - n * interval '1 minute', now(), gen_random_uuid()::text, 'acme',
      'http://127.0.0.1:3000/dev/sandbox/acme/posts/' || n
    from made cross join generate_series(1, ${500}::int) n`
  await sql`analyze`
  await close()
}
