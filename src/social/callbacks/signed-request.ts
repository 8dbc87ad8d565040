import { z } from 'zod'
import { Problem } from '#lib/errors.ts'

const UserId = z.union([z.string(), z.int().transform(String)]).pipe(z.string().regex(/^\d{1,30}$/))
const Payload = z.object({
  user_id: UserId,
  algorithm: z.string().regex(/^hmac-sha256$/i),
  issued_at: z.number().min(0).max(1e11).catch(0),
})

interface Callback {
  userId: string
  /** Zero when it doesn’t say. */
  issuedAt: Date
}

/** Not verified yet. @throws {Problem} 400 */
export function readPayload(signedRequest: string): Callback {
  const payload = Payload.safeParse(parseJson(signedRequest.split('.')[1] ?? ''))
  if (!payload.success) throw badSignature()
  const { user_id: userId, issued_at: seconds } = payload.data
  return { userId, issuedAt: new Date(seconds * 1000) }
}

export const badSignature = (): Problem =>
  new Problem(400, 'bad_signature', 'signed_request isn’t signed by the app that this server uses.')

/** IDs can be numbers that JavaScript would round. */
function parseJson(encoded: string): unknown {
  const text = Buffer.from(encoded, 'base64url').toString()
  try {
    return JSON.parse(text.replace(/("user_id"\s*:\s*)(\d+)/, '$1"$2"'))
  } catch {
    return null
  }
}
