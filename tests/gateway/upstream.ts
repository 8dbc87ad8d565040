/** A provider on loopback whose answers a test scripts, with the requests that it got. */
export interface ScriptedUpstream {
  /** Its base URL. */
  url: string
  requests: { path: string; headers: Headers; body: unknown }[]
  /** Answers one request each, first come first served; the last one answers all others too. */
  answer(...answers: Answer[]): void
  stop(): void
}

type Answer = (request: Request, body: unknown) => Response | Promise<Response>

export function openUpstream(...first: Answer[]): ScriptedUpstream {
  const requests: ScriptedUpstream['requests'] = []
  let answers: Answer[] = first
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 255,
    fetch: async (request) => {
      const isJson = request.headers.get('content-type')?.startsWith('application/json') ?? false
      const body: unknown = isJson ? await request.clone().json() : null
      requests.push({ path: new URL(request.url).pathname, headers: request.headers, body })
      const next = answers.length > 1 ? answers.shift() : answers[0]
      return next ? next(request, body) : new Response(null, { status: 500 })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    requests,
    answer: (...next) => void (answers = next),
    stop: () => void server.stop(true),
  }
}

/** Server-sent events as a provider sends them, each in a chunk of its own. */
export const eventStream = (events: readonly string[], status = 200): Response => {
  const encoder = new TextEncoder()
  const left = [...events]
  return new Response(
    new ReadableStream({
      async pull(controller) {
        const next = left.shift()
        if (next === undefined) return controller.close()
        controller.enqueue(encoder.encode(next))
        await Bun.sleep(1)
      },
    }),
    { status, headers: { 'content-type': 'text/event-stream' } },
  )
}
