import postgres from 'postgres'

// The least code that can answer `GET /api/posts`: no authentication, one prepared query, its rows as JSON. The real
// server is compared to it.

const { DATABASE_URL = '', ORGANIZATION = '' } = process.env
const sql = postgres(DATABASE_URL, { max: 10 })

const account = `select name from social.connections
  where connections.brand_id = newest."brandId" and connections.provider = newest.provider`

const newest = `
  select newest.id, "brandId", "authorId", newest.provider, status, text, "scheduledAt", "timeZone", "groupId", "threadId", position, media,
    "firstComment", "linkPreview", tags, campaign, target, "platformPostId", permalink, "publishedAt", "withdrawnAt",
    "failureCode", "failureMessage", "failedAt", "failureRetryable", "reviewState", "waitingFor", version,
    "createdAt", "updatedAt", brands.name as "brandName",
    case
      when status = 'published' and "externalAccount" is not null then coalesce(
        (${account} and external_id = "externalAccount" order by connections.id limit 1), "externalAccount")
      when target ->> 'connectionId' is not null then
        (${account} and connections.id = (target ->> 'connectionId')::uuid)
      else (${account} and active order by owner_id = "authorId" desc, connections.id limit 1)
    end as "accountName",
    case when "threadId" is not null then
      (select count(*)::int from social.posts as part where part.thread_id = newest."threadId") end as "threadSize",
    (status = 'scheduled' and "scheduledAt" <= now()) as "isDue"
  from social.brands cross join lateral (
    select id, brand_id as "brandId", author_id as "authorId", provider, status, text, scheduled_at as "scheduledAt",
      time_zone as "timeZone", group_id as "groupId", thread_id as "threadId", position, media,
      first_comment as "firstComment", link_preview as "linkPreview", tags, campaign, target,
      platform_post_id as "platformPostId", permalink, published_at as "publishedAt", withdrawn_at as "withdrawnAt", failure_code as "failureCode",
      failure_message as "failureMessage", failed_at as "failedAt", failure_retryable as "failureRetryable",
      review_state as "reviewState", waiting_for as "waitingFor", version, created_at as "createdAt",
      updated_at as "updatedAt", external_account as "externalAccount"
    from social.posts where brand_id = brands.id order by sort_at desc, id desc limit $2
  ) newest
  where brands.platform_org_id = $1
  order by coalesce(newest."scheduledAt", newest."createdAt") desc, newest.id desc limit $2`

/** What the real server adds to each of these published posts by unknown authors. */
const constant = {
  authorName: null,
  can: {
    update: false,
    delete: false,
    publishNow: false,
    retry: false,
    duplicate: true,
    detach: false,
    withdraw: true,
    correct: true,
  },
}

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async () => {
    const rows = await sql.unsafe(newest, [ORGANIZATION, 21], { prepare: true })
    const items = rows.slice(0, 20).map((row) => Object.assign(row, constant))
    return Response.json({ items, nextCursor: rows.length > 20 ? items.at(-1)?.['id'] : null })
  },
})
console.log(`http://127.0.0.1:${server.port}`)
