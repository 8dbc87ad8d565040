import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { SubscriptionWebhook } from '../../src/payments/contract/subscriptions.ts'

type Received = z.output<typeof SubscriptionWebhook>
type Refusal = number | 'reset' | null

/** Of requests that the test itself sends. */
export const anyToken = 'any'

/** The dashboard as it will be: it takes changes of subscriptions, and refuses what isn’t in the contract. */
export async function openDashboard() {
  const received: Received[] = []
  const faults: string[] = []
  let refusalOf: (body: Received) => Refusal = () => null
  const take = async ({ method, url, headers }: IncomingMessage, sent: string): Promise<number | 'reset'> => {
    const fault = (status: number, problem: string) => {
      faults.push(problem)
      return status
    }
    if (method !== 'POST' || url !== '/api/internal/subscription-webhooks') return fault(404, `${method} ${url}`)
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
    if (token === undefined) return fault(401, 'No token')
    if (token !== anyToken && audienceOf(token) !== 'platform-dashboard-website')
      return fault(401, 'Token for another service')
    if (headers['content-type'] !== 'application/json') return fault(415, 'Not JSON')
    const body: Received = JSON.parse(sent)
    const parsed = z.safeEncode(SubscriptionWebhook, body)
    if (!parsed.success) return fault(422, z.prettifyError(parsed.error))
    if (token !== anyToken && headers['idempotency-key'] !== body.id) return fault(422, 'No Idempotency-Key')
    const refusal = refusalOf(body)
    if (refusal === null) received.push(body)
    return refusal ?? 200
  }
  const server = createServer(async (incoming, outgoing) => {
    const status = await take(incoming, await text(incoming))
    if (status === 'reset') incoming.socket.destroy()
    else outgoing.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return {
    url: origin,
    received,
    faults,
    refuse: (given: (body: Received) => Refusal) => void (refusalOf = given),
    send: async (body: unknown, headers: Record<string, string>) =>
      (
        await fetch(`${origin}/api/internal/subscription-webhooks`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        })
      ).status,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

export type Dashboard = Awaited<ReturnType<typeof openDashboard>>

const audienceOf = (token: string): unknown =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())['aud']
