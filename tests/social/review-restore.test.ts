import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Post, PostReviews } from '#social/types'
import { addImage, invite } from './guests.ts'
import { all, createTeam, decide, draftThread, reviewsOf, schedule, setPolicy, type Team } from './review-team.ts'
import { openSocialServer, type Person, type ProblemBody, type SocialServer } from './social-server.ts'
import { markPublished } from './writer.ts'

let desk: SocialServer
beforeAll(async () => {
  desk = await openSocialServer()
})
afterAll(() => desk.close())

const restore = (person: Person, { id }: Post, version?: number) =>
  person.fetch<PostReviews & ProblemBody>(`POST /api/posts/${id}/restore-approved-text`, { version })
const read = async (team: Team, { id }: Post) => (await team.person.fetch<Post>(`GET /api/posts/${id}`)).body

/** A draft that Ben approved and whose text was changed then. */
async function createVoided(
  team: Team,
  edit: Record<string, unknown> = { text: 'Changed' },
  settings: object = {},
): Promise<Post> {
  const { body: draft } = await team.write({ text: 'Approved', ...settings })
  expect((await decide(team.ben, draft)).status).toBe(201)
  expect((await team.change(draft.id, edit)).status).toBe(200)
  return draft
}

const needsReview = { state: 'pending', approvals: 0 }

test('SOC-32 approved text is restored as a new version, and is approved again', async () => {
  const team = await createTeam(desk)
  const draft = await createVoided(team, { text: 'Changed', firstComment: '#new' })
  expect((await reviewsOf(team.person, draft)).can.restoreText).toBe(true)
  expect((await reviewsOf(team.ben, draft)).can.restoreText).toBe(false)
  expect((await restore(team.ben, draft)).status).toBe(403)
  expect((await restore(team.person, draft, 1)).body.code).toBe('version_conflict')
  const { status, body } = await restore(team.person, draft, 2)
  expect(status).toBe(200)
  expect(body.review).toMatchObject({ state: 'approved', approvals: 1, missing: 0, voidedAt: null })
  expect(body.can.restoreText).toBe(false)
  expect(await read(team, draft)).toMatchObject({ text: 'Approved', firstComment: null, version: 3 })
  expect((await restore(team.person, draft)).body.code).toBe('no_approved_text')
  expect((await schedule(team, draft)).status).toBe(200)
})

test('SOC-32 restored text of a post with other files, account or settings needs a review', async () => {
  const team = await createTeam(desk)
  const media = [{ mediaId: await addImage(desk, team.brand.id), alt: '' }]
  const video = { provider: 'youtube', youtube: { privacy: 'private' } }
  const changes = [
    [{}, { media }],
    [{}, { target: { connectionId: team.connection.id } }],
    [video, { youtube: { title: null, privacy: 'public', tags: [], madeForKids: false } }],
  ] as const
  for (const [settings, other] of changes) {
    const draft = await createVoided(team, { text: 'Changed', ...other }, settings)
    expect((await restore(team.person, draft)).body.review).toMatchObject(needsReview)
    expect(await read(team, draft)).toMatchObject({ text: 'Approved', ...other })
    expect((await reviewsOf(team.ben, draft)).items[0]?.voidReason).toBe('edited')
    // A video without a file isn’t scheduled anyway.
    if (settings !== video) expect((await schedule(team, draft)).body.code).toBe('approval_required')
  }
})

test('SOC-32 restored text needs a review where the policy became stricter', async () => {
  const team = await createTeam(desk)
  const draft = await createVoided(team)
  await setPolicy(team, { approvals: 2 })
  const review = { state: 'pending', approvals: 1, missing: 1 }
  expect((await restore(team.person, draft)).body.review).toMatchObject(review)
})

test('SOC-32 approval of a person who wrote some of the approved text doesn’t count once it is restored', async () => {
  const team = await createTeam(desk, { approvals: 2, allowAuthor: true })
  const eve = desk.person({ organization: team.person.organization, permissions: all })
  const draft = await team.draft('By Ada')
  await eve.fetch(`PUT /api/posts/${draft.id}`, { text: 'By Eve' })
  for (const person of [eve, team.ben, team.cleo]) await decide(person, draft)
  await team.change(draft.id, { text: 'Changed' })
  await setPolicy(team, { approvals: 3, allowAuthor: false })
  expect((await restore(team.person, draft)).body.review).toMatchObject({ state: 'pending', approvals: 2, missing: 1 })
  expect((await decide(eve, draft)).body.code).toBe('second_person_needed')
})

test('SOC-32 restored text needs a review when changes of it were requested, or when its approvals were a guest’s or confirmed alone', async () => {
  const team = await createTeam(desk, { approvals: 2 })
  const refused = await team.draft('Approved')
  await decide(team.ben, refused)
  await decide(team.cleo, refused, 'request_changes')
  await team.change(refused.id, { text: 'Changed' })
  expect((await restore(team.person, refused)).body.review).toMatchObject(needsReview)

  const shown = await team.draft('Approved')
  const guest = await invite(desk, { ...team, person: team.ben }, { postIds: [shown.id] })
  expect((await guest.decide([shown])).status).toBe(201)
  await team.change(shown.id, { text: 'Changed' })
  // Its link still works.
  expect((await guest.read()).status).toBe(200)
  expect((await restore(team.person, shown)).body.review).toMatchObject(needsReview)

  for (const person of [team.ben, team.cleo]) desk.remove(person)
  const alone = await team.draft('Approved')
  expect((await decide(team.person, alone, 'approve', { code: '123456' })).status).toBe(201)
  await team.change(alone.id, { text: 'Changed' })
  expect((await restore(team.person, alone)).body.review).toMatchObject(needsReview)
})

test('SOC-49 restored text of a part needs a review after its thread changed', async () => {
  const team = await createTeam(desk)
  for (const isEditedFirst of [true, false]) {
    const [first, second] = await draftThread(team, 'A', 'B', 'C')
    if (!first || !second) throw new Error('No thread')
    await decide(team.ben, first)
    const changes = [
      () => team.change(first.id, { text: 'Changed' }),
      () => team.person.fetch(`DELETE /api/posts/${second.id}`),
    ]
    for (const change of isEditedFirst ? changes : changes.toReversed()) await change()
    expect((await restore(team.person, first)).body.review).toMatchObject(needsReview)
    expect(await read(team, first)).toMatchObject({ text: 'A' })
    expect((await reviewsOf(team.ben, first)).items[0]?.voidReason).toBe('thread_changed')
  }
})

test('SOC-32 nothing is restored without a voided approval, or on a published post', async () => {
  const team = await createTeam(desk)
  const draft = await team.draft()
  expect((await restore(team.person, draft)).body.code).toBe('no_approved_text')
  await decide(team.ben, draft)
  expect((await restore(team.person, draft)).body.code).toBe('no_approved_text')
  const published = await createVoided(team)
  await markPublished(desk, published.id)
  expect((await restore(team.person, published)).body.code).toBe('not_reviewable')
  expect((await reviewsOf(team.person, published)).can.restoreText).toBe(false)
})
