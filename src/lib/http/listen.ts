import { problemDocument } from '../errors.ts'
import { newId } from '../ids.ts'
import { errorFacts, type Log } from '../log.ts'
import { StartupError } from '../startup-error.ts'
import { internalError } from './answer.ts'
import type { Handler } from './dependencies.ts'
import { createWebSockets, type SocketData } from './websocket.ts'

interface Address {
  hostname: string
  port: number
}

export interface Listener extends Address {
  url: URL
  openSockets(): number
  /** Closes WebSockets and event streams, accepts no more requests, and waits for running ones; `atOnce` aborts them. */
  stop(atOnce?: boolean): Promise<void>
}

const maxBodyBytes = 16 * 1024 * 1024 * 1024
const idleTimeoutSeconds = 60

/** @throws {StartupError} when it can't listen on the address */
export function listen({ hostname, port }: Address, handle: Handler, log: Log): Listener {
  const sockets = createWebSockets(log)
  const stopping = new AbortController()
  try {
    const server = Bun.serve<SocketData>({
      hostname,
      port,
      idleTimeout: idleTimeoutSeconds,
      maxRequestBodySize: maxBodyBytes,
      // Bun's own error page shows source code.
      development: false,
      error: (error) => failureResponse(error, log),
      fetch: async (request, own) => {
        const address = own.requestIP(request)?.address ?? 'gone'
        const upgrade = sockets.upgradeOf(request, own)
        const response = await handle(request, address, upgrade, () => own.timeout(request, 0))
        return response.status === 101 ? undefined : endStreamOn(stopping.signal, response)
      },
      websocket: sockets.handler,
    })
    return {
      hostname: server.hostname ?? hostname,
      port: server.port ?? port,
      url: server.url,
      openSockets: sockets.count,
      stop: async (atOnce) => {
        sockets.closeAll()
        stopping.abort('The server is stopping')
        await server.stop(atOnce)
      },
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartupError(
      `Atrium can’t listen on ${hostname}:${port} (${reason}). Another program could be using that port. Stop it, or choose another port with PORT.`,
    )
  }
}

/** Event streams don't end by themselves. Their clients reconnect to another server. */
function endStreamOn(signal: AbortSignal, response: Response): Response {
  const isEvents = response.headers.get('content-type') === 'text/event-stream'
  return isEvents && response.body
    ? new Response(response.body.pipeThrough(new TransformStream(), { signal }), response)
    : response
}

export function failureResponse(error: unknown, log: Log, requestId = newId()): Response {
  log.error('failed', { request: requestId, ...errorFacts(error) })
  return Response.json(problemDocument(internalError(error), requestId), {
    status: 500,
    headers: {
      'Content-Type': 'application/problem+json',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
    },
  })
}
