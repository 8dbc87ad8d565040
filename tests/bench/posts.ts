import { z } from 'zod'
import { openDatabase } from '#lib/db.ts'
import { killRest, run } from '../boot/program.ts'
import { freshDatabase } from '../support/database.ts'
import { serve } from '../support/served.ts'

// Measures how many `GET /api/posts?limit=20` with a bearer token the server answers per second, compared to a bare
// `Bun.serve` with the same prepared query and rows. Rounds alternate so that both run under the same load. Fails below
// three quarters.

const [rounds, roundMs, inFlight, bound] = [7, 2000, 16, 0.75]
const [brandsOfOrganization, postsOfBrand] = [2, 500]

const database = await freshDatabase()
const real = await serve({ databaseUrl: database.url, env: { LOG_LEVEL: 'info' } })
const { token, organization } = await signUp(real.url)
await fill(database.url, organization)
const bare = run([process.execPath, 'tests/bench/servers/bare-posts.ts'], {
  env: { DATABASE_URL: database.url, ORGANIZATION: organization },
})
const [bareUrl] = await bare.until(/http:\S+/)

const measured = { real: `${real.url}/api/posts?limit=20`, bare: bareUrl }
await sameRows()
const ratios: number[] = []
for (let round = 0; round <= rounds; round++) {
  const ofBare = await perSecond(measured.bare)
  const ofReal = await perSecond(measured.real)
  if (round > 0) ratios.push(ofReal / ofBare)
  console.log(`${round === 0 ? 'warm-up' : `round ${round}`}: ${ofReal.toFixed(0)}/s of ${ofBare.toFixed(0)}/s`)
}
ratios.sort((a, b) => a - b)
const median = ratios[Math.floor(rounds / 2)] ?? 0
console.log(
  `posts: ${median.toFixed(2)} of a bare handler (rounds ${ratios[0]?.toFixed(2)} to ${ratios.at(-1)?.toFixed(2)})`,
)
await killRest()
await database.drop()
process.exit(median < bound ? 1 : 0)

/** Requests per second of parallel callers that each wait for their response. */
async function perSecond(url: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
  const started = performance.now()
  let answered = 0
  const caller = async () => {
    while (performance.now() - started < roundMs) {
      const response = await fetch(url, { headers })
      await response.arrayBuffer()
      if (!response.ok) throw new Error(`${url} answered ${response.status}`)
      answered += 1
    }
  }
  await Promise.all(Array.from({ length: inFlight }, caller))
  return answered / ((performance.now() - started) / 1000)
}

/** @throws unless both return the same posts */
async function sameRows(): Promise<void> {
  const Answer = z.object({ items: z.array(z.record(z.string(), z.unknown())) })
  const [mine, theirs] = await Promise.all(
    Object.values(measured).map(async (url) => {
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
      const { items } = Answer.parse(await response.json())
      return items
    }),
  )
  if (mine?.length !== 20 || !Bun.deepEquals(mine, theirs)) throw new Error('The two servers answer different posts')
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
        from owners cross join generate_series(1, ${brandsOfOrganization}::int) n returning id
      )
    insert into social.posts (id, brand_id, author_id, provider, status, text, target, tags, scheduled_at,
      published_at, platform_post_id, external_account, permalink)
    select gen_random_uuid(), made.id, gen_random_uuid(), 'sandbox', 'published',
      'The new roast is in: notes of cherry and cocoa, and a long sweet end. Come by before noon. ' || n,
      '{}', '{coffee,launch}', now() - n * interval '1 minute', now(), gen_random_uuid()::text, 'acme',
      'http://127.0.0.1:3000/dev/sandbox/acme/posts/' || n
    from made cross join generate_series(1, ${postsOfBrand}::int) n`
  await sql`analyze`
  await close()
}
