import { z } from 'zod'
import { unauthorized } from '#lib/errors.ts'
import { credentialOf } from '#lib/http/admission.ts'
import { issueLiveToken, tokenLifetimeSeconds } from '#lib/live/tokens.ts'
import { operation } from '#lib/operation.ts'
import { socket } from '#lib/socket.ts'

const LiveToken = z.object({
  token: z.string().describe('Send it as the first message of a WebSocket at `/api/live`. It can be used once.'),
  expiresIn: z.number().describe('Seconds.'),
})

export const createLiveToken = operation({
  route: 'POST /api/live/token',
  summary: 'Create a token for the WebSocket `/api/live`',
  permission: 'known',
  // Every opened page requests a token, which changes nothing.
  limit: 'reads',
  audit: false,
  input: z.object({}),
  output: LiveToken,
  run: async (call) => {
    const credential = credentialOf(call.request, call.config.PUBLIC_URL?.startsWith('https:') ?? false)
    if (!credential) throw unauthorized()
    return { token: await issueLiveToken(call, credential), expiresIn: tokenLifetimeSeconds }
  },
})

/** DSH-21. The protocol is in src/lib/live/protocol.ts. */
export const liveSocket = socket({
  path: '/api/live',
  summary: 'Subscribe to topics',
  // The token is in the first message, since browsers can't send custom headers with a WebSocket.
  permission: 'public',
  open: (peer, call) => call.live.open(peer, call),
})
