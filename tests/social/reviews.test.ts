import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import type { Post, PostComment } from '#social/types'
import { addImage } from './guests.ts'
import {
  all,
  createTeam as createReviewTeam,
  decide,
  feedOf,
  type Missing,
  reviewsOf,
  schedule,
  submit,
} from './review-team.ts'
import { openSocialServer, type Person, type ProblemBody, type SocialServer } from './social-server.ts'
import { createWriter, inMinutes, markPublished } from './writer.ts'

let desk: SocialServer
beforeAll(async () => {
  desk = await openSocialServer()
})
afterAll(() => desk.close())

const createTeam = (reviewPolicy?: object) => createReviewTeam(desk, reviewPolicy)

describe('policy', () => {
  test('SOC-01 change of the review policy keeps the fields that it leaves out, and refuses more than ten approvals', async () => {
    const { person, brand } = await createTeam({ approvals: 2, allowAuthor: true, countGuests: false })
    const put = (reviewPolicy: object) =>
      person.fetch<{ reviewPolicy: object } & ProblemBody>(`PUT /api/brands/${brand.id}`, { reviewPolicy })
    expect((await put({ approvals: 10 })).body.reviewPolicy).toEqual({
      approvals: 10,
      allowAuthor: true,
      countGuests: false,
    })
    for (const approvals of [-1, 11, 1.5, 'two']) {
      const refused = await put({ approvals })
      expect(refused.status).toBe(422)
      expect(refused.body.errors[0]?.path).toBe('reviewPolicy.approvals')
    }
  })
})

describe('gate', () => {
  test('SOC-49 unapproved post is refused at every way to publish, with the number of missing approvals', async () => {
    const team = await createTeam({ approvals: 2 })
    const draft = await team.draft()
    const refusals = [
      await schedule(team, draft),
      await schedule(team, draft, { text: 'Edited' }),
      await team.person.fetch<Missing>(`POST /api/posts/${draft.id}/publish-now`),
      await team.person.fetch<Missing>(`PATCH /api/calendar/${draft.id}`, { localTime: '2099-07-01T09:00' }),
      await team.write<Missing>({ status: 'scheduled', scheduledAt: inMinutes(60) }),
      await team.write<Missing>({ status: 'scheduled', scheduledAt: 'now' }),
    ]
    for (const { status, body } of refusals) {
      expect(status).toBe(409)
      expect(body).toMatchObject({ code: 'approval_required', approvals: 0, needed: 2, missing: 2 })
    }
    await decide(team.ben, draft)
    expect((await schedule(team, draft)).body).toMatchObject({ code: 'approval_required', missing: 1 })
    await decide(team.cleo, draft)
    expect((await schedule(team, draft)).status).toBe(200)
  })

  test('SOC-49 next slot, bulk and undo of unscheduling are refused for unapproved posts', async () => {
    const team = await createTeam()
    const draft = await team.draft()
    const queueSlots = [{ day: 1, time: '09:00' }]
    await team.person.fetch(`PUT /api/brands/${team.brand.id}`, { queueSlots })
    expect((await schedule(team, draft, { scheduledAt: 'next-slot' })).body.code).toBe('approval_required')
    for (const action of ['publish-now', 'reschedule']) {
      const bulk = await team.person.fetch<{ items: { error: { code: string } }[] }>('POST /api/posts/bulk', {
        action,
        ids: [draft.id],
        ...(action === 'reschedule' && { scheduledAt: inMinutes(60) }),
      })
      expect(bulk.body.items[0]?.error.code).toBe('approval_required')
    }
    await decide(team.ben, draft)
    await schedule(team, draft)
    await team.person.fetch(`POST /api/posts/${draft.id}/unschedule`)
    await team.person.fetch(`PUT /api/brands/${team.brand.id}`, { reviewPolicy: { approvals: 2 } })
    const undone = await team.person.fetch<ProblemBody>('POST /api/posts/bulk', {
      action: 'undo-unschedule',
      ids: [draft.id],
    })
    expect(undone.status).toBe(409)
    expect(undone.body.detail).toContain('needs an approval')
  })

  test('SOC-49 brand without a required approval schedules as before', async () => {
    const team = await createTeam({ approvals: 0 })
    expect((await team.scheduled()).status).toBe('scheduled')
  })
})

describe('edits', () => {
  const edits = [
    ['text', { text: 'Changed' }],
    ['first comment', { firstComment: '#coffee' }],
  ] as const
  test.each(edits)('SOC-32 edit of the %s voids an approval, and the post is to be reviewed again', async (_, edit) => {
    const team = await createTeam()
    const draft = await team.draft()
    await decide(team.ben, draft)
    expect((await team.change(draft.id, edit)).status).toBe(200)
    const { review, items } = await reviewsOf(team.person, draft)
    expect(review).toMatchObject({ state: 'pending', approvals: 0, missing: 1, voidedAt: expect.any(String) })
    expect(items[0]).toMatchObject({ voidReason: 'edited', content: { text: 'Hello' } })
    expect((await schedule(team, draft)).body.code).toBe('approval_required')
  })

  test('SOC-32 edit of the target voids an approval', async () => {
    const team = await createTeam()
    const draft = await team.draft()
    await decide(team.ben, draft)
    await team.change(draft.id, { target: { connectionId: team.connection.id } })
    expect((await reviewsOf(team.person, draft)).review.approvals).toBe(0)
  })

  test('SOC-32 change of time, tags or nothing keeps an approval', async () => {
    const team = await createTeam()
    const draft = await team.draft()
    await decide(team.ben, draft)
    for (const edit of [{ tags: ['autumn'] }, { text: 'Hello' }, { campaign: 'Fall' }, { timeZone: 'UTC' }])
      expect((await team.change(draft.id, edit)).status).toBe(200)
    expect((await schedule(team, draft)).status).toBe(200)
    expect((await schedule(team, draft, { scheduledAt: inMinutes(90) })).status).toBe(200)
    expect((await reviewsOf(team.person, draft)).review).toMatchObject({ state: 'approved', approvals: 1, missing: 0 })
  })

  test('SOC-32 edit of a scheduled post keeps its time and voids the approval, and a new time is refused', async () => {
    const team = await createTeam()
    const draft = await team.draft()
    await decide(team.ben, draft)
    const { body: planned } = await schedule(team, draft)
    const edited = await team.change(draft.id, { text: 'Changed' })
    expect(edited.body).toMatchObject({
      status: 'scheduled',
      scheduledAt: planned.scheduledAt,
      reviewState: 'requested',
    })
    expect((await schedule(team, draft, { scheduledAt: inMinutes(90) })).body.code).toBe('approval_required')
  })

  test('SOC-32 changes since the last approval are shown by words, also of other fields', async () => {
    const team = await createTeam()
    const draft = await team.draft('Same recipe, new maple')
    await decide(team.ben, draft)
    await team.change(draft.id, { text: 'Same recipe, better maple', firstComment: '#maple' })
    const { changes, lastApproval } = await reviewsOf(team.person, draft)
    expect(lastApproval?.by).toMatchObject({ kind: 'user', userId: team.ben.id })
    expect(changes.map(({ field }) => field)).toEqual(['text', 'firstComment'])
    expect(changes[0]).toMatchObject({ before: 'Same recipe, new maple', after: 'Same recipe, better maple' })
    expect(changes[0]?.parts).toEqual([
      { kind: 'same', text: 'Same recipe, ' },
      { kind: 'removed', text: 'new' },
      { kind: 'added', text: 'better' },
      { kind: 'same', text: ' maple' },
    ])
  })
})

describe('decisions', () => {
  test('SOC-32 approvals of the same person count once, and changes that they request replace them', async () => {
    const team = await createTeam({ approvals: 2 })
    const draft = await team.draft()
    await decide(team.ben, draft)
    await decide(team.ben, draft, 'approve', { comment: 'Still good' })
    expect((await reviewsOf(team.person, draft)).review.approvals).toBe(1)
    await decide(team.cleo, draft)
    await decide(team.ben, draft, 'request_changes', { comment: 'The price' })
    const { review, items } = await reviewsOf(team.person, draft)
    expect(review).toMatchObject({ state: 'changes_requested', approvals: 1, missing: 1 })
    expect(items.map(({ decision, voidReason }) => [decision, voidReason])).toEqual([
      ['request_changes', null],
      ['approve', null],
      ['approve', 'decided_again'],
      ['approve', 'decided_again'],
    ])
  })

  test('SOC-32 requested changes block a post with enough approvals', async () => {
    const team = await createTeam()
    const draft = await team.draft()
    await decide(team.ben, draft)
    await decide(team.cleo, draft, 'request_changes')
    expect((await schedule(team, draft)).body).toMatchObject({ code: 'approval_required', missing: 1 })
  })

  test('SOC-32 author and last editor can’t approve, unless the policy allows it', async () => {
    const team = await createTeam()
    const draft = await team.draft()
    expect((await decide(team.person, draft)).body.code).toBe('second_person_needed')
    const { organization } = team.person
    const eve = desk.person({ organization, permissions: all })
    await eve.fetch(`PUT /api/posts/${draft.id}`, { text: 'By Eve' })
    expect((await decide(eve, draft)).body.code).toBe('second_person_needed')
    expect((await decide(team.ben, draft)).status).toBe(201)
    await team.person.fetch(`PUT /api/brands/${team.brand.id}`, { reviewPolicy: { approvals: 2, allowAuthor: true } })
    expect((await decide(team.person, draft)).status).toBe(201)
    expect((await schedule(team, draft)).status).toBe(200)
  })

  test('SOC-32 person who changed a post can’t approve it after another’s change, until others approved it', async () => {
    const team = await createTeam()
    const { organization } = team.person
    const [eve, finn] = [1, 2].map(() => desk.person({ organization, permissions: all }))
    if (!eve || !finn) throw new Error('No people')
    const draft = await team.draft()
    const change = (person: Person, text: string) => person.fetch(`PUT /api/posts/${draft.id}`, { text })
    await change(eve, 'By Eve')
    await change(finn, 'By Eve.')
    for (const person of [eve, finn]) expect((await decide(person, draft)).body.code).toBe('second_person_needed')
    const requested = await team.person.fetch(`POST /api/posts/${draft.id}/review-requests`)
    expect(requested.status).toBe(201)
    expect((await feedOf(eve, 'mine=true')).items).toEqual([])
    expect((await feedOf(team.ben, 'mine=true')).items).toHaveLength(1)
    for (const more of [{}, { targets: [{ provider: 'sandbox' }] }]) {
      const copy = await finn.fetch<Post>(`POST /api/posts/${draft.id}/duplicate`, more)
      expect(copy.status).toBe(201)
      const made = await desk.database
        .sql`SELECT id FROM social.posts WHERE author_id = ${finn.id} ORDER BY id DESC LIMIT 1`
      for (const person of [team.person, eve, finn])
        expect((await decide(person, { id: String(made[0]?.id) })).body.code).toBe('second_person_needed')
    }
    expect((await decide(team.ben, draft)).status).toBe(201)
    await change(finn, 'By Eve!')
    expect((await decide(finn, draft)).body.code).toBe('second_person_needed')
    expect((await decide(eve, draft)).status).toBe(201)
    expect((await schedule(team, draft)).status).toBe(200)
  })

  test('SOC-32 owner confirms with a second factor where no one else could approve', async () => {
    const ada = await createWriter(desk, desk.person({ permissions: all }))
    await ada.person.fetch(`PUT /api/brands/${ada.brand.id}`, { reviewPolicy: { approvals: 2 } })
    const draft = await ada.draft()
    expect((await decide(ada.person, draft)).body.code).toBe('second_factor_needed')
    expect(await ada.person.draw(`GET /api/posts/${draft.id}/reviews`)).toContain('href="/settings/security"')
    expect((await decide(ada.person, draft, 'approve', { code: '000000' })).status).toBe(422)
    expect((await decide(ada.person, draft, 'approve', { code: '123456' })).body).toMatchObject({
      confirmedAlone: true,
    })
    expect((await schedule(ada, draft)).status).toBe(200)
    await ada.change(draft.id, { status: 'draft' })
    await ada.change(draft.id, { text: 'Changed' })
    expect((await schedule(ada, draft)).body.code).toBe('approval_required')
  })

  test('SOC-32 reviewer who is removed during the owner’s approval is no other reviewer', async () => {
    const team = await createTeam()
    const draft = await team.draft()
    expect((await decide(team.person, draft)).body.code).toBe('second_person_needed')
    for (const person of [team.ben, team.cleo]) desk.removeListed(person)
    expect((await decide(team.person, draft)).body.code).toBe('second_factor_needed')
  })

  test('SOC-32 decision on an outdated version is refused, and none is taken on a published post', async () => {
    const team = await createTeam()
    const draft = await team.draft()
    await team.change(draft.id, { text: 'Changed' })
    expect((await decide(team.ben, draft, 'approve', { version: draft.version })).body.code).toBe('version_conflict')
    await markPublished(desk, draft.id)
    expect((await decide(team.ben, draft)).body.code).toBe('not_reviewable')
  })

  test('SOC-32 one decision covers the posts of a submission, or none of them', async () => {
    const team = await createTeam()
    const [one, other] = await submit(team, 'One', 'Other')
    if (!one || !other) throw new Error('No submission')
    const refused = await decide(team.ben, one, 'approve', { also: [{ id: other.id, version: 7 }] })
    expect(refused.body.code).toBe('version_conflict')
    expect((await reviewsOf(team.person, one)).review.approvals).toBe(0)
    await decide(team.ben, one, 'approve', { also: [{ id: other.id, version: 1 }] })
    for (const post of [one, other]) expect((await reviewsOf(team.person, post)).review.approvals).toBe(1)
  })

  test('SOC-32 people without the permission, and of other organizations, can’t decide', async () => {
    const team = await createTeam()
    const draft = await team.draft()
    const { organization } = team.person
    expect((await decide(desk.person({ organization, permissions: ['posts:read'] }), draft)).status).toBe(403)
    expect((await decide(desk.person({ permissions: all }), draft)).status).toBe(404)
    expect((await decide(team.ben, { id: newId() })).status).toBe(404)
  })

  test('SOC-49 deleted post that is no longer approved is restored as a draft, which is to be reviewed', async () => {
    const team = await createTeam()
    const image = await addImage(desk, team.brand.id)
    const [plain, pictured] = [await team.draft(), (await team.write({ media: [{ mediaId: image, alt: '' }] })).body]
    for (const post of [plain, pictured]) {
      expect((await decide(team.ben, post)).status).toBe(201)
      await desk.database.sql`
        UPDATE social.posts SET status = 'scheduled', scheduled_at = now() + interval '1 hour', due_at = now() + interval '1 hour'
        WHERE id = ${post.id}`
    }
    const moveAway = async (id: string, change: () => Promise<unknown>) => {
      expect((await team.person.fetch(`DELETE /api/posts/${id}`)).status).toBe(204)
      await change()
      return (await team.person.fetch<Post>(`POST /api/posts/${id}/restore`)).body
    }
    expect(await moveAway(plain.id, async () => {})).toMatchObject({ status: 'scheduled', reviewState: 'approved' })
    const { sql } = desk.database
    const without = await moveAway(pictured.id, () => sql`DELETE FROM social.media WHERE id = ${image}`)
    expect(without).toMatchObject({ status: 'draft', media: [], reviewState: 'requested' })
    const stricter = () =>
      team.person.fetch(`PUT /api/brands/${team.brand.id}`, { reviewPolicy: { approvals: 2, allowAuthor: false } })
    expect(await moveAway(plain.id, stricter)).toMatchObject({ status: 'draft', reviewState: 'requested' })
  })

  test('SOC-49 part that leaves its thread, or comes back, voids the approvals of the others', async () => {
    const team = await createTeam()
    const thread = await team.write<{ items: Post[] }>({
      text: undefined,
      thread: ['A', 'B', 'C', 'D'].map((text) => ({ text })),
    })
    const [first, second, third, fourth] = thread.body.items
    if (!first || !second || !third || !fourth) throw new Error('No thread')
    const stateOf = async ({ id }: Post) => (await reviewsOf(team.person, { id })).review.state
    const approveAll = async (parts: Post[]) => {
      for (const part of parts) expect((await decide(team.ben, part)).status).toBe(201)
    }
    await approveAll([first, second, third, fourth])
    await team.person.fetch(`POST /api/posts/${fourth.id}/detach`)
    for (const part of [first, second, third, fourth]) expect(await stateOf(part)).toBe('pending')
    expect((await schedule(team, first)).body.code).toBe('approval_required')
    await approveAll([first, second, third])
    await team.person.fetch(`DELETE /api/posts/${second.id}`)
    for (const part of [first, third]) expect(await stateOf(part)).toBe('pending')
    await approveAll([first, third])
    await team.person.fetch(`POST /api/posts/${second.id}/restore`)
    expect(await Promise.all([first, second, third].map(stateOf))).toEqual(['pending', 'approved', 'pending'])
  })

  test('SOC-32 deleted post is restored with its review', async () => {
    const team = await createTeam()
    const draft = await team.draft()
    await decide(team.ben, draft)
    await team.ben.fetch(`POST /api/posts/${draft.id}/comments`, { text: 'Fine' })
    await team.person.fetch(`DELETE /api/posts/${draft.id}`)
    await team.person.fetch(`POST /api/posts/${draft.id}/restore`)
    expect((await schedule(team, draft)).status).toBe(200)
    const comments = await team.ben.fetch<{ items: PostComment[] }>(`GET /api/posts/${draft.id}/comments`)
    expect(comments.body.items.map(({ text }) => text)).toEqual(['Fine'])
  })
})

describe('races', () => {
  test('SOC-32 two approvals at once both count', async () => {
    const team = await createTeam({ approvals: 2 })
    for (let round = 0; round < 5; round++) {
      const draft = await team.draft()
      const decided = await Promise.all([decide(team.ben, draft), decide(team.cleo, draft)])
      expect(decided.map(({ status }) => status)).toEqual([201, 201])
      expect((await reviewsOf(team.person, draft)).review).toMatchObject({ state: 'approved', approvals: 2 })
    }
  })

  test('SOC-32 the same approval sent twice at once counts once', async () => {
    const team = await createTeam({ approvals: 2 })
    const draft = await team.draft()
    await Promise.all([decide(team.ben, draft), decide(team.ben, draft)])
    expect((await reviewsOf(team.person, draft)).review.approvals).toBe(1)
  })

  test('SOC-32 member’s decision that is already the open one is returned without another row or notice', async () => {
    const team = await createTeam({ approvals: 2 })
    const draft = await team.draft()
    const first = await decide(team.ben, draft, 'approve', { comment: 'Good' })
    const again = await decide(team.ben, draft, 'approve', { comment: 'Good' })
    expect([again.status, again.body.id]).toEqual([first.status, first.body.id])
    const rows = await desk.database.sql`SELECT FROM social.post_reviews WHERE post_id = ${draft.id}`
    expect(rows.length).toBe(1)
    await team.change(draft.id, { text: 'Edited' })
    expect((await decide(team.ben, draft, 'approve', { comment: 'Good' })).body.id).not.toBe(first.body.id)
  })

  test('SOC-49 edit against scheduling never leaves a scheduled post that counts as approved with other content', async () => {
    const team = await createTeam()
    for (let round = 0; round < 8; round++) {
      const draft = await team.draft()
      await decide(team.ben, draft)
      await Promise.all([schedule(team, draft), team.change(draft.id, { text: `Changed ${round}` })])
      const { review } = await reviewsOf(team.person, draft)
      expect(review).toMatchObject({ state: 'pending', approvals: 0, missing: 1 })
    }
  })

  test('SOC-49 edit against approval: an approval counts only for the content that it saw', async () => {
    const team = await createTeam()
    for (let round = 0; round < 8; round++) {
      const draft = await team.draft()
      await Promise.all([decide(team.ben, draft), team.change(draft.id, { text: 'Changed' })])
      const { items, review } = await reviewsOf(team.person, draft)
      expect(review.approvals).toBe(items[0]?.content.text === 'Changed' ? 1 : 0)
    }
  })
})

describe('requests, comments and feed', () => {
  test('SOC-32 requested review is in the feed of its reviewers until they decide', async () => {
    const team = await createTeam()
    const draft = await team.draft('Please look')
    const path = `POST /api/posts/${draft.id}/review-requests`
    expect((await team.person.fetch(path)).status).toBe(201)
    expect((await team.person.fetch(path)).status).toBe(201)
    const query = `brandId=${team.brand.id}`
    const feed = await feedOf(team.ben, `${query}&mine=true`)
    expect(feed).toMatchObject({
      items: [
        { post: { id: draft.id }, review: { state: 'pending', approvals: 0, needed: 1 }, changes: [], comments: 0 },
      ],
      nextCursor: null,
      waiting: 1,
    })
    expect((await feedOf(team.person, `${query}&mine=true`)).items).toEqual([])
    await decide(team.ben, draft)
    expect((await feedOf(team.ben, query)).items).toEqual([])
    expect((await feedOf(team.ben, `${query}&state=approved`)).items.map(({ post }) => post.id)).toEqual([draft.id])
  })

  test('SOC-32 request covers the posts of the same thread', async () => {
    const team = await createTeam()
    const { body } = await team.write<{ items: Post[] }>({
      text: undefined,
      thread: [{ text: 'One' }, { text: 'Two' }],
    })
    await team.person.fetch(`POST /api/posts/${body.items[0]?.id}/review-requests`)
    expect((await feedOf(team.ben, `brandId=${team.brand.id}`)).items).toHaveLength(2)
  })

  test('SOC-32 feed pages have each post once, and none of other organizations', async () => {
    const team = await createTeam()
    for (const text of ['One', 'Two', 'Three'])
      await team.person.fetch(`POST /api/posts/${(await team.draft(text)).id}/review-requests`)
    const seen: string[] = []
    let cursor = ''
    do {
      const { items, nextCursor } = await feedOf(team.ben, `limit=2${cursor && `&cursor=${cursor}`}`)
      seen.push(...items.map(({ post }) => post.text))
      cursor = nextCursor ?? ''
    } while (cursor)
    expect(seen).toEqual(['Three', 'Two', 'One'])
    const stranger = desk.person({ permissions: all })
    expect((await feedOf(stranger, '')).items).toEqual([])
    expect((await stranger.fetch(`GET /api/feed?brandId=${team.brand.id}`)).status).toBe(404)
  })

  test('SOC-32 comments mention members who can see the brand, and are resolved and reopened', async () => {
    const team = await createTeam()
    const draft = await team.draft()
    const path = `/api/posts/${draft.id}/comments`
    const comment = (mentions: string[]) =>
      team.ben.fetch<PostComment & ProblemBody>(`POST ${path}`, { text: 'The price?', quote: 'Hello', mentions })
    expect((await comment([desk.person({ permissions: all }).id])).body.errors[0]?.path).toBe('mentions.0')
    const added = await comment([team.cleo.id])
    expect(added.body).toMatchObject({ quote: 'Hello', mentions: [{ userId: team.cleo.id }], resolvedAt: null })
    const put = (resolved: boolean) => team.person.fetch<PostComment>(`PUT ${path}/${added.body.id}`, { resolved })
    expect((await put(true)).body.resolvedAt).toEqual(expect.any(String))
    expect((await put(false)).body.resolvedAt).toBeNull()
    const notices = await desk.database.sql`
      SELECT person_id FROM platform.raised_actions WHERE kind = 'comment.mentioned' AND cause LIKE ${`%${added.body.id}%`}`
    expect(notices.map(({ person_id: id }) => id)).toEqual([team.cleo.id])
  })

  test('SOC-32 author is notified of a decision, and it is published to pages', async () => {
    const team = await createTeam()
    const draft = await team.draft()
    const before = desk.news.length
    const { body } = await decide(team.ben, draft, 'request_changes', { comment: 'The price' })
    const notices = await desk.database.sql`
      SELECT person_id, reason FROM platform.raised_actions WHERE cause LIKE ${`%decided:${body.id}:%`}`
    expect(notices).toHaveLength(1)
    expect(notices[0]).toMatchObject({ person_id: team.person.id, reason: '“Hello” The price' })
    expect(desk.news.slice(before)).toContainEqual({
      topic: 'social.post',
      payload: { brandId: team.brand.id, postId: draft.id },
    })
  })
})
