import { afterAll, beforeAll, expect, test } from 'bun:test'
import { digest, newId, randomToken } from '#lib/ids.ts'
import type { Post, ReviewLink, ReviewLinkList } from '#social/types'
import { InviteGuest } from '#views/social/guests/invite-guest.tsx'
import { guestAt, invite, openWriter, reviewer } from './guests.ts'
import { openSocialServer, type ProblemBody, type SocialServer } from './social-server.ts'
import { createWriter, markPublished } from './writer.ts'

let desk: SocialServer
beforeAll(async () => {
  desk = await openSocialServer({ pages: true })
})
afterAll(() => desk.close())

const day = 24 * 60 * 60_000
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString()

const expire = (id: string) =>
  desk.database.sql`UPDATE social.review_links SET expires_at = now() - interval '1 second' WHERE id = ${id}`

test('SOC-32 review link shows its posts to anyone who has it, and its token isn’t stored', async () => {
  const writer = await openWriter(desk)
  const post = await writer.scheduled('For Petra')
  const { link, token, open, page } = await invite(desk, writer, { postIds: [post.id] })
  expect(link).toMatchObject({
    state: 'active',
    postIds: [post.id],
    guestName: 'Petra Voss',
    createdBy: writer.person.id,
  })
  const ahead = Date.parse(link.expiresAt) - Date.now()
  expect(Math.round(ahead / day)).toBe(7)
  const review = await open()
  expect(review.brand).toEqual({ id: writer.brand.id, name: 'Acme Coffee', timeZone: 'Europe/Berlin', logoUrl: null })
  expect(review.posts.map(({ id, text, decision }) => ({ id, text, decision }))).toEqual([
    { id: post.id, text: 'For Petra', decision: null },
  ])
  const shown = await page()
  expect(shown.status).toBe(200)
  expect(shown.headers.get('referrer-policy')).toBe('no-referrer')
  expect(shown.headers.get('cache-control')).toBe('no-store')
  expect(shown.headers.get('x-robots-tag')).toContain('noindex')
  expect(await shown.text()).toContain('For Petra')
  const stored = JSON.stringify(await desk.database.sql`SELECT * FROM social.review_links`)
  expect(stored).toContain(digest(token))
  expect(stored).not.toContain(token)
  const audit = JSON.stringify(await desk.database.sql`SELECT * FROM platform.audit_log`)
  expect(audit).toContain('review_link')
  expect(audit).not.toContain(token)
})

test('SOC-32 address of a review link is only in its first response', async () => {
  const writer = await openWriter(desk)
  const { token, link } = await invite(desk, writer, { postIds: [(await writer.draft()).id] })
  const { body } = await writer.person.fetch<ReviewLinkList>(`GET /api/review-links?brandId=${writer.brand.id}`)
  const extended = await writer.person.fetch<ReviewLink>(`PATCH /api/review-links/${link.id}`, { expiresInDays: 1 })
  expect(body.items.map(({ id }) => id)).toEqual([link.id])
  expect(JSON.stringify([body, extended.body])).not.toContain(token)
  expect(JSON.stringify([body, extended.body])).not.toContain(digest(token))
})

test('SOC-32 unknown, malformed and revoked links get the same response, which tells nothing', async () => {
  const writer = await openWriter(desk)
  const post = await writer.draft('Secret text')
  const { link, read, page, token } = await invite(desk, writer, { postIds: [post.id] })
  await writer.person.fetch(`DELETE /api/review-links/${link.id}`)
  const unknown = guestAt(desk, randomToken())
  const [revokedBody, unknownBody] = [await read(), await unknown.read()].map(({ status, body }) => ({
    status,
    ...body,
    requestId: '',
  }))
  expect(revokedBody).toMatchObject({ status: 404, code: 'not_found' })
  expect(revokedBody).toEqual(unknownBody)
  const pages = await Promise.all([page(), unknown.page(), guestAt(desk, 'short').page()])
  expect(pages.map(({ status }) => status)).toEqual([404, 404, 404])
  const texts = await Promise.all(pages.map((response) => response.text()))
  const withoutNonces = texts.map((text) => text.replaceAll(/nonce="[^"]*"/g, ''))
  expect(new Set(withoutNonces).size).toBe(1)
  expect(texts[0]).not.toContain('Acme')
  expect(texts[0]).not.toContain(token)
})

test('SOC-32 revoked link is refused on its next request, of every kind', async () => {
  const writer = await openWriter(desk)
  const post = await writer.draft()
  const guest = await invite(desk, writer, { postIds: [post.id] })
  expect((await guest.read()).status).toBe(200)
  await writer.person.fetch(`DELETE /api/review-links/${guest.link.id}`)
  const refused = [
    await guest.read(),
    await guest.name('Petra Voss'),
    await guest.comment(post.id, 'Hi'),
    await guest.decide([post]),
    await guest.request(),
  ]
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404])
  expect((await guest.file(newId())).status).toBe(404)
  expect((await writer.person.fetch(`DELETE /api/review-links/${guest.link.id}`)).status).toBe(204)
})

test('SOC-32 guest’s page is refreshed with the comments of others until the link expires or is revoked', async () => {
  const writer = await openWriter(desk)
  const post = await writer.scheduled('Live')
  const [petra, otto] = [
    await invite(desk, writer, { postIds: [post.id] }),
    await invite(desk, writer, { postIds: [post.id], guestName: 'Otto' }),
  ]
  const live = 'data-live="often"'
  expect(await (await petra.page()).text()).toContain(live)
  await otto.comment(post.id, 'Is it at seven?')
  const refreshed = await petra.refresh()
  expect(refreshed.html).toContain('Is it at seven?')
  expect(refreshed.html).toContain(live)
  await expire(petra.link.id)
  const expired = await petra.refresh()
  expect(expired.html).toContain('This link has expired')
  expect(expired.html).not.toContain('data-live')
  await writer.person.fetch(`DELETE /api/review-links/${otto.link.id}`)
  const revoked = await otto.refresh()
  expect([revoked.status, revoked.html.includes('This link doesn’t work')]).toEqual([200, true])
  expect(revoked.html).not.toContain('data-live')
})

test('SOC-32 decision that waits for a revocation is refused', async () => {
  const writer = await openWriter(desk)
  const post = await writer.draft()
  const guest = await invite(desk, writer, { postIds: [post.id] })
  let decision: ReturnType<typeof guest.decide> | undefined
  await desk.database.sql.begin(async (tx) => {
    await tx`UPDATE social.review_links SET revoked_at = now() WHERE id = ${guest.link.id}`
    decision = guest.decide([post])
    await waitForLock()
  })
  expect((await decision)?.status).toBe(404)
  expect(await desk.database.sql`SELECT id FROM social.post_reviews WHERE post_id = ${post.id}`).toHaveLength(0)
})

async function waitForLock(): Promise<void> {
  for (let round = 0; round < 400; round++) {
    const waiting = await desk.database.sql`
      SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%review_links%'
        AND datname = current_database()`
    if (waiting.length > 0) return
    await Bun.sleep(25)
  }
  throw new Error('No request waited')
}

test('SOC-32 review link can’t be widened to another post, brand or file', async () => {
  const writer = await openWriter(desk)
  const [own, other] = [await writer.draft('Shown'), await writer.draft('Hidden')]
  const stranger = await openWriter(desk)
  const foreign = await stranger.draft('Foreign')
  const guest = await invite(desk, writer, { postIds: [own.id] })
  for (const post of [other, foreign, { id: newId(), version: 1 }]) {
    expect((await guest.comment(post.id, 'Hi')).status).toBe(404)
    expect((await guest.decide([post])).status).toBe(404)
    expect((await guest.decide([own, post])).status).toBe(404)
  }
  expect((await guest.open()).posts[0]?.decision).toBeNull()
  const draft = { brandId: writer.brand.id, canDecide: true }
  const create = (values: object) =>
    writer.person.fetch<ProblemBody>('POST /api/review-links', { ...draft, ...values }).then(({ status }) => status)
  expect(await create({ postIds: [own.id, foreign.id] })).toBe(404)
  expect(await create({ postIds: [foreign.id], brandId: stranger.brand.id })).toBe(404)
  expect((await stranger.person.fetch(`GET /api/review-links?brandId=${writer.brand.id}`)).status).toBe(404)
  expect((await stranger.person.fetch(`DELETE /api/review-links/${guest.link.id}`)).status).toBe(404)
  expect((await stranger.person.fetch(`PATCH /api/review-links/${guest.link.id}`, { expiresInDays: 9 })).status).toBe(
    404,
  )
  expect((await guest.read()).status).toBe(200)
})

test('SOC-32 guest’s name is asked once, and a second person sees who the link is for', async () => {
  const writer = await openWriter(desk)
  const post = await writer.draft('Not before the name')
  const guest = await invite(desk, writer, { postIds: [post.id], guestName: null })
  const nameForm = await (await guest.page()).text()
  expect(nameForm).toContain('What is your name?')
  expect(nameForm).not.toContain('Not before the name')
  const early = [await guest.comment(post.id, 'Hi'), await guest.decide([post])]
  expect(early.map(({ status, body }) => [status, body.code])).toEqual([
    [409, 'name_required'],
    [409, 'name_required'],
  ])
  expect((await guest.name('  ')).status).toBe(422)
  const given = await Promise.all([guest.name('Petra Voss'), guest.name('Mallory')])
  expect(new Set(given.map(({ status }) => status))).toEqual(new Set([200, 409]))
  const { guestName } = await guest.open()
  expect(given.find(({ status }) => status === 200)?.body.guestName).toBe(guestName ?? '')
  expect((await guest.name(guestName ?? '')).status).toBe(200)
  expect((await guest.name('Third')).body.code).toBe('name_already_given')
  expect(await (await guest.page()).text()).toContain(`You are ${guestName}`)
})

test('SOC-32 expired link says whose it was, shows no posts, and asks its creator once', async () => {
  const writer = await openWriter(desk)
  const post = await writer.draft('Secret text')
  const guest = await invite(desk, writer, { postIds: [post.id] })
  await expire(guest.link.id)
  const { body } = await guest.read()
  expect(body).toMatchObject({ state: 'expired', guestName: 'Petra Voss', waiting: 1, requestedAt: null })
  expect(JSON.stringify(body)).not.toContain('Secret text')
  const shown = await guest.page()
  expect(shown.status).toBe(410)
  expect(await shown.text()).toContain('This link has expired')
  const refused = [await guest.comment(post.id, 'Hi'), await guest.decide([post]), await guest.name('Petra')]
  expect(refused.map(({ status, body: { code } }) => [status, code])).toEqual(
    Array.from({ length: 3 }, () => [410, 'review_link_expired']),
  )
  expect((await guest.file(newId())).status).toBe(410)
  const requests = await Promise.all([guest.request(), guest.request(), guest.request()])
  expect(requests.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(new Set(requests.map(({ body: { requestedAt } }) => requestedAt)).size).toBe(1)
  const log = await desk.database.sql`
    SELECT principal_id, organization_id FROM platform.audit_log
    WHERE object_id = ${guest.link.id} AND operation = 'requestReviewLink'`
  expect([...log]).toEqual([{ principal_id: null, organization_id: writer.person.organizationId }])
  const actions = async () => [
    ...(await desk.database.sql`
    SELECT person_id, title, resolved_at FROM platform.raised_actions WHERE cause LIKE ${`%${guest.link.id}`}`),
  ]
  expect(await actions()).toEqual([
    { person_id: writer.person.id, title: 'Petra Voss needs a new review link', resolved_at: null },
  ])
  const extended = await writer.person.fetch<ReviewLink>(`PATCH /api/review-links/${guest.link.id}`, {
    expiresInDays: 7,
  })
  expect(extended.body).toMatchObject({ state: 'active', requestedAt: null })
  expect((await guest.open()).posts.length).toBe(1)
  expect((await actions())[0]?.resolved_at).not.toBeNull()
  expect((await guest.request()).body.requestedAt).toBeNull()
})

test('SOC-32 review link lasts at most 90 days, and isn’t extended after it was revoked', async () => {
  const writer = await openWriter(desk)
  const post = await writer.draft()
  const create = (values: object) =>
    writer.person.fetch<ProblemBody & ReviewLink>('POST /api/review-links', {
      brandId: writer.brand.id,
      postIds: [post.id],
      ...values,
    })
  const wrong = await Promise.all(
    [
      { expiresAt: inDays(-1) },
      { expiresAt: inDays(91) },
      { expiresInDays: 91 },
      { expiresInDays: 3, expiresAt: inDays(3) },
      { postIds: [] },
    ].map(create),
  )
  expect(wrong.map(({ status, body }) => [status, body.errors[0]?.path])).toEqual([
    [422, 'expiresAt'],
    [422, 'expiresAt'],
    [422, 'expiresInDays'],
    [422, 'expiresInDays'],
    [422, 'postIds'],
  ])
  const { body } = await create({ expiresAt: inDays(89) })
  const change = (values: object) => writer.person.fetch<ProblemBody>(`PATCH /api/review-links/${body.id}`, values)
  expect((await change({ expiresAt: inDays(91) })).status).toBe(422)
  const empty = await change({})
  expect([empty.status, empty.body.errors[0]?.path]).toEqual([422, 'expiresAt'])
  await writer.person.fetch(`DELETE /api/review-links/${body.id}`)
  expect((await change({ expiresInDays: 1 })).body.code).toBe('review_link_revoked')
})

test('SOC-32 links to any of several posts are listed, as the dialog of the feed requests them', async () => {
  const writer = await openWriter(desk)
  const [one, two, other] = [await writer.draft(), await writer.draft(), await writer.draft()]
  const links = [
    await invite(desk, writer, { postIds: [one.id], guestName: 'Petra Voss' }),
    await invite(desk, writer, { postIds: [one.id, two.id], guestName: 'Otto' }),
    await invite(desk, writer, { postIds: [two.id], guestName: 'Mara' }),
    await invite(desk, writer, { postIds: [other.id], guestName: 'Unrelated' }),
  ].map(({ link }) => link.id)
  const dialog = String(<InviteGuest brandId={writer.brand.id} postIds={[one.id, two.id]} />)
  const address = /hx-get="([^"]+)"/.exec(dialog)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const { body } = await writer.person.fetch<ReviewLinkList>(`GET ${address}`)
  expect(body.items.map(({ id }) => id)).toEqual(links.slice(0, 3).toReversed())
  expect(dialog).toContain('Show links to these posts')
})

test('SOC-32 links are listed by post and state, newest first, page by page', async () => {
  const writer = await openWriter(desk)
  const [one, two] = [await writer.draft(), await writer.draft()]
  const links = [
    await invite(desk, writer, { postIds: [one.id] }),
    await invite(desk, writer, { postIds: [one.id, two.id] }),
    await invite(desk, writer, { postIds: [two.id] }),
  ].map(({ link }) => link.id)
  await expire(links[1] ?? '')
  await writer.person.fetch(`DELETE /api/review-links/${links[2]}`)
  const list = async (query: string) => {
    const { body } = await writer.person.fetch<ReviewLinkList>(
      `GET /api/review-links?brandId=${writer.brand.id}${query}`,
    )
    return { ids: body.items.map(({ id }) => id), cursor: body.nextCursor }
  }
  expect((await list('')).ids).toEqual(links.toReversed())
  expect((await list(`&postId=${one.id}`)).ids).toEqual([links[1] ?? '', links[0] ?? ''])
  expect((await list('&state=active')).ids).toEqual([links[0] ?? ''])
  expect((await list('&state=expired')).ids).toEqual([links[1] ?? ''])
  expect((await list('&state=revoked')).ids).toEqual([links[2] ?? ''])
  const first = await list('&limit=2')
  expect(first.ids).toEqual([links[2] ?? '', links[1] ?? ''])
  expect((await list(`&limit=2&cursor=${first.cursor}`)).ids).toEqual([links[0] ?? ''])
})

test('SOC-32 link ends with its creator’s access, and with the brand’s transfer', async () => {
  const writer = await openWriter(desk)
  const post = await writer.draft()
  const colleague = desk.person({ organization: writer.person.organization, permissions: reviewer })
  const by = await invite(desk, { ...writer, person: colleague }, { postIds: [post.id] })
  const own = await invite(desk, writer, { postIds: [post.id] })
  expect([(await by.read()).status, (await own.read()).status]).toEqual([200, 200])
  desk.remove(colleague)
  expect([(await by.read()).status, (await own.read()).status]).toEqual([404, 200])
  await desk.database.sql`UPDATE social.brands SET platform_org_id = ${newId()} WHERE id = ${writer.brand.id}`
  expect([(await own.read()).status, (await own.decide([post])).status]).toEqual([404, 404])
})

test('SOC-32 link of a suspended organization is unknown', async () => {
  const writer = await openWriter(desk)
  const post = await writer.draft()
  const guest = await invite(desk, writer, { postIds: [post.id] })
  desk.suspend(writer.person)
  const refused = [
    await guest.read(),
    await guest.decide([post]),
    await guest.comment(post.id, 'Hi'),
    await guest.request(),
  ]
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  expect((await guest.page()).status).toBe(404)
})

test('SOC-32 deleted brand takes its links with it', async () => {
  const writer = await openWriter(desk)
  const guest = await invite(desk, writer, { postIds: [(await writer.draft()).id] })
  const { sql } = desk.database
  await sql`DELETE FROM social.posts WHERE brand_id = ${writer.brand.id}`
  await sql`DELETE FROM social.review_links WHERE brand_id = ${writer.brand.id}`
  expect(await sql`SELECT 1 FROM social.review_link_posts WHERE link_id = ${guest.link.id}`).toHaveLength(0)
  expect((await guest.read()).status).toBe(404)
})

test('SOC-32 deleted post leaves the link, and comes back when it is restored', async () => {
  const writer = await openWriter(desk)
  const [kept, gone] = [await writer.draft('Kept'), await writer.draft('Gone')]
  const guest = await invite(desk, writer, { postIds: [kept.id, gone.id] })
  await writer.person.fetch(`DELETE /api/posts/${gone.id}`)
  expect((await guest.open()).posts.map(({ text }) => text)).toEqual(['Kept'])
  expect((await guest.decide([gone])).status).toBe(404)
  await writer.person.fetch(`POST /api/posts/${gone.id}/restore`)
  expect((await guest.open()).posts.map(({ text }) => text).toSorted()).toEqual(['Gone', 'Kept'])
  await writer.person.fetch(`DELETE /api/posts/${kept.id}`)
  await writer.person.fetch(`DELETE /api/posts/${gone.id}`)
  expect((await guest.page()).status).toBe(200)
})

test('SOC-32 creating a link needs the permission to review, and one that decides a person', async () => {
  const writer = await openWriter(desk)
  const post = await writer.draft()
  const { organization } = writer.person
  const editor = desk.person({ organization, permissions: ['posts:read', 'posts:write'] })
  const refused = await editor.fetch<ProblemBody>('POST /api/review-links', {
    brandId: writer.brand.id,
    postIds: [post.id],
  })
  expect([refused.status, refused.body.code]).toEqual([403, 'permission_missing'])
  expect((await editor.fetch(`GET /api/review-links?brandId=${writer.brand.id}`)).status).toBe(200)
})

test('SOC-32 published post is shown with its time and can’t be decided on', async () => {
  const writer = await openWriter(desk)
  const post = await writer.scheduled('Out')
  const guest = await invite(desk, writer, { postIds: [post.id] })
  await guest.decide([post])
  await markPublished(desk, post.id)
  const [shown] = (await guest.open()).posts
  expect(shown).toMatchObject({ status: 'published', decision: { decision: 'approve' } })
  const { body } = await writer.person.fetch<Post>(`GET /api/posts/${post.id}`)
  expect((await guest.decide([body])).body.code).toBe('not_reviewable')
  expect(await (await guest.page()).text()).toContain('It went out on')
})

test('SOC-32 brand has at most 200 active links', async () => {
  const writer = await createWriter(desk, desk.person({ permissions: reviewer }))
  const post = await writer.draft()
  await desk.database.sql`
    INSERT INTO social.review_links (id, brand_id, token_hash, can_decide, created_by, expires_at)
    SELECT gen_random_uuid(), ${writer.brand.id}, gen_random_uuid()::text, false, ${writer.person.id}, now() + interval '1 day'
    FROM generate_series(1, 200)`
  const draft = { brandId: writer.brand.id, postIds: [post.id] }
  expect((await writer.person.fetch<ProblemBody>('POST /api/review-links', draft)).body.code).toBe(
    'too_many_review_links',
  )
})
