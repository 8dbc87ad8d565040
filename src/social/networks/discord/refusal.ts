import { z } from 'zod'
import { sanitizeText, truncate } from '#lib/text.ts'
import { readRefusal } from '../http.ts'
import type { Refusal, Unauthorized, Unclear } from '../network.ts'

/** Codes of Discord's errors. */
const codes = { unknownMessage: 10_008, unknownWebhook: 10_015, invalidToken: 50_027, tooLarge: 40_005 }

const ErrorBody = z.object({
  code: z.int().catch(0),
  errors: z.record(z.string(), z.unknown()).catch({}),
  global: z.boolean().catch(false),
  /** Seconds. */
  retry_after: z.number().min(0).optional().catch(undefined),
})
type ErrorBody = z.output<typeof ErrorBody>

export async function interpretRefusal(response: Response): Promise<Refusal | Unauthorized | Unclear> {
  const body = ErrorBody.parse(await readJson(response))
  const { code, global, retry_after: seconds = null } = body
  const outcome = await readRefusal('Discord', response, seconds === null ? null : Math.ceil(seconds * 1000))
  if (code === codes.unknownWebhook || code === codes.invalidToken || response.status === 401)
    return { kind: 'unauthorized', message: 'The webhook was deleted in Discord.' }
  if (outcome.kind !== 'refused') return outcome
  if (response.status === 403) return { ...outcome, code: 'permission_missing' }
  if (global) return { ...outcome, limitOf: 'host' }
  if (response.status === 413 || code === codes.tooLarge)
    return { ...outcome, code: 'media_refused', message: 'Discord refused a file because it is too large.' }
  const [field, reason] = firstError(body.errors)
  if (!field) return outcome
  const isMedia = ['attachments', 'files'].includes(field)
  return { ...outcome, ...(isMedia && { code: 'media_refused' }), message: `Discord refused the post: ${reason}` }
}

export const isMessageMissing = async (response: Response): Promise<boolean> =>
  response.status === 404 && ErrorBody.parse(await readJson(response)).code === codes.unknownMessage

const readJson = async (response: Response): Promise<unknown> => {
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null)
  return body ?? {}
}

const Leaf = z
  .object({ _errors: z.tuple([z.object({ message: z.string() })], z.unknown()) })
  .transform(({ _errors: [{ message }] }) => message)

/** The first field that Discord names, and what it says of it: its summary is only “Invalid Form Body”. */
function firstError(errors: Record<string, unknown>): [field: string, reason: string] | [] {
  for (const [field, value] of Object.entries(errors)) {
    const reason = findReason(value)
    if (reason !== null) return [field, truncate(sanitizeText(reason), 300)]
  }
  return []
}

function findReason(value: unknown, depth = 0): string | null {
  const leaf = Leaf.safeParse(value)
  if (leaf.success) return leaf.data
  if (typeof value !== 'object' || value === null || depth > 4) return null
  for (const part of Object.values(value)) {
    const reason = findReason(part, depth + 1)
    if (reason !== null) return reason
  }
  return null
}
