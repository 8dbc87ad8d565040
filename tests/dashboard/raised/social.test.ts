import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import type { Brand, Post } from '#social/types'
import { fail } from '../../../src/social/publishing/settle.ts'
import { updateActions } from '../../../src/social/raised/update-actions.ts'
import { waitUntil } from '../../boot/program.ts'
import { openWorld, type World } from '../../support/world.ts'
import { labelsOf, openActions, press, type OpenAction } from './acting.ts'

let world: World
let brandId: string
let prefix: string

beforeAll(async () => {
  world = await openWorld()
  await world.provided.queue.work([updateActions], world.provided, () => new Date())
})
afterAll(() => world.close())

beforeEach(async () => {
  const brand = { name: 'Roastery', slug: `r-${crypto.randomUUID()}` }
  brandId = (await world.ada.fetchJson<Brand>('POST /api/brands', brand, 201)).id
  prefix = `social.${brandId}.sandbox:`
})

const connect = async (handle: string): Promise<string> => {
  const form = { brandId, handle: `${handle}-${brandId.slice(-6)}` }
  const route = 'POST /api/integrations/sandbox/connect'
  return (await world.ada.fetchJson<{ connection: { id: string } }>(route, form, 201)).connection.id
}

const draft = async (text = 'Maple latte is back'): Promise<string> =>
  (await world.ada.fetchJson<Post>('POST /api/posts', { brandId, provider: 'sandbox', text }, 201)).id

interface Failure {
  code?: string
  message?: string
  retryable?: boolean
}

const failPost = (id: string, { code = 'provider_refused', message = 'Refused.', retryable = true }: Failure = {}) =>
  world.database.transaction((tx) =>
    fail(tx, { ...world.provided, now: () => new Date() }, id, { code, message, retryable }),
  )

const actions = (): Promise<OpenAction[]> => openActions(world, prefix)
const until = async (isMet: (open: OpenAction[]) => boolean): Promise<OpenAction[]> => {
  await waitUntil(async () => isMet(await actions()))
  const open = await actions()
  expect(open.map(({ title }) => title)).toSatisfy(() => isMet(open))
  return open
}
const untilNone = () => until((open) => open.length === 0)
const untilOne = async (): Promise<OpenAction | undefined> => (await until((open) => open.length === 1))[0]

test('DSH-20 failed post is one action of its brand, which a person retries in place', async () => {
  await connect('retry')
  const id = await draft()
  await failPost(id)
  const action = await untilOne()
  expect(action).toMatchObject({
    kind: 'social.post_failed',
    permission: 'posts:read',
    resource: brandId,
    organization: world.ada.things.organizations,
    title: 'A post to Sandbox failed',
    reason: '“Maple latte is back” of Roastery wasn’t published. Refused.',
  })
  expect((await press(world.vera, action, 'Retry')).status).toBe(403)
  expect((await press(world.mallory, action, 'Retry')).status).toBe(404)
  expect((await press(world.ada, action, 'See the post')).status).toBe(200)
  expect((await press(world.ada, action, 'Retry')).status).toBe(200)
  await untilNone()
})

test('DSH-20 failed post that was moved to drafts, or deleted, needs no one; restored it does', async () => {
  await connect('drafts')
  const [first, second] = [await draft('One'), await draft('Two')]
  await failPost(first)
  expect((await press(world.ada, await untilOne(), 'Move to drafts')).status).toBe(200)
  await untilNone()
  await failPost(second, { retryable: false })
  expect(labelsOf((await untilOne()) ?? { actions: [] })[0]).toBe('Edit')
  await world.ada.fetchJson(`DELETE /api/posts/${second}`, undefined, 204)
  await untilNone()
  await world.ada.fetchJson(`POST /api/posts/${second}/restore`, {})
  await untilOne()
})

test('DSH-20 a hundred failed posts are one action, and retrying all of them ends it', async () => {
  await connect('many')
  const ids = await Promise.all(Array.from({ length: 100 }, (_, number) => draft(`Post ${number}`)))
  await Promise.all(ids.map((id) => failPost(id)))
  const [all] = await until(([only, ...more]) => more.length === 0 && only?.title === '100 posts to Sandbox failed')
  expect((await press(world.ada, all, 'Retry 50')).status).toBe(200)
  const [rest] = await until(([only]) => only?.title === '50 posts to Sandbox failed')
  expect((await press(world.ada, rest, 'Retry all')).status).toBe(200)
  await untilNone()
})

test('DSH-20 post whose outcome is unknown asks whether it was published', async () => {
  await connect('unknown')
  const [found, lost] = [await draft('Found'), await draft('Lost')]
  await failPost(found, { code: 'outcome_unknown', retryable: false })
  const question = await untilOne()
  expect(question).toMatchObject({ kind: 'social.post_unknown', title: 'Did this post reach Sandbox?' })
  const permalink = `https://sandbox.example/${found}`
  expect((await press(world.ada, question, 'Mark as published', { permalink })).status).toBe(200)
  await untilNone()
  await failPost(lost, { code: 'outcome_unknown', retryable: false })
  expect((await press(world.ada, await untilOne(), 'Send again')).status).toBe(200)
  await untilNone()
})

const signOut = async (id: string) => {
  await world.database.sql`UPDATE social.connections SET health = 'signed_out' WHERE id = ${id}`
  await world.provided.queue.enqueue(world.database.db, updateActions, { brandId, provider: 'sandbox' })
}

test('DSH-20 signed-out account is one action with its failed posts, until it is reconnected', async () => {
  const account = await connect('cafe')
  for (const text of ['One', 'Two']) await failPost(await draft(text), { code: 'signed_out' })
  await signOut(account)
  const [action] = await until(([only, ...more]) => more.length === 0 && only?.kind === 'social.account')
  expect(action).toMatchObject({ permission: 'accounts:read', resource: brandId })
  expect(action?.title).toMatch(/^Reconnect .*cafe.* on Sandbox$/)
  expect(action?.reason).toEndWith('2 posts failed since.')
  expect((await press(world.ada, action, 'See failed posts')).status).toBe(200)
  expect((await press(world.ada, action, 'Reconnect')).status).toBe(200)
  const [failed] = await until(([only, ...more]) => more.length === 0 && only?.kind === 'social.post_failed')
  expect(failed?.title).toBe('2 posts to Sandbox failed')
  await signOut(account)
  const [again] = await until(([only]) => only?.kind === 'social.account')
  expect((await press(world.ada, again, 'Deactivate')).status).toBe(200)
  await until(([only]) => only?.kind === 'social.post_failed')
})

test('DSH-20 SOC-02 actions of a brand are those of the organization that it was transferred to', async () => {
  const umbrella = world.mallory.things.organizations
  await world.database.sql`INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    VALUES (${umbrella}, ${world.ada.id}, 'admin', now())`
  await connect('moved')
  await failPost(await draft())
  expect((await untilOne())?.organization).toBe(world.ada.things.organizations)
  await world.ada.fetchJson(`POST /api/brands/${brandId}/transfer-organization`, { targetOrganizationId: umbrella })
  expect(await openActions(world, prefix)).not.toContainEqual(
    expect.objectContaining({ organization: world.ada.things.organizations }),
  )
  const [moved] = await until(([only]) => only?.organization === umbrella)
  expect((await press(world.mallory, moved, 'Move to drafts')).status).toBe(200)
  await untilNone()
})
