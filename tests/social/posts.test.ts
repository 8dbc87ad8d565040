import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Post } from '#social/types'
import { openSocialServer, type SocialServer, type ProblemBody } from './social-server.ts'
import { addAttempt, markFailed, inMinutes, createWriter, markPublished, type Writer } from './writer.ts'

let desk: SocialServer
let ada: Writer
beforeAll(async () => {
  desk = await openSocialServer()
  ada = await createWriter(desk)
})
afterAll(() => desk.close())

const noFailure = { failureCode: null, failureMessage: null, failedAt: null, failureRetryable: null }

describe('writing', () => {
  test('SOC-10 scheduled post returns 201 with every field of the worked example', async () => {
    const scheduledAt = inMinutes(10)
    const reported = await ada.write({ text: 'Hello', status: 'scheduled', scheduledAt })
    expect(reported.status).toBe(201)
    expect(reported.body).toMatchObject({
      brandId: ada.brand.id,
      provider: 'sandbox',
      authorId: ada.person.id,
      text: 'Hello',
      status: 'scheduled',
      scheduledAt,
      threadId: null,
      position: 0,
      media: [],
      target: null,
      platformPostId: null,
      permalink: null,
      failureCode: null,
      failureMessage: null,
      failedAt: null,
      waitingFor: null,
      version: 1,
    })
  })

  const times = [
    ['2099-07-01T10:20:00+05:00', undefined, '2099-07-01T05:20:00.000Z'],
    ['2099-07-01T10:20', undefined, '2099-07-01T08:20:00.000Z'],
    [{ date: '2099-01-01', time: '10:20' }, 'America/New_York', '2099-01-01T15:20:00.000Z'],
  ] as const
  test.each(times)('SOC-10 %j in %p is %s', async (scheduledAt, timeZone, instant) => {
    const { body } = await ada.write({ status: 'scheduled', scheduledAt, timeZone })
    expect(body).toMatchObject({ scheduledAt: instant, timeZone: timeZone ?? null })
  })

  test('SOC-10 skipped local time is rejected with a suggested one; a time that occurs twice is the first of the two', async () => {
    const at = (scheduledAt: string, timeZone = 'Europe/Berlin') =>
      ada.write<Post & ProblemBody>({ status: 'scheduled', scheduledAt, timeZone })
    const skipped = await at('2099-03-29T02:30')
    expect(skipped.status).toBe(422)
    expect(skipped.body.errors).toEqual([
      {
        path: 'scheduledAt',
        message:
          '02:30 doesn’t exist on 2099-03-29 in Europe/Berlin: clocks go forward. Choose another time, such as 03:30.',
      },
    ])
    expect((await at('2099-10-25T02:30')).body.scheduledAt).toBe('2099-10-25T00:30:00.000Z')
    const past = await at('2020-01-31T10:00')
    expect(past.body.errors[0]?.message).toContain('in the future')
  })

  test('SOC-13 “now” is the next second by the server’s clock, for new and edited posts', async () => {
    const requested = Date.now()
    const { body: made } = await ada.write({ status: 'scheduled', scheduledAt: 'now' })
    const { body: edited } = await ada.change((await ada.draft()).id, { status: 'scheduled', scheduledAt: 'now' })
    const latest = Date.now() + 1_000
    for (const { scheduledAt } of [made, edited]) {
      expect(Date.parse(scheduledAt ?? '')).toBeGreaterThan(requested)
      expect(Date.parse(scheduledAt ?? '')).toBeLessThanOrEqual(latest)
    }
  })

  const card = { url: 'https://example.com/maple', title: 'Maple latte' }
  const refusals = [
    ['no time', { status: 'scheduled' }, 'scheduledAt'],
    ['a time without the status scheduled', { scheduledAt: inMinutes(10) }, 'status'],
    ['a draft for now', { status: 'draft', scheduledAt: 'now' }, 'scheduledAt'],
    ['a review of a scheduled post', { ...later(), requestReview: true }, 'requestReview'],
    ['a time in the past', { status: 'scheduled', scheduledAt: inMinutes(-1) }, 'scheduledAt'],
    ['an invalid date', { status: 'scheduled', scheduledAt: '2099-02-30T10:00' }, 'scheduledAt'],
    ['no text', { text: ' \n' }, 'text'],
    ['a text of zero-width characters', { text: '\u200b\u200d\ufeff\u2060' }, 'text'],
    ['a text of controls and fillers', { text: '\u202e\u3164\u2800\u00ad\ufe0f' }, 'text'],
    ['a first comment on a network without them', { provider: 'x', firstComment: 'First!' }, 'firstComment'],
    [
      'a first comment that no target takes',
      { provider: undefined, targets: [{ provider: 'x' }], firstComment: 'First!' },
      'firstComment',
    ],
    ['a first comment over the limit', { ...later(), firstComment: 'x'.repeat(501) }, 'firstComment'],
    ['a link preview without a title', { linkPreview: { url: 'https://example.com' } }, 'linkPreview.title'],
    ['a link preview of a file', { linkPreview: { url: 'file:///etc/passwd', title: 'A' } }, 'linkPreview.url'],
    ['a link preview on a network that makes its own', { provider: 'x', linkPreview: card }, 'linkPreview'],
    [
      'a link preview that no target takes',
      { provider: undefined, targets: [{ provider: 'x' }, { provider: 'mastodon' }], linkPreview: card },
      'linkPreview',
    ],
    [
      'an own link preview of a target that takes none',
      { provider: undefined, targets: [{ provider: 'bluesky' }, { provider: 'x', linkPreview: card }] },
      'targets.1.linkPreview',
    ],
    ['a text over the network’s limit', { ...later(), text: 'x'.repeat(501) }, 'text'],
    ['a part over the network’s limit', { ...later(), ...threadOf('a', 'x'.repeat(501)) }, 'thread.1.text'],
    ['a character that PostgreSQL can’t store', { text: 'a\0b' }, 'text'],
    ['half a character', { tags: ['\ud800'] }, 'tags.0'],
    ['media', { media: [{}] }, 'media.0.mediaId'],
    ['neither provider nor targets', { provider: undefined }, 'targets'],
    ['both provider and targets', { targets: [{ provider: 'x' }] }, 'targets'],
    ['no file for a network of videos', { ...later(), provider: 'youtube' }, 'media'],
    ['options of YouTube for another network', { youtube: { privacy: 'public' } }, 'youtube'],
    ['an unknown network', { provider: 'friendster' }, 'provider'],
    ['a status reserved for the scheduler', { status: 'published' }, 'status'],
    ['a Page of a network without pages', { ...later(), target: { pageId: '1' } }, 'target.pageId'],
    ['an unknown account', { target: { connectionId: crypto.randomUUID() } }, 'target.connectionId'],
  ] as const
  test.each(refusals)('SOC-11 %s returns 422 and names the field', async (_, values, path) => {
    const reported = await ada.write<ProblemBody>(values)
    expect(reported.status).toBe(422)
    expect(reported.body.errors.map((error) => error.path)).toContain(path)
  })

  test('SOC-45 several targets create one post each, in one group, with their own text', async () => {
    const reported = await ada.write<{ groupId: string; items: Post[] }>({
      provider: undefined,
      targets: [
        { provider: 'sandbox', target: { connectionId: ada.connection.id } },
        { provider: 'bluesky', text: 'Own' },
      ],
    })
    expect(reported.status).toBe(201)
    const [first, second] = reported.body.items
    expect(first).toMatchObject({ provider: 'sandbox', text: 'Hello', target: { connectionId: ada.connection.id } })
    expect(second).toMatchObject({ provider: 'bluesky', text: 'Own', target: null })
    expect(reported.body.items.map(({ groupId }) => groupId)).toEqual([reported.body.groupId, reported.body.groupId])
  })

  test('SOC-21 account of another brand is rejected as a target', async () => {
    const other = await createWriter(desk, ada.person)
    const reported = await ada.write<ProblemBody>({ target: { connectionId: other.connection.id } })
    expect(reported.status).toBe(422)
  })

  test('SOC-20 scheduling notifies the schedulers of the new time, and every server of the change', async () => {
    desk.news.length = 0
    const post = await ada.scheduled()
    expect(desk.news).toEqual([
      { topic: 'social.post', payload: { brandId: ada.brand.id, postId: post.id } },
      { topic: 'social.due', payload: { at: post.scheduledAt } },
    ])
  })

  test('SOC-11 copy is a draft with the same text, whose author is the person who copied it', async () => {
    const post = (await ada.write({ text: 'Twice', tags: ['a'], status: 'scheduled', scheduledAt: inMinutes(5) })).body
    const reported = await ada.person.fetch<Post>(`POST /api/posts/${post.id}/duplicate`)
    expect(reported.status).toBe(201)
    expect(reported.body).toMatchObject({ text: 'Twice', tags: ['a'], status: 'draft', scheduledAt: null, version: 1 })
    expect(reported.body.id).not.toBe(post.id)
  })

  test('SOC-11 deleted post returns 404, and a published one can’t be deleted', async () => {
    const post = await ada.draft()
    expect((await ada.person.fetch(`DELETE /api/posts/${post.id}`)).status).toBe(204)
    expect((await ada.person.fetch(`GET /api/posts/${post.id}`)).status).toBe(404)
    const sent = await ada.scheduled()
    await markPublished(desk, sent.id)
    const reported = await ada.person.fetch<ProblemBody>(`DELETE /api/posts/${sent.id}`)
    expect([reported.status, reported.body.code]).toEqual([409, 'published_immutable'])
  })
})

describe('editing', () => {
  test('SOC-12 moving a scheduled post to drafts clears its schedule and increments its version', async () => {
    const post = await ada.scheduled()
    const reported = await ada.change(post.id, { status: 'draft' })
    expect(reported.body).toMatchObject({ status: 'draft', scheduledAt: null, version: 2 })
  })

  test('SOC-12 edit that omits the target keeps it', async () => {
    const target = { connectionId: ada.connection.id }
    const post = (await ada.write({ target })).body
    expect((await ada.change(post.id, { text: 'Edited' })).body).toMatchObject({ text: 'Edited', target })
    expect((await ada.change(post.id, { target: null })).body.target).toBeNull()
  })

  test('SOC-12 edit of a scheduled post keeps its time, and must still be within the network’s limits', async () => {
    const post = await ada.scheduled()
    const reported = await ada.change(post.id, { text: 'Edited' })
    expect(reported.body).toMatchObject({ status: 'scheduled', scheduledAt: post.scheduledAt })
    expect((await ada.change(post.id, { text: 'x'.repeat(501) })).status).toBe(422)
  })

  test('SOC-12 published post can’t be edited', async () => {
    const post = await ada.scheduled()
    await markPublished(desk, post.id)
    const reported = await ada.change<ProblemBody>(post.id, { text: 'Other' })
    expect([reported.status, reported.body.code]).toEqual([409, 'published_immutable'])
  })

  const older = [
    ['If-Match', {}, { 'if-match': '"1"' }],
    ['the version of a form', { version: '1' }, {}],
  ] as const
  test.each(older)(
    'SOC-12 edit based on an older version by %s returns 409 and shows both texts',
    async (_, field, header) => {
      const post = await ada.draft('First')
      const { headers } = await ada.change(post.id, { text: 'Theirs' })
      const reported = await ada.person.fetch<ProblemBody>(
        `PUT /api/posts/${post.id}`,
        { text: 'Mine', ...field },
        header,
      )
      expect([reported.status, reported.body.code]).toEqual([409, 'version_conflict'])
      expect(reported.body.yours.text).toBe('Mine')
      expect(reported.body.current).toEqual({ version: 2, text: 'Theirs' })
      const etag = headers.get('etag') ?? ''
      const again = await ada.person.fetch(`PUT /api/posts/${post.id}`, { text: 'Mine' }, { 'if-match': etag })
      expect(again.status).toBe(200)
    },
  )

  test('SOC-12 If-Match accepts several versions, one of which the post must have', async () => {
    const post = await ada.draft('First')
    const edit = (condition: string) =>
      ada.person.fetch<ProblemBody>(`PUT /api/posts/${post.id}`, { text: condition }, { 'if-match': condition })
    expect((await edit('"7", "1"')).status).toBe(200)
    const reported = await edit('"1","3"')
    expect([reported.status, reported.body.code]).toEqual([409, 'version_conflict'])
    for (const condition of ['"1", x', '"1",', '', '"1" "2"']) expect((await edit(condition)).status).toBe(422)
    expect((await edit('*')).status).toBe(200)
  })

  test('SOC-12 one of two simultaneous edits of the same version is rejected', async () => {
    const post = await ada.draft()
    const both = await Promise.all(['A', 'B'].map((text) => ada.change(post.id, { text, version: 1 })))
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 409]))
  })

  const dropped = [
    ['a time for a draft without a status', { scheduledAt: inMinutes(10) }, 'status'],
    ['a draft for now', { status: 'draft', scheduledAt: 'now' }, 'scheduledAt'],
    ['only a request for a review', { requestReview: true }, ''],
    ['a permalink without the status published', { permalink: 'https://a.example/1' }, 'permalink'],
    ['a text with a permalink', { status: 'published', permalink: 'https://a.example/1', text: 'Other' }, 'text'],
  ] as const
  test.each(dropped)('SOC-12 %s returns 422 and names the field', async (_, values, path) => {
    const post = await ada.draft()
    const reported = await ada.change<ProblemBody>(post.id, values)
    expect([reported.status, reported.body.errors.map((error) => error.path)]).toEqual([422, [path]])
  })

  test('edit without any field of a post returns 422', async () => {
    const post = await ada.draft()
    expect((await ada.change(post.id, { txt: 'typo' })).status).toBe(422)
  })
})

describe('moving', () => {
  const ways = ['draft', 'scheduled', 'published', 'failed'] as const
  const put = {
    draft: {},
    scheduled: { scheduledAt: '2099-01-01T00:00:00Z' },
    published: { permalink: 'https://a.example/1' },
    failed: {},
  }
  const refused = {
    draft: ['published', 'failed'],
    scheduled: ['published', 'failed'],
    published: ways,
    failed: ['published', 'failed'],
  } as const
  const allowed = {
    draft: ['scheduled'],
    scheduled: ['draft', 'scheduled'],
    published: [],
    failed: ['scheduled', 'draft'],
  }

  for (const from of ways) {
    test.each(ways)(`SOC-13 ${from} to %s`, async (to) => {
      const post = await make[from]()
      const reported = await ada.change<Post & ProblemBody>(post.id, { status: to, ...put[to] })
      if (!refused[from].some((status) => status === to)) {
        expect([reported.status, reported.body.status]).toEqual([200, to])
        expect(reported.body).toMatchObject(noFailure)
        return
      }
      expect([reported.status, reported.body.code]).toEqual([409, 'invalid_transition'])
      expect(reported.body.allowed).toEqual(allowed[from])
    })
  }

  const make = {
    draft: () => ada.draft(),
    scheduled: () => ada.scheduled(),
    published: async () => {
      const post = await ada.scheduled()
      await markPublished(desk, post.id)
      return post
    },
    failed: async () => {
      const post = await ada.scheduled()
      await markFailed(desk, post.id)
      return post
    },
  }

  test('SOC-13 rescheduling a failed post requires a time in the future', async () => {
    const post = await make.failed()
    expect((await ada.change(post.id, { status: 'scheduled' })).status).toBe(422)
    expect((await ada.change(post.id, { status: 'scheduled', scheduledAt: inMinutes(-1) })).status).toBe(422)
    const scheduledAt = inMinutes(5)
    const reported = await ada.change(post.id, { status: 'scheduled', scheduledAt })
    expect(reported.body).toMatchObject({ status: 'scheduled', scheduledAt, ...noFailure })
  })

  test('SOC-13 scheduled post is rescheduled by its time alone; other posts need the status too', async () => {
    const scheduledAt = inMinutes(90)
    const post = await ada.scheduled()
    expect((await ada.change(post.id, { scheduledAt })).body.scheduledAt).toBe(scheduledAt)
    expect((await ada.change((await ada.draft()).id, { scheduledAt })).status).toBe(422)
  })

  test.each(['draft', 'scheduled', 'failed'] as const)(
    'SOC-13 publish-now publishes a %s post immediately',
    async (from) => {
      const post = await make[from]()
      const reported = await ada.person.fetch<Post>(`POST /api/posts/${post.id}/publish-now`)
      expect(reported.body).toMatchObject({ status: 'scheduled', ...noFailure })
      const ahead = Date.parse(reported.body.scheduledAt ?? '') - Date.now()
      expect(ahead).toBeLessThanOrEqual(1000)
      expect(ahead).toBeGreaterThan(-1000)
    },
  )

  test.each(['draft', 'scheduled', 'published'] as const)('SOC-13 %s post can’t be retried', async (from) => {
    const post = await make[from]()
    const reported = await ada.person.fetch<ProblemBody>(`POST /api/posts/${post.id}/retry`)
    expect([reported.status, reported.body.code]).toEqual([409, 'invalid_transition'])
  })

  test('SOC-13 retry sends a failed post again', async () => {
    const post = await make.failed()
    const reported = await ada.person.fetch<Post>(`POST /api/posts/${post.id}/retry`)
    expect(reported.body).toMatchObject({ status: 'scheduled', ...noFailure })
  })

  const changes = ['PUT', 'DELETE', 'publish-now', 'retry', 'detach'] as const
  test.each(changes)('SOC-13 %s while the post is being sent returns 409 publishing_in_progress', async (change) => {
    const writer = await createWriter(desk)
    const post = await writer.scheduled()
    await addAttempt(desk, post, 'sending')
    const path = `/api/posts/${post.id}`
    const route = /^[A-Z]+$/.test(change) ? `${change} ${path}` : `POST ${path}/${change}`
    const reported = await writer.person.fetch<ProblemBody>(route, change === 'PUT' ? { text: 'Other' } : undefined)
    expect([reported.status, reported.body.code]).toEqual([409, 'publishing_in_progress'])
  })

  test('SOC-24 person can settle a post with an unknown outcome by entering its URL', async () => {
    const post = await make.failed()
    await addAttempt(desk, post, 'unknown')
    await markFailed(desk, post.id, 'outcome_unknown')
    const reported = await ada.change<ProblemBody>(post.id, { status: 'published' })
    expect([reported.status, reported.body.errors[0]?.path]).toEqual([422, 'permalink'])
    const id = crypto.randomUUID()
    const permalink = `http://localhost:3000/dev/sandbox/acme#post-${id}`
    const settled = await ada.change(post.id, { status: 'published', permalink })
    expect(settled.body).toMatchObject({ status: 'published', permalink, platformPostId: id, ...noFailure })
    expect(settled.body.publishedAt).not.toBeNull()
    const second = await make.failed()
    await addAttempt(desk, second, 'unknown')
    await markFailed(desk, second.id, 'outcome_unknown')
    const taken = await ada.change<ProblemBody>(second.id, { status: 'published', permalink })
    expect([taken.status, taken.body.code]).toEqual([409, 'permalink_taken'])
  })
})

function later() {
  return { status: 'scheduled', scheduledAt: inMinutes(60) }
}

function threadOf(...texts: string[]) {
  return { text: undefined, thread: texts.map((text) => ({ text })) }
}
