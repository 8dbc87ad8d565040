import { openDatabase } from '#lib/db.ts'
import { eventually, killRest } from '../boot/program.ts'
import { freshDatabase } from '../support/database.ts'
import { duePosts } from '../support/due-posts.ts'
import { serve } from '../support/served.ts'

// SOC-26: measures how late 1,000 posts are published that are due within one minute on 50 accounts, alone and alongside
// 100,000 future posts. Fails when the 99th percentile is 2 s or more.

const [accounts, perAccount, minute] = [50, 20, 60_000]
const bound = 2000

/** Percentiles of the milliseconds from due to received. */
async function lateness(databaseUrl: string): Promise<number[]> {
  const { sql, close } = openDatabase(databaseUrl, 2)
  const rows = await sql<{ ms: number }[]>`
    select (extract(epoch from r.received_at - p.scheduled_at) * 1000)::float8 as ms
    from social.posts p join social.sandbox_receipts r on r.id::text = p.platform_post_id order by ms`
  await close()
  if (rows.length !== accounts * perAccount) throw new Error(`${rows.length} posts arrived`)
  return [0.5, 0.95, 0.99, 1].map((share) => Math.round(rows[Math.ceil(rows.length * share) - 1]?.ms ?? NaN))
}

async function measure(future: number): Promise<number[]> {
  const database = await freshDatabase()
  const posts = await duePosts(database.url)
  await posts.accounts(Array.from({ length: accounts }, (_, at) => `late-${at}`))
  if (future > 0)
    await posts.schedule({ perAccount: future / accounts, text: 'Later', inMs: 86_400_000, spreadMs: minute })
  const server = await serve({ databaseUrl: database.url, env: standardTerms })
  await posts.schedule({ perAccount, text: 'Now', inMs: 2000, spreadMs: minute })
  await eventually(async () => (await posts.statuses())['published'] === accounts * perAccount, minute + 30_000)
  const measured = await lateness(database.url)
  server.kill('SIGTERM')
  await server.exited
  await posts.close()
  await database.drop()
  return measured
}

const standardTerms = {
  PUBLISH_LEASE_MS: '30000',
  PUBLISH_HEARTBEAT_MS: '10000',
  PROVIDER_TIMEOUT_MS: '10000',
  PUBLISH_RETRY_BUDGET_MS: '90000',
}

let slow = false
for (const future of [0, 100_000]) {
  const [p50 = NaN, p95 = NaN, p99 = NaN, worst = NaN] = await measure(future)
  console.log(`lateness beside ${future} future posts: p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms, worst ${worst} ms`)
  slow ||= !(p99 < bound)
}
await killRest()
process.exit(slow ? 1 : 0)
