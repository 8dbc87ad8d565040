import type { Context } from '../context.ts'
import { Problem } from '../errors.ts'
import { requireOwnOrigin } from '../request/origin.ts'
import type { Socket } from '../socket.ts'
import { admit } from './admission.ts'
import { giveBack } from './count-request.ts'
import { acceptsHost } from './hosts.ts'
import { createCall } from './create-call.ts'
import type { HttpDependencies } from './dependencies.ts'
import type { Route } from './routes.ts'

/** A WebSocket endpoint: Origin → authenticate → authorize → upgrade, which only a real listener can do. */
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
