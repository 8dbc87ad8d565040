import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import type { Post } from '#social/types'
import { operations } from '../operations/every.ts'
import { openWorld, type Caller, type World } from '../support/world.ts'

let world: World
let brandId: string
let machine: Caller & { credential: Record<string, string> }

beforeAll(async () => {
  world = await openWorld()
  const brand = { name: 'Gated', slug: `g-${crypto.randomUUID()}` }
  brandId = (await world.ada.fetchJson<{ id: string }>('POST /api/brands', brand, 201)).id
  const settings = { reviewPolicy: { approvals: 1, allowAuthor: false }, queueSlots: [{ day: 1, time: '09:00' }] }
  await world.ada.fetchJson(`PUT /api/brands/${brandId}`, settings)
  machine = await world.ada.createKey({ scopes: ['posts.read', 'posts.write'] })
})
afterAll(() => world.close())

const soon = () => new Date(Date.now() + 3_600_000).toISOString()

/** What each way to publish sends, and the operation’s route with its fields in braces. */
const ways: Record<string, (id: string) => { tool: string; input: Record<string, unknown> }> = {
  schedule: (id) => ({ tool: 'updatePost', input: { id, status: 'scheduled', scheduledAt: soon() } }),
  'next slot': (id) => ({ tool: 'updatePost', input: { id, status: 'scheduled', scheduledAt: 'next-slot' } }),
  'publish now': (id) => ({ tool: 'publishPostNow', input: { id } }),
  'bulk reschedule': (id) => ({
    tool: 'changePosts',
    input: { action: 'reschedule', ids: [id], scheduledAt: soon() },
  }),
  'bulk publish now': (id) => ({ tool: 'changePosts', input: { action: 'publish-now', ids: [id] } }),
  'retry of a failed post': (id) => ({ tool: 'retryPost', input: { id } }),
  'restore of a scheduled post': (id) => ({ tool: 'restorePost', input: { id } }),
}

const Answer = z.object({
  result: z.object({ content: z.array(z.object({ text: z.string() })) }),
})

const byRequest = (caller: () => Caller) => async (tool: string, input: Record<string, unknown>) => {
  const { id, ...body } = input
  const route = operations.find(({ name }) => name === tool)?.route ?? ''
  return (await caller().fetch(route.replace(':id', String(id)), body)).text()
}

async function byTool(name: string, input: Record<string, unknown>): Promise<string> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
  const headers = { accept: 'application/json, text/event-stream', ...machine.credential }
  const response = await world.stranger.fetch('POST /mcp', message, headers)
  const text = await response.text()
  const { result } = Answer.parse(JSON.parse(text.slice(text.indexOf('{'))))
  return result.content.map((part) => part.text).join('\n')
}

const callers = { person: byRequest(() => world.ada), 'API key': byRequest(() => machine), 'MCP client': byTool }

async function prepare(way: string): Promise<string> {
  const { sql } = world.database
  const draft = { brandId, provider: 'sandbox', text: `Unapproved: ${way}` }
  const { id } = await world.ada.fetchJson<Post>('POST /api/posts', draft, 201)
  if (way.startsWith('retry'))
    await sql`UPDATE social.posts SET status = 'failed', failure_code = 'refused', failed_at = now() WHERE id = ${id}`
  if (way.startsWith('restore')) {
    await sql`UPDATE social.posts SET status = 'scheduled', scheduled_at = now() + interval '1 hour',
      due_at = now() + interval '1 hour' WHERE id = ${id}`
    await world.ada.fetchJson(`DELETE /api/posts/${id}`, undefined, 204)
  }
  return id
}

test.each(Object.keys(callers).flatMap((caller) => Object.keys(ways).map((way) => [caller, way] as const)))(
  'SOC-49 unapproved post isn’t scheduled for a %s by %s',
  async (caller, way) => {
    const id = await prepare(way)
    const { tool, input } = ways[way]?.(id) ?? { tool: '', input: {} }
    const send = Object.entries(callers).find(([name]) => name === caller)?.[1]
    const answer = await send?.(tool, input)
    if (!way.startsWith('restore')) expect(answer).toContain('approval_required')
    const { status, scheduledAt } = await world.ada.fetchJson<Post>(`GET /api/posts/${id}`)
    expect({ status, scheduledAt }).toEqual({ status: way.startsWith('retry') ? 'failed' : 'draft', scheduledAt: null })
  },
)

test.each(Object.keys(callers))('SOC-49 draft is planned and its review requested by a %s', async (caller) => {
  const id = await prepare('plan')
  const send = Object.entries(callers).find(([name]) => name === caller)?.[1]
  const at = '2099-06-02T07:00:00.000Z'
  await send?.('updatePost', { id, status: 'draft', scheduledAt: at, requestReview: true })
  const { status, scheduledAt, reviewState } = await world.ada.fetchJson<Post>(`GET /api/posts/${id}`)
  expect({ status, scheduledAt, reviewState }).toEqual({ status: 'draft', scheduledAt: at, reviewState: 'requested' })
})

test('SOC-49 person can’t approve what their own agent wrote, however it was written', async () => {
  const agents = `/api/organizations/${world.ada.things.organizations}/agents`
  const agent = await world.ada.fetchJson<{ id: string }>(`POST ${agents}`, { name: 'Robot', role: 'editor' }, 201)
  const robot = await world.ada.createKey({ scopes: ['posts.read', 'posts.write'], agentId: agent.id })
  const draft = { brandId, provider: 'sandbox', text: 'Of the agent' }
  const post = await robot.fetchJson<Post>('POST /api/posts', draft, 201)
  const thread = { ...draft, text: undefined, thread: [{ text: 'One' }, { text: 'Two' }] }
  const { items } = await robot.fetchJson<{ items: Post[] }>('POST /api/posts', thread, 201)
  const copy = await robot.fetchJson<Post>(`POST /api/posts/${post.id}/duplicate`, {}, 201)
  const targets = [{ provider: 'sandbox' }, { provider: 'bluesky' }]
  const copies = await robot.fetchJson<{ items: Post[] }>(`POST /api/posts/${post.id}/duplicate`, { targets }, 201)
  const approve = async ({ id, version }: Post) => {
    const answer = await world.ada.fetch(`POST /api/posts/${id}/reviews`, { decision: 'approve', version })
    return [answer.status, (await answer.json()).code]
  }
  for (const written of [post, ...items, copy, ...copies.items])
    expect(await approve(written)).toEqual([403, 'second_factor_needed'])
  const eve = await world.join(world.ada, { name: 'Eve', role: 'editor' })
  const write = () => eve.fetchJson<Post>('POST /api/posts', { ...draft, text: 'Of Eve' }, 201)
  const [edited, kept] = [await write(), await write()]
  const edit = { text: 'Edited by the agent' }
  expect(await approve(await robot.fetchJson<Post>(`PUT /api/posts/${edited.id}`, edit))).toEqual([
    403,
    'second_factor_needed',
  ])
  expect(await approve(kept)).toEqual([201, undefined])
})
