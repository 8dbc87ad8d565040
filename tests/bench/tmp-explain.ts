import { openDatabase } from '#lib/db.ts'
import { freshDatabase } from '../support/database.ts'
const database = await freshDatabase()
const organization = crypto.randomUUID()
await fill(database.url, organization)
const { sql, close } = openDatabase(database.url, 2)
const cols = `id, brand_id, author_id, provider, status, text, scheduled_at, time_zone, group_id, thread_id, position, media, first_comment, link_preview, tags, campaign, target, platform_post_id, permalink, published_at, withdrawn_at, failure_code, failure_message, failed_at, failure_retryable, review_state, waiting_for, version, created_at, updated_at`
const acc = `SELECT name FROM social.connections WHERE connections.brand_id = "of_brand".brand_id AND connections.provider = "of_brand".provider`
const computed = `, (SELECT name FROM social.brands AS brand WHERE brand.id = of_brand.brand_id) as brand_name,
 CASE WHEN of_brand.status = 'published' AND of_brand.external_account IS NOT NULL THEN coalesce((${acc} AND external_id = of_brand.external_account ORDER BY connections.id LIMIT 1), of_brand.external_account)
 WHEN of_brand.target ->> 'connectionId' IS NOT NULL THEN (${acc} AND connections.id = (of_brand.target ->> 'connectionId')::uuid)
 ELSE (${acc} AND active ORDER BY owner_id = of_brand.author_id DESC, connections.id LIMIT 1) END as account_name,
 CASE WHEN of_brand.thread_id IS NOT NULL THEN (SELECT count(*)::int FROM social.posts AS part WHERE part.thread_id = of_brand.thread_id) END as thread_size,
 (of_brand.status = 'scheduled' AND of_brand.scheduled_at <= now()) as is_due`
const q = (extra: string) =>
  `select ${cols
    .split(', ')
    .map((c) => 'of_brand.' + c)
    .join(
      ', ',
    )} ${extra} from social.brands cross join lateral (select ${cols}, external_account, sort_at from social.posts where brand_id = brands.id order by sort_at desc, id desc limit $2) of_brand where brands.platform_org_id = $1 order by sort_at desc, of_brand.id desc limit $2`
for (const [name, extra] of [
  ['plain', ''],
  ['computed', computed],
  ['brand', computed.split('\n')[0]!.replace(/,\s*$/, '')],
  ['due', ", (of_brand.status = 'scheduled' AND of_brand.scheduled_at <= now()) as is_due"],
] as const) {
  await sql.reserve().then(async (one) => {
    await one.unsafe(`prepare p${name}(uuid, int) as ${q(extra)}`)
    for (let i = 0; i < 10; i++) await one.unsafe(`execute p${name}('${organization}', 21)`)
    const rows = await one.unsafe(`explain (analyze, buffers) execute p${name}('${organization}', 21)`)
    if (name === 'computed') console.log(rows.map((r) => r['QUERY PLAN']).join('\n'))
    const started = performance.now()
    for (let i = 0; i < 500; i++) await one.unsafe(q(extra), [organization, 21], { prepare: true }).values()
    console.log(
      name,
      ((performance.now() - started) / 500).toFixed(3),
      'ms',
      rows
        .slice(-2)
        .map((r) => r['QUERY PLAN'])
        .join(' '),
    )
    one.release()
  })
}
await close()
await database.drop()
process.exit(0)
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
