import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { answerOf } from './objects.ts'
import { faultsOf, requestName } from './held-to-types.ts'

export interface StripeRequest {
  /** Such as `POST /v1/customers/:id`. */
  name: string
  path: string
  /** Of the body, or of the query of a GET. */
  form: string
  headers: Headers
  /** What Stripe's own types say against it. */
  faults: string[]
}

/** `reset` ends the connection without a response. */
type Reaction = Response | 'reset' | undefined
type Answer = (request: StripeRequest) => Reaction | Promise<Reaction>

export interface StripeServer {
  url: string
  requests: StripeRequest[]
  /** Answers requests; one for which it returns undefined gets an object of its kind. */
  answer(answer: Answer): void
  stop(): Promise<void>
}

/** A server that answers every request of the surface as Stripe does, and holds it to the types of Stripe's SDK. */
export async function openStripe(): Promise<StripeServer> {
  const requests: StripeRequest[] = []
  let scripted: Answer = () => undefined
  const receive = async (incoming: IncomingMessage): Promise<Response | 'reset'> => {
    const { method = '', headers } = incoming
    const { pathname, search } = new URL(incoming.url ?? '', 'http://localhost')
    const name = requestName(method, pathname)
    const form = method === 'POST' ? await text(incoming) : search.slice(1)
    const shown = new Headers(Object.entries(headers).map(([key, value]) => [key, String(value)]))
    const sent = { name, path: pathname, form, headers: shown, faults: faultsOf(name, form) }
    requests.push(sent)
    if (sent.faults.length > 0) return failure(400, { message: sent.faults.join() })
    const object = answerOf(method, pathname)
    return (await scripted(sent)) ?? (object ? Response.json(object) : failure(404, {}))
  }
  const server = createServer(async (incoming, outgoing) => {
    const answer = await receive(incoming)
    if (answer === 'reset') incoming.socket.destroy()
    else {
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers))
      outgoing.end(await answer.text())
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    requests,
    answer: (answer) => void (scripted = answer),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

export const failure = (status: number, error: object, headers: Record<string, string> = {}): Response =>
  Response.json(
    { error: { type: 'invalid_request_error', message: 'No.', doc_url: 'https://stripe.test/docs', ...error } },
    { status, headers },
  )
