import { z } from 'zod'
import { unauthorized } from '#lib/errors.ts'
import { credentialOf } from '#lib/http/admission.ts'
import { issueLiveToken, tokenLifetime } from '#lib/live/tokens.ts'
import { operation } from '#lib/operation.ts'
import { socket } from '#lib/socket.ts'

const LiveToken = z.object({
  token: z.string().describe('Opens one WebSocket at `/api/live`, once. Send it there as the first message.'),
  expiresIn: z.number().describe('Seconds.'),
})

export const createLiveToken = operation({
  route: 'POST /api/live/token',
  summary: 'Get a token for the WebSocket `/api/live`, which tells when something changed',
  permission: 'known',
  // A page asks for one each time that it is opened: that is no change of anything.
  limit: 'reads',
  audit: false,
  input: z.object({}),
  output: LiveToken,
  run: async (call) => {
    const credential = credentialOf(call.request, call.config.PUBLIC_URL?.startsWith('https:') ?? false)
    if (!credential) throw unauthorized()
    return { token: await issueLiveToken(call, credential), expiresIn: tokenLifetime }
  },
})

/** The one channel of a browser tab (DSH-21). Its protocol: src/lib/live/protocol.ts. */
export const liveSocket = socket({
  path: '/api/live',
  summary: 'Tells which topics changed',
  // Its first message carries the token, since browsers send no headers of ours with a WebSocket.
  permission: 'public',
  open: (peer, call) => call.live.open(peer, call),
})
