import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import type { Post, PostComment } from '#social/types'
import { invite } from './guests.ts'
import { all, createTeam, decide, draftThread, reviewsOf, setPolicy, submit, type Team } from './review-team.ts'
import { openSocialServer, type ProblemBody, type SocialServer } from './social-server.ts'
import { addAttempt, createWriter, inMinutes, markPublished } from './writer.ts'

let desk: SocialServer
beforeAll(async () => {
  desk = await openSocialServer()
})
afterAll(() => desk.close())

/** Until a statement of the server waits for a lock. */
async function untilBlocked(): Promise<void> {
  const end = performance.now() + 10_000
  for (;;) {
    const [row] = await desk.database.sql`
      SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    if (Number(row?.['count']) > 0) return
    if (performance.now() > end) throw new Error('Nothing waits for a lock')
    await Bun.sleep(10)
  }
}

describe('submissions', () => {
  test('SOC-32 submission with three targets is requested and decided as one, and each post has its own review', async () => {
    const team = await createTeam(desk)
    const posts = await submit(team, 'One', 'Two', 'Three')
    const [first, ...others] = posts
    if (!first) throw new Error('No submission')
    await team.person.fetch(`POST /api/posts/${first.id}/review-requests`)
    for (const post of posts) expect((await reviewsOf(team.ben, post)).review.state).toBe('pending')
    const also = others.map(({ id, version }) => ({ id, version }))
    expect((await decide(team.ben, first, 'approve', { also })).status).toBe(201)
    for (const post of posts)
      expect((await reviewsOf(team.ben, post)).items.map(({ content }) => content.text)).toEqual([post.text])
    await team.change(first.id, { text: 'Edited' })
    const states = await Promise.all(posts.map(async (post) => (await reviewsOf(team.ben, post)).review.state))
    expect(states).toEqual(['pending', 'approved', 'approved'])
  })

  test('SOC-32 decision on a post outside of the submission and thread is refused, and nothing is decided', async () => {
    const team = await createTeam(desk)
    const [first, second] = await submit(team, 'One', 'Two')
    const [head, part] = await draftThread(team, 'Head', 'Part')
    const stranger = await team.draft('Another')
    if (!first || !second || !head || !part) throw new Error('No posts')
    for (const [post, ...also] of [
      [first, second, stranger],
      [first, second, head],
      [stranger, first],
      [head, part, first],
    ]) {
      const refused = await decide(team.ben, post ?? first, 'approve', { also: also.map(({ id }) => ({ id })) })
      expect(refused.status).toBe(422)
      expect(refused.body.errors[0]?.path).toBe(`also.${also.length - 1}.id`)
    }
    for (const post of [first, second, head, part, stranger])
      expect((await reviewsOf(team.ben, post)).items).toEqual([])
    expect((await decide(team.ben, head, 'approve', { also: [{ id: part.id }] })).status).toBe(201)
  })

  test('SOC-32 decision covers up to 95 posts, as many as a submission can have', async () => {
    const team = await createTeam(desk)
    const draft = await team.draft()
    const also = (count: number) => ({ also: Array.from({ length: count }, () => ({ id: newId() })) })
    expect((await decide(team.ben, draft, 'approve', also(94))).status).toBe(404)
    const refused = await decide(team.ben, draft, 'approve', also(95))
    expect([refused.status, refused.body.errors[0]?.path]).toEqual([422, 'also'])
  })

  test('IDN-36 review request of a test key leaves posts for other networks of the submission as they are', async () => {
    const team = await createTeam(desk)
    const { body } = await team.write<{ items: Post[] }>({
      provider: undefined,
      targets: [{ provider: 'sandbox' }, { provider: 'bluesky' }],
    })
    const [practice, live] = body.items
    if (!practice || !live) throw new Error('No submission')
    const key = (mode: 'live' | 'test') =>
      desk.person({ organization: team.person.organization, permissions: all, key: mode })
    expect((await key('test').fetch(`POST /api/posts/${practice.id}/review-requests`)).status).toBe(201)
    const stateOf = async (post: Post) => (await reviewsOf(team.ben, post)).review.state
    expect([await stateOf(practice), await stateOf(live)]).toEqual(['pending', null])
    expect((await key('live').fetch(`POST /api/posts/${practice.id}/review-requests`)).status).toBe(201)
    expect(await stateOf(live)).toBe('pending')
  })
})

describe('people', () => {
  test('SOC-32 API key with every permission can’t write or resolve comments', async () => {
    const team = await createTeam(desk)
    const draft = await team.draft()
    const path = `/api/posts/${draft.id}/comments`
    const added = await team.ben.fetch<PostComment>(`POST ${path}`, { text: 'The price?' })
    const key = desk.person({ organization: team.person.organization, permissions: all, key: 'live' })
    const refused = [
      await key.fetch<ProblemBody>(`POST ${path}`, { text: 'From a program' }),
      await key.fetch<ProblemBody>(`PUT ${path}/${added.body.id}`, { resolved: true }),
    ]
    for (const { status, body } of refused) expect([status, body.code]).toEqual([403, 'session_required'])
    const { items } = (await team.ben.fetch<{ items: PostComment[] }>(`GET ${path}`)).body
    expect(items.map(({ text, resolvedAt }) => [text, resolvedAt])).toEqual([['The price?', null]])
    expect((await reviewsOf(key, draft)).can).toMatchObject({ comment: false, decide: false })
  })

  test('SOC-32 comment that mentions someone by name is refused while identity doesn’t respond, and isn’t stored', async () => {
    const team = await createTeam(desk)
    const draft = await team.draft()
    const path = `/api/posts/${draft.id}/comments`
    expect((await team.ben.fetch(`POST ${path}`, { text: 'The price, @cleo?' })).status).toBe(503)
    expect((await team.ben.fetch(`POST ${path}`, { text: 'The price?' })).status).toBe(201)
    const { items } = (await team.ben.fetch<{ items: PostComment[] }>(`GET ${path}`)).body
    expect(items.map(({ text }) => text)).toEqual(['The price?'])
  })

  test('SOC-32 owner’s code isn’t checked for a decision that is refused anyway', async () => {
    const ada = await createWriter(desk, desk.person({ permissions: all }))
    await setPolicy(ada, { approvals: 1 })
    const [edited, sent, published] = [await ada.draft(), await ada.draft(), await ada.draft()]
    await ada.change(edited.id, { text: 'Edited' })
    await addAttempt(desk, sent, 'sending')
    await markPublished(desk, published.id)
    const wrong = { code: '000000', version: 1 }
    const refusals = [edited, sent, published].map((post) => decide(ada.person, post, 'approve', wrong))
    expect((await Promise.all(refusals)).map(({ body }) => body.code)).toEqual([
      'version_conflict',
      'publishing_in_progress',
      'not_reviewable',
    ])
    expect((await decide(ada.person, edited, 'approve', { code: '000000' })).status).toBe(422)
  })
})

describe('races', () => {
  test('SOC-02 SOC-32 decision that waits for the transfer of its brand is refused and not stored', async () => {
    const team = await createTeam(desk)
    const draft = await team.draft()
    const decided = await desk.database.sql.begin(async (tx) => {
      await tx`SELECT FROM social.brands WHERE id = ${team.brand.id} FOR UPDATE`
      await tx`UPDATE social.brands SET platform_org_id = ${newId()} WHERE id = ${team.brand.id}`
      const pending = decide(team.ben, draft)
      await untilBlocked()
      return { pending }
    })
    expect((await decided.pending).status).toBe(404)
    const stored = await desk.database.sql`SELECT FROM social.post_reviews WHERE post_id = ${draft.id}`
    expect(stored).toHaveLength(0)
  })

  const reviewers = {
    member: async (team: Team, part: Post) => () => decide(team.ben, part),
    guest: async (team: Team, part: Post) => {
      const guest = await invite(desk, team, { postIds: [part.id] })
      return () => guest.decide([part])
    },
  }
  test.each(Object.entries(reviewers))(
    'SOC-49 decision of a %s on a part locks its thread from the first post on',
    async (_, prepare) => {
      const team = await createTeam(desk)
      const [head, part] = await draftThread(team, 'Head', 'Part')
      if (!head || !part) throw new Error('No thread')
      await waitFor(head, part)
      const send = await prepare(team, part)
      const decided = await desk.database.sql.begin(async (tx) => {
        await tx`SELECT FROM social.posts WHERE id = ${head.id} FOR UPDATE`
        const pending = send()
        await untilBlocked()
        // Held by the decision, this would be a deadlock.
        await tx`SELECT FROM social.posts WHERE id = ${part.id} FOR UPDATE NOWAIT`
        return { pending }
      })
      expect((await decided.pending).status).toBe(201)
    },
  )

  /** As the scheduler leaves the first post of a thread whose part isn’t approved. */
  const waitFor = (head: Post, part: Post) => desk.database.sql`
    UPDATE social.posts SET status = 'scheduled', scheduled_at = now() - interval '1 minute', due_at = ${inMinutes(60)},
      waiting_for = ${desk.database.sql.json({ reason: 'approval_required', postId: part.id })}
    WHERE id = ${head.id}`

  test('SOC-49 thread that waits for a part is due again once that part has all its approvals', async () => {
    const team = await createTeam(desk, { approvals: 2 })
    const [head, part] = await draftThread(team, 'Head', 'Part')
    if (!head || !part) throw new Error('No thread')
    await waitFor(head, part)
    const isWaiting = async () =>
      (await team.person.fetch<Post>(`GET /api/posts/${head.id}`)).body.waitingFor?.reason === 'approval_required'
    await decide(team.ben, part)
    expect(await isWaiting()).toBe(true)
    await decide(team.cleo, part, 'request_changes')
    expect(await isWaiting()).toBe(true)
    await decide(team.cleo, part)
    expect(await isWaiting()).toBe(false)
  })
})
