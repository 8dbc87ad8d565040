import { z } from 'zod'
import { Timestamp } from '#lib/time.ts'
import { plainText } from '#lib/text.ts'

const Times = z.int().min(0).max(10_000).optional()

export const PracticeModelsBehavior = z.object({
  mode: z.enum(['ok', 'fail', 'rate_limit', 'timeout', 'cut']),
  status: z.int().min(400).max(599).optional().describe('Of `fail`; 500 by default.'),
  retryAfter: z.int().min(0).max(86_400).optional().describe('Of `rate_limit`, in seconds; 1 by default.'),
  latencyMs: z.int().min(0).max(60_000).optional().describe('Until the response begins.'),
  chunkMs: z.int().min(0).max(10_000).optional().describe('Between two events of a stream.'),
  tokens: z.int().min(1).max(100_000).optional().describe('Output tokens of a reply, up to its limit.'),
  times: Times.describe('How many requests are affected; any number by default.'),
})
export type PracticeModelsBehavior = z.output<typeof PracticeModelsBehavior>

/** Forms send text, and nothing for an empty field. */
const blank = <Value extends z.ZodType>(value: Value) =>
  z.preprocess((given) => (given === '' ? undefined : given), value)
const number = <Value extends z.ZodType>(value: Value) =>
  z.preprocess(
    (given) => (given === '' ? undefined : typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given),
    value,
  )

export const BehaviorScope = z.object({
  model: blank(plainText(100).optional()).describe('Only requests for this model.'),
  apiKey: blank(plainText(300).optional()).describe('Only requests with this API key.'),
})
export type BehaviorScope = z.output<typeof BehaviorScope>

const { status, retryAfter, latencyMs, chunkMs, tokens, times } = PracticeModelsBehavior.shape
export const BehaviorChange = z.object({
  mode: PracticeModelsBehavior.shape.mode,
  status: number(status),
  retryAfter: number(retryAfter),
  latencyMs: number(latencyMs),
  chunkMs: number(chunkMs),
  tokens: number(tokens),
  times: number(times),
  ...BehaviorScope.shape,
})

export const PracticeModelRequest = z.object({
  at: Timestamp,
  method: z.string(),
  path: z.string(),
  model: z.string().nullable(),
  keyEnding: z.string().nullable().describe('The last four characters of its API key.'),
  headers: z.array(z.object({ name: z.string(), value: z.string() })).describe('Without credentials.'),
  body: z.unknown().describe('JSON, or the fields of a form; null when it is neither or longer than 64 KiB.'),
  bytes: z.int(),
  status: z.int().nullable().describe('Null until it is known, and for a request that gets no response.'),
})
export type PracticeModelRequest = z.output<typeof PracticeModelRequest>

export const PracticeModelRequestList = z.object({
  items: z.array(PracticeModelRequest).describe('Newest first; at most 200, since this process started.'),
})
