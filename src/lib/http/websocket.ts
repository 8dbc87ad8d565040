import type { ServerWebSocket, WebSocketHandler } from 'bun'
import type { Context } from '../context.ts'
import { Problem, retryLater } from '../errors.ts'
import { errorFacts, type Log } from '../log.ts'
import { requireOwnOrigin } from '../request/origin.ts'
import type { OpenSocket, Upgrade } from '../request/upgrade.ts'
import type { Socket, Connection } from '../socket.ts'
import { admit, giveBack } from './admission.ts'
import { createCall } from './create-call.ts'
import type { HttpDependencies } from './dependencies.ts'
import { acceptsHost, type Route } from './routes.ts'

export const socketRoute = (http: HttpDependencies, context: Context, socket: Socket): Route => ({
  method: 'GET',
  path: socket.path,
  context,
  run: async (requestContext) => {
    const { facts } = requestContext
    requireOwnOrigin(facts, (hostname) => acceptsHost(http.hosts, hostname), http.allowedOrigins)
    if (facts.headers.get('upgrade')?.toLowerCase() !== 'websocket') throw upgradeRequired()
    const actor = await admit(http, requestContext, { context, permission: socket.permission, limit: 'reads' })
    const call = { ...createCall(http, requestContext, socket.path, actor, null), input: null }
    const authenticated = () => giveBack(http, requestContext, 'reads')
    if (!requestContext.upgrade?.((wire) => socket.open({ ...wire, authenticated }, call))) throw upgradeRequired()
    return new Response(null, { status: 101 })
  },
})

const upgradeRequired = () =>
  new Problem(426, 'upgrade_required', 'This endpoint is a WebSocket. Connect with ws:// or wss://.', {
    headers: { Upgrade: 'websocket', Connection: 'Upgrade' },
  })

export interface SocketData {
  open: OpenSocket
  connection?: Connection
}

const maxMessageBytes = 16 * 1024
/** Seconds without a message or pong. Bun sends pings in time. */
const idleTimeoutSeconds = 60
const maxBacklogBytes = 64 * 1024
const maxSockets = 10_000

export function createWebSockets(log: Log) {
  const sockets = new Set<ServerWebSocket<SocketData>>()
  let isClosing = false

  const runGuarded = (ws: ServerWebSocket<SocketData>, step: () => void) => {
    try {
      step()
    } catch (error) {
      log.error('socket failed', errorFacts(error))
      ws.close(1011, 'Something went wrong on our side')
    }
  }
  const handler: WebSocketHandler<SocketData> = {
    maxPayloadLength: maxMessageBytes,
    idleTimeout: idleTimeoutSeconds,
    sendPings: true,
    backpressureLimit: maxBacklogBytes,
    closeOnBackpressureLimit: true,
    perMessageDeflate: false,
    open: (ws) => {
      sockets.add(ws)
      if (isClosing) return ws.close(1012, 'This server is stopping')
      const send = (message: object) => void ws.send(JSON.stringify(message))
      runGuarded(ws, () => {
        ws.data.connection = ws.data.open({ send, close: (code, reason) => ws.close(code, reason) })
      })
    },
    message: (ws, message) => {
      if (typeof message !== 'string') return ws.close(1003, 'Send text, not bytes')
      runGuarded(ws, () => ws.data.connection?.message(message))
    },
    close: (ws) => {
      sockets.delete(ws)
      runGuarded(ws, () => ws.data.connection?.close())
    },
  }

  return {
    handler,
    count: () => sockets.size,
    upgradeOf:
      (request: Request, server: Bun.Server<SocketData>): Upgrade =>
      (open) => {
        if (isClosing || sockets.size >= maxSockets) throw tooManySockets()
        return server.upgrade(request, { data: { open } })
      },
    /** Makes clients reconnect, to another server or the next process. */
    closeAll: () => {
      isClosing = true
      for (const ws of sockets) ws.close(1012, 'This server is stopping')
    },
  }
}

const tooManySockets = () =>
  retryLater(503, 'too_many_sockets', 'This server can’t open more WebSockets right now. Try again in a moment.', {
    retryAfter: 30,
  })
