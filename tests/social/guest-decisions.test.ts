import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Post, PostReviews } from '#social/types'
import { addImage, invite, openWriter, reviewer } from './guests.ts'
import { openSocialServer, type ProblemBody, type SocialServer } from './social-server.ts'
import { addAttempt, inMinutes, markPublished, type Writer } from './writer.ts'

let desk: SocialServer
beforeAll(async () => {
  desk = await openSocialServer({ pages: true })
})
afterAll(() => desk.close())

const postOf = async ({ person }: Writer, id: string) => (await person.fetch<Post>(`GET /api/posts/${id}`)).body

test('SOC-32 guest approves a post: its review state, history and webhook say so', async () => {
  const writer = await openWriter(desk)
  const post = await writer.scheduled('Approve me')
  const guest = await invite(desk, writer, { postIds: [post.id] })
  const { status, body } = await guest.decide([post], 'approve', { comment: 'Lovely' })
  expect(status).toBe(201)
  expect(body.items.map(({ postId }) => postId)).toEqual([post.id])
  expect((await postOf(writer, post.id)).reviewState).toBe('approved')
  expect((await guest.open()).posts[0]?.decision).toMatchObject({ decision: 'approve', comment: 'Lovely' })
  const stored = await desk.database.sql`
    SELECT guest_name, user_id, link_id, comment FROM social.post_reviews WHERE post_id = ${post.id}`
  expect([...stored]).toEqual([{ guest_name: 'Petra Voss', user_id: null, link_id: guest.link.id, comment: 'Lovely' }])
  const audit = await desk.database.sql`
    SELECT principal_id, organization_id, after FROM platform.audit_log
    WHERE object_id = ${post.id} AND operation = 'createGuestDecision'`
  expect(audit).toMatchObject([
    {
      principal_id: null,
      organization_id: writer.person.organizationId,
      after: { decision: 'approve', guestName: 'Petra Voss', reviewLinkId: guest.link.id },
    },
  ])
})

test('SOC-32 guest requests changes, then approves: the link counts once', async () => {
  const writer = await openWriter(desk)
  const post = await writer.scheduled('Twice')
  const guest = await invite(desk, writer, { postIds: [post.id] })
  await guest.decide([post], 'request_changes', { comment: 'Wrong price' })
  expect((await postOf(writer, post.id)).reviewState).toBe('changes_requested')
  await Promise.all([1, 2, 3].map(() => guest.decide([post])))
  expect((await postOf(writer, post.id)).reviewState).toBe('approved')
  const open = await desk.database.sql`
    SELECT decision FROM social.post_reviews WHERE post_id = ${post.id} AND voided_at IS NULL`
  expect([...open]).toEqual([{ decision: 'approve' }])
})

test('SOC-32 SOC-49 guests of the author don’t count where approvals are required, those of others do', async () => {
  const writer = await openWriter(desk)
  const { organization } = writer.person
  const other = desk.person({ organization, permissions: reviewer })
  await writer.person.fetch(`PUT /api/brands/${writer.brand.id}`, { reviewPolicy: { approvals: 1 } })
  const post = await writer.draft()
  const schedule = () => writer.change<Post & ProblemBody>(post.id, { status: 'scheduled', scheduledAt: inMinutes(60) })
  const own = await invite(desk, writer, { postIds: [post.id] })
  expect((await own.decide([post])).status).toBe(201)
  expect((await schedule()).body).toMatchObject({ code: 'approval_required', missing: 1 })
  const theirs = await invite(desk, { ...writer, person: other }, { postIds: [post.id] })
  expect((await theirs.decide([post])).status).toBe(201)
  expect((await schedule()).status).toBe(200)
})

test('SOC-32 guest’s decision that is already the open one is returned without another row or event', async () => {
  const writer = await openWriter(desk)
  const post = await writer.scheduled('Again and again')
  const guest = await invite(desk, writer, { postIds: [post.id] })
  const first = await guest.decide([post], 'approve', { comment: 'Fine' })
  const events = desk.news.length
  const again = await guest.decide([post], 'approve', { comment: 'Fine' })
  expect([again.status, again.body.items.map(({ id }) => id)]).toEqual([201, first.body.items.map(({ id }) => id)])
  expect(desk.news.length).toBe(events)
  const log = await desk.database.sql`
    SELECT FROM platform.audit_log WHERE object_id = ${post.id} AND operation = 'createGuestDecision'`
  expect(log.length).toBe(1)
  await guest.decide([post], 'approve', { comment: 'Still fine' })
  const rows = await desk.database
    .sql`SELECT comment FROM social.post_reviews WHERE post_id = ${post.id} ORDER BY created_at`
  expect(rows.map(({ comment }) => comment)).toEqual(['Fine', 'Still fine'])
  expect((await guest.open()).posts[0]?.decision?.comment).toBe('Still fine')
})

test('SOC-32 decisions of a link are counted per post, and refused beyond a thousand a day', async () => {
  const writer = await openWriter(desk)
  const [one, two] = [await writer.scheduled('One'), await writer.scheduled('Two', 120)]
  const guest = await invite(desk, writer, { postIds: [one.id, two.id] })
  expect((await guest.decide([one, two])).status).toBe(201)
  const taken = await desk.database.sql`
    UPDATE platform.rate_limits SET taken = 999
    WHERE subject = ${guest.link.id} AND class = 'review-link-decisions' AND taken = 2 RETURNING taken`
  expect(taken.length).toBe(1)
  const refused = await guest.decide([one, two], 'request_changes')
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
})

test('SOC-32 edit after a guest’s approval is shown with both texts, and the approval no longer counts', async () => {
  const writer = await openWriter(desk)
  const post = await writer.scheduled('Until January')
  const guest = await invite(desk, writer, { postIds: [post.id] })
  await guest.decide([post])
  await writer.change(post.id, { text: 'Until February' })
  const [shown] = (await guest.open()).posts
  expect(shown).toMatchObject({
    decision: null,
    changed: { decision: 'approve', changes: [{ field: 'text', before: 'Until January', after: 'Until February' }] },
  })
  const page = await (await guest.page()).text()
  expect(page).toContain('Changed since you approved it')
  expect(page).toContain('Approve this version')
  expect(page).toContain('<del>January</del>')
  expect(page).toContain('<ins>February</ins>')
  const stale = await guest.decide([post])
  expect([stale.status, stale.body.code]).toEqual([409, 'version_conflict'])
  const current = await postOf(writer, post.id)
  expect((await guest.decide([current])).status).toBe(201)
  expect((await guest.open()).posts[0]).toMatchObject({ decision: { decision: 'approve' }, changed: null })
})

test('SOC-32 decision on several posts is made for all of them or none', async () => {
  const writer = await openWriter(desk)
  const [one, two] = [await writer.scheduled('One'), await writer.scheduled('Two', 120)]
  const guest = await invite(desk, writer, { postIds: [one.id, two.id] })
  await markPublished(desk, two.id)
  const published = await postOf(writer, two.id)
  expect((await guest.decide([one, published])).body.code).toBe('not_reviewable')
  expect((await postOf(writer, one.id)).reviewState).toBe('none')
})

test('SOC-32 guest comments; the team’s comments are shown to them by name', async () => {
  const writer = await openWriter(desk)
  const post = await writer.scheduled('Talk')
  const [petra, otto] = [
    await invite(desk, writer, { postIds: [post.id] }),
    await invite(desk, writer, { postIds: [post.id], guestName: 'Otto' }),
  ]
  expect((await petra.comment(post.id, '<b>Really</b> February?')).status).toBe(201)
  expect((await otto.comment(post.id, 'Yes')).status).toBe(201)
  const seen = (await petra.open()).posts[0]?.comments.map(({ by, text }) => [by.kind, by.name, text])
  expect(seen).toEqual([
    ['you', 'Petra Voss', '<b>Really</b> February?'],
    ['guest', 'Otto', 'Yes'],
  ])
  const page = await (await petra.page()).text()
  expect(page).toContain('&lt;b&gt;Really')
  expect(page).not.toContain('<b>Really')
})

test('SOC-32 team’s form for comments says that guests see them while a link to the post is active', async () => {
  const writer = await openWriter(desk)
  const post = await writer.scheduled('Shown to Petra')
  const note = 'Guests with a link can see comments.'
  const shared = async () => {
    const { body } = await writer.person.fetch<PostReviews>(`GET /api/posts/${post.id}/reviews`)
    const form = await writer.person.draw(`GET /api/posts/${post.id}/comments`)
    return [body.sharedWithGuests, form.includes(note)]
  }
  expect(await shared()).toEqual([false, false])
  const { link } = await invite(desk, writer, { postIds: [post.id] })
  expect(await shared()).toEqual([true, true])
  await desk.database.sql`UPDATE social.review_links SET expires_at = now() WHERE id = ${link.id}`
  expect(await shared()).toEqual([false, false])
  const other = await invite(desk, writer, { postIds: [post.id] })
  await writer.person.fetch(`DELETE /api/review-links/${other.link.id}`)
  expect(await shared()).toEqual([false, false])
})

test('SOC-32 link without decisions only comments', async () => {
  const writer = await openWriter(desk)
  const post = await writer.scheduled('Comment only')
  const guest = await invite(desk, writer, { postIds: [post.id], canDecide: false })
  const refused = await guest.decide([post])
  expect([refused.status, refused.body.code]).toEqual([403, 'decision_not_allowed'])
  expect((await guest.comment(post.id, 'Fine')).status).toBe(201)
  expect(await (await guest.page()).text()).not.toContain('Request changes')
})

test('SOC-32 bad input of a guest names its field, and a huge one is refused', async () => {
  const writer = await openWriter(desk)
  const post = await writer.scheduled('Input')
  const guest = await invite(desk, writer, { postIds: [post.id] })
  const wrong = [
    await guest.comment(post.id, ''),
    await guest.comment(post.id, 'x'.repeat(5_001)),
    await guest.decide([], 'approve'),
    await guest.decide([post], 'maybe'),
    await guest.decide([post], 'approve', { comment: 'x'.repeat(5_001) }),
    await guest.name('x'.repeat(81)),
  ]
  expect(wrong.map(({ status, body }) => [status, body.errors[0]?.path])).toEqual([
    [422, 'text'],
    [422, 'text'],
    [422, 'posts'],
    [422, 'decision'],
    [422, 'comment'],
    [422, 'name'],
  ])
  expect((await guest.comment(post.id, 'x'.repeat(70_000))).status).toBe(413)
})

test('SOC-32 link that sends too much is refused for a while', async () => {
  const writer = await openWriter(desk)
  const post = await writer.scheduled('Often')
  const guest = await invite(desk, writer, { postIds: [post.id] })
  const statuses = await Promise.all(Array.from({ length: 62 }, (_, at) => guest.comment(post.id, `No. ${at}`)))
  expect(statuses.filter(({ status }) => status === 201).length).toBe(60)
  const refused = statuses.find(({ status }) => status === 429)
  expect(refused?.body.code).toBe('rate_limited')
  expect(refused?.headers.get('retry-after')).toBe('600')
})

test('SOC-32 images of a post are addressed by the link', async () => {
  const writer = await openWriter(desk)
  const image = await addImage(desk, writer.brand.id)
  const post = await writer.scheduled('With image')
  await desk.database.sql`
    UPDATE social.posts SET media = ${desk.database.sql.json([{ mediaId: image, alt: 'A cup' }])} WHERE id = ${post.id}`
  const guest = await invite(desk, writer, { postIds: [post.id] })
  expect(await (await guest.page()).text()).toContain(`/api/review/${guest.token}/media/${image}/preview`)
})

test('SOC-49 revoked link takes its decisions with it, also those of scheduled posts, and leaves others', async () => {
  const writer = await openWriter(desk)
  await writer.person.fetch(`PUT /api/brands/${writer.brand.id}`, { reviewPolicy: { approvals: 0 } })
  const [one, two, sent] = [await writer.scheduled('One'), await writer.draft('Two'), await writer.draft('Sent')]
  const colleague = desk.person({ organization: writer.person.organization, permissions: reviewer })
  const by = { ...writer, person: colleague }
  const guest = await invite(desk, by, { postIds: [one.id, two.id, sent.id] })
  const other = await invite(desk, by, { postIds: [two.id] })
  await guest.decide([one, two, sent])
  await other.decide([two], 'request_changes')
  await markPublished(desk, sent.id)
  await writer.person.fetch(`PUT /api/brands/${writer.brand.id}`, { reviewPolicy: { approvals: 1 } })
  expect((await postOf(writer, one.id)).reviewState).toBe('approved')
  expect((await writer.person.fetch(`DELETE /api/review-links/${guest.link.id}`)).status).toBe(204)
  const states = await Promise.all([one, two, sent].map(async ({ id }) => (await postOf(writer, id)).reviewState))
  expect(states).toEqual(['requested', 'changes_requested', 'approved'])
  const { items } = (await writer.person.fetch<PostReviews>(`GET /api/posts/${one.id}/reviews`)).body
  expect(items[0]).toMatchObject({ voidReason: 'revoked', voidedAt: expect.any(String) })
  const now = await writer.change<{ code: string }>(one.id, { scheduledAt: inMinutes(90) })
  expect([now.status, now.body.code]).toEqual([409, 'approval_required'])
  await writer.person.fetch(`DELETE /api/review-links/${other.link.id}`)
  expect((await postOf(writer, two.id)).reviewState).toBe('requested')
})

test('SOC-49 changes requested by a guest whose decisions don’t count are shown and block nothing', async () => {
  const writer = await openWriter(desk)
  const reviewPolicy = { approvals: 1, countGuests: false }
  await writer.person.fetch(`PUT /api/brands/${writer.brand.id}`, { reviewPolicy })
  const post = await writer.draft('Not theirs')
  const guest = await invite(desk, writer, { postIds: [post.id] })
  await guest.decide([post], 'request_changes', { comment: 'No' })
  expect((await postOf(writer, post.id)).reviewState).toBe('changes_requested')
  const colleague = desk.person({ organization: writer.person.organization, permissions: reviewer })
  await colleague.fetch(`POST /api/posts/${post.id}/reviews`, { decision: 'approve', version: post.version })
  expect((await postOf(writer, post.id)).reviewState).toBe('approved')
  const scheduled = await writer.change(post.id, { status: 'scheduled', scheduledAt: inMinutes(60) })
  expect(scheduled.status).toBe(200)
})

test('SOC-32 guest can’t decide while the post is being sent', async () => {
  const writer = await openWriter(desk)
  const post = await writer.scheduled('On its way')
  const guest = await invite(desk, writer, { postIds: [post.id] })
  await addAttempt(desk, post, 'sending')
  const refused = await guest.decide([post])
  expect([refused.status, refused.body.code]).toEqual([409, 'publishing_in_progress'])
})

test('SOC-32 guest gets copies of files, not the originals', async () => {
  const writer = await openWriter(desk)
  const file = await addImage(desk, writer.brand.id)
  const post = await writer.draft()
  await desk.database.sql`
    UPDATE social.posts SET media = ${desk.database.sql.json([{ mediaId: file, alt: '' }])} WHERE id = ${post.id}`
  const guest = await invite(desk, writer, { postIds: [post.id] })
  expect((await guest.file(file, 'original')).status).toBe(404)
})
