import { openDatabase } from '#lib/db.ts'
import type { Post } from '#social/types'
import { eventually } from '../boot/program.ts'
import { sellerOn } from './payments-site.ts'
import { newPerson } from './person.ts'
import type { Publisher, TestSite } from './test-site.ts'

/** A morning in an organization: each service raises what it needs a person for. */
export async function raiseMorning(stage: TestSite, ada: Publisher): Promise<{ stop(): Promise<void> }> {
  const gone = Promise.withResolvers<void>()
  let status = 410
  const hooks = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      gone.resolve()
      return new Response(null, { status })
    },
  })
  const joining = join(stage, ada)
  await Promise.all([failPosts(ada), signAccountOut(stage, ada), useUpBudget(ada), disable(ada, hooks.port ?? 0)])
  const bea = await joining
  await ada.fetchJson('PUT /api/pay/settings', { refundCeilings: { EUR: 1_000 } })
  await bea('PUT /api/pay/settings', { refundCeilings: { EUR: 5_000 } })
  await Promise.all([requestRefund(stage, ada, bea), openDispute(stage, ada)])
  await gone.promise
  status = 200
  return { stop: () => hooks.stop(true) }
}

type Send = (route: string, body?: unknown) => Promise<unknown>

/** Two posts that the network refuses, and one whose outcome it doesn’t confirm. */
async function failPosts(ada: Publisher): Promise<void> {
  const publish = async (text: string) => {
    const { id } = await ada.fetchJson<Post>('POST /api/posts', { brandId: ada.brandId, provider: 'sandbox', text })
    await ada.fetchJson(`POST /api/posts/${id}/publish-now`)
    await ended(ada, id)
  }
  await ada.setBehavior({ mode: 'lose_answer', readBack: false, times: 1 })
  await publish('Was it posted?')
  await ada.setBehavior({ mode: 'fail', status: 400, times: 2 })
  await publish('Refused first')
  await publish('Refused second')
}

async function ended(ada: Publisher, id: string): Promise<void> {
  const hasFailed = async () => (await ada.fetchJson<Post>(`GET /api/posts/${id}`)).status === 'failed'
  if (!(await eventually(hasFailed))) throw new Error('The post did not fail')
}

/** The sandbox never signs an account out, so the database says it did; the post that fails then raises the action. */
async function signAccountOut(stage: TestSite, ada: Publisher): Promise<void> {
  const { id: brandId } = await ada.fetchJson<{ id: string }>('POST /api/brands', { name: 'Roastery', timeZone: 'UTC' })
  const form = { brandId, handle: `roastery-${brandId.slice(-6)}` }
  const route = 'POST /api/integrations/sandbox/connect'
  const { connection } = await ada.fetchJson<{ connection: { id: string } }>(route, form)
  const { sql, close } = openDatabase(stage.database.url, 1)
  await sql`UPDATE social.connections SET health = 'signed_out' WHERE id = ${connection.id}`
  await close()
  const post = { brandId, provider: 'sandbox', text: 'Fresh beans', status: 'scheduled', scheduledAt: 'now' }
  await ended(ada, (await ada.fetchJson<Post>('POST /api/posts', post)).id)
}

async function useUpBudget(ada: Publisher): Promise<void> {
  const applicationId = 'newsletter'
  const scope = { scope_type: 'application', scope_value: applicationId, period: 'month' }
  await ada.fetchJson('POST /api/limits', { ...scope, mode: 'hard', limitNanoUsd: 1_000_000_000 })
  const used = { family: 'ai', provider: 'practice', model: 'practice-small', unit: 'token', quantity: 1_000 }
  const event = { ...used, requestId: crypto.randomUUID(), applicationId, costNanoUsd: 2_000_000_000 }
  await ada.fetchJson('POST /platform/usage/events', [event])
}

/** Its URL responds with 410 Gone. */
async function disable(ada: Publisher, port: number): Promise<void> {
  const draft = { name: 'Shop', url: `http://127.0.0.1:${port}/hook`, events: ['post.published'] }
  const { id } = await ada.fetchJson<{ id: string }>('POST /api/webhooks', draft)
  await ada.fetchJson(`POST /api/webhooks/${id}/test`, {})
}

/** A second person accepts ada’s invitation. */
async function join(stage: TestSite, ada: Publisher): Promise<Send> {
  const { email, password } = newPerson()
  await ada.fetchJson(`POST /api/organizations/${ada.organizationId}/invitations`, { email, role: 'admin' })
  const inbox = `${stage.server.url}/dev/mailbox/api/mails`
  const read = async <Answer>(url: string): Promise<Answer> => {
    const answer: Answer = await (await fetch(url)).json()
    return answer
  }
  let token: string | undefined
  const hasArrived = async () => {
    const { items } = await read<{ items: { id: string }[] }>(`${inbox}?q=${email}`)
    if (items[0])
      token = /\/invitations\/([\w-]+)/.exec((await read<{ text: string }>(`${inbox}/${items[0].id}`)).text)?.[1]
    return token !== undefined
  }
  if (!(await eventually(hasArrived))) throw new Error('The invitation did not arrive')
  const signedUp = await fetch(`${stage.server.url}/api/invitations/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, name: 'Bea Brown', password }),
  })
  const { accessToken }: { accessToken: string } = await signedUp.json()
  return async (route, body) => {
    const [method, path] = route.split(' ')
    const response = await fetch(`${stage.server.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${route} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
}

async function requestRefund(stage: TestSite, ada: Publisher, bea: Send): Promise<void> {
  const { id } = await sellerOn(stage, ada).sell('Grinder', 10_000)
  await bea('POST /api/refunds', { orderId: id, amount: 10_000 })
}

/** The bank of the customer with this card opens a dispute. */
async function openDispute(stage: TestSite, ada: Publisher): Promise<void> {
  const shop = sellerOn(stage, ada)
  const order = await shop.createOrder('Filter', 900)
  const payment = await shop.pay(order.id, '4000000000000259')
  const isOpen = async () => {
    await ada.fetchJson(`POST /api/payments/${payment.id}/check`, {})
    return (await ada.fetchJson<{ disputes: unknown[] }>(`GET /api/orders/${order.id}`)).disputes.length > 0
  }
  if (!(await eventually(isOpen))) throw new Error('The practice provider opened no dispute')
}
