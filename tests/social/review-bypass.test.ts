import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import type { Post } from '#social/types'
import { invite } from './guests.ts'
import { createTeam, decide, schedule, type Team } from './review-team.ts'
import { openSocialServer, type SocialServer } from './social-server.ts'
import { markPublished } from './writer.ts'

// Ways around the approvals that a brand requires.

let desk: SocialServer
beforeAll(async () => {
  desk = await openSocialServer()
})
afterAll(() => desk.close())

const inviteAs = (team: Team, person: Team['ben'], postIds: string[]) => invite(desk, { ...team, person }, { postIds })

test('SOC-49 person and the guests with links of that person count as one reviewer', async () => {
  const team = await createTeam(desk, { approvals: 2 })
  const post = await team.draft('Needs two')
  expect((await decide(team.ben, post)).status).toBe(201)
  for (const guest of [await inviteAs(team, team.ben, [post.id]), await inviteAs(team, team.ben, [post.id])])
    expect((await guest.decide([post])).status).toBe(201)
  const refused = await schedule(team, post)
  expect([refused.status, refused.body.code, refused.body.missing]).toEqual([409, 'approval_required', 1])
  const ofCleo = await inviteAs(team, team.cleo, [post.id])
  await ofCleo.decide([post])
  expect((await schedule(team, post)).status).toBe(200)
})

test('SOC-49 approval with a link that was revoked while the post was deleted doesn’t count after it is restored', async () => {
  const team = await createTeam(desk)
  const post = await team.draft('Restored')
  const guest = await inviteAs(team, team.ben, [post.id])
  await guest.decide([post])
  await team.person.fetch(`DELETE /api/posts/${post.id}`)
  expect((await team.ben.fetch(`DELETE /api/review-links/${guest.link.id}`)).status).toBe(204)
  expect((await team.person.fetch(`POST /api/posts/${post.id}/restore`)).status).toBe(200)
  const refused = await schedule(team, post)
  expect([refused.status, refused.body.code]).toEqual([409, 'approval_required'])

  const kept = await team.draft('Kept')
  const other = await inviteAs(team, team.ben, [kept.id])
  await other.decide([kept])
  await team.person.fetch(`DELETE /api/posts/${kept.id}`)
  await team.person.fetch(`POST /api/posts/${kept.id}/restore`)
  expect((await schedule(team, kept)).status).toBe(200)
})

test('SOC-49 approval of a guest doesn’t count once its link is deleted', async () => {
  const team = await createTeam(desk)
  const post = await team.draft('Old link')
  const guest = await inviteAs(team, team.person, [post.id])
  await guest.decide([post])
  await desk.database.sql`DELETE FROM social.review_links WHERE id = ${guest.link.id}`
  const refused = await schedule(team, post)
  expect([refused.status, refused.body.code]).toEqual([409, 'approval_required'])
})

test('SOC-49 person who corrected a published post can’t approve a copy of it', async () => {
  const team = await createTeam(desk)
  const post = await team.draft('Published')
  await markPublished(desk, post.id)
  await desk.database.sql`
    INSERT INTO social.post_corrections (id, brand_id, post_id, author_id, former_text, text, state, settled_at)
    VALUES (${newId()}, ${team.brand.id}, ${post.id}, ${team.ben.id}, 'Published', 'Words of Ben', 'corrected', now())`
  await desk.database.sql`UPDATE social.posts SET text = 'Words of Ben' WHERE id = ${post.id}`
  const path = `POST /api/posts/${post.id}/duplicate`
  const targets = [{ provider: 'sandbox' }, { provider: 'bluesky' }]
  const one = (await team.person.fetch<Post>(path)).body
  const { items } = (await team.person.fetch<{ items: Post[] }>(path, { targets })).body
  for (const copy of [one, ...items]) {
    const refused = await decide(team.ben, copy)
    expect([refused.status, refused.body.code]).toEqual([403, 'second_person_needed'])
    expect((await decide(team.cleo, copy)).status).toBe(201)
  }
})

test('SOC-32 guests leave room for comments of the team', async () => {
  const team = await createTeam(desk)
  const post = await team.draft('Much discussed')
  const guest = await inviteAs(team, team.ben, [post.id])
  expect((await guest.comment(post.id, 'First')).status).toBe(201)
  await desk.database.sql`
    INSERT INTO social.post_comments (id, brand_id, post_id, link_id, guest_name, text)
    SELECT gen_random_uuid(), brand_id, post_id, link_id, guest_name, text
    FROM social.post_comments, generate_series(1, 199) WHERE post_id = ${post.id}`
  const refused = await guest.comment(post.id, 'One more')
  expect([refused.status, refused.body.code]).toEqual([409, 'too_many_comments'])
  expect((await team.ben.fetch(`POST /api/posts/${post.id}/comments`, { text: 'Of the team' })).status).toBe(201)
})

test('SOC-43 request for another organization’s post doesn’t wait for its thread', async () => {
  const team = await createTeam(desk, {})
  const stranger = await createTeam(desk)
  const { items } = await team.thread('One', 'Two')
  const id = items[1]?.id ?? ''
  await desk.database.sql.begin(async (tx) => {
    await tx`SELECT 1 FROM social.posts WHERE thread_id = ${items[0]?.threadId ?? ''} FOR UPDATE`
    expect((await stranger.person.fetch(`DELETE /api/posts/${id}`)).status).toBe(404)
  })
})
