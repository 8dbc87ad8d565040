import { z } from 'zod'
import { plainText } from '#lib/text.ts'
import { Timestamp } from '#lib/time.ts'

export const RequestKind = z.enum(['start', 'chunk', 'probe', 'api'])
export type RequestKind = z.output<typeof RequestKind>

export const PracticeVideoBehavior = z.object({
  mode: z.enum(['ok', 'fail', 'rate_limit', 'timeout', 'cut', 'lose_answer', 'expire_session']),
  on: RequestKind.optional().describe('Only the start of an upload, its chunks, its probes, or everything else.'),
  status: z
    .int()
    .min(400)
    .max(599)
    .optional()
    .describe('Of `fail`, 500 by default, and of `expire_session`, 404 (the default) or 410.'),
  retryAfter: z.int().min(0).max(86_400).optional().describe('Of `rate_limit`, in seconds; 1 by default.'),
  chunkDelayMs: z.int().min(0).max(60_000).optional().describe('Before each 4 MiB of an upload are stored.'),
  times: z.int().min(0).max(10_000).optional().describe('How many requests are affected; any number by default.'),
})
export type PracticeVideoBehavior = z.output<typeof PracticeVideoBehavior>

/** Forms send text, and nothing for an empty field. */
const optional = <Value extends z.ZodType>(value: Value) =>
  z.preprocess(
    (given) => (given === '' ? undefined : typeof given === 'string' && /^\d+$/.test(given) ? Number(given) : given),
    value,
  )
const blank = <Value extends z.ZodType>(value: Value) =>
  z.preprocess((given) => (given === '' ? undefined : given), value)

export const BehaviorScope = z.object({
  project: blank(plainText(30).optional()).describe('Only requests whose token belongs to this project.'),
})

export const ProjectQuery = z.object({ project: z.string().regex(/^\d{1,20}$/, 'Must be a project number.') })

const { mode, on, status, retryAfter, chunkDelayMs, times } = PracticeVideoBehavior.shape
export const VideoBehaviorChange = z.object({
  mode,
  on: blank(on),
  status: optional(status),
  retryAfter: optional(retryAfter),
  chunkDelayMs: optional(chunkDelayMs),
  times: optional(times),
  ...BehaviorScope.shape,
})

export const PracticeVideoList = z.object({
  items: z
    .array(
      z.object({
        id: z.string(),
        uploadId: z.string(),
        project: z.string(),
        account: z.string(),
        title: z.string(),
        privacy: z.string(),
        contentType: z.string(),
        length: z.int(),
        sha256: z.string().nullable().describe('Null when several processes received it: compare the pieces.'),
        pieces: z
          .array(z.object({ startsAt: z.int(), length: z.int(), sha256: z.string() }))
          .describe('As they were stored. At most 4 MiB each.'),
        requests: z.int().describe('PUT requests of its upload, probes included.'),
        thumbnail: z.object({ length: z.int(), sha256: z.string() }).nullable(),
        createdAt: Timestamp,
      }),
    )
    .describe('Newest first; at most 100.'),
})
export type PracticeVideoList = z.input<typeof PracticeVideoList>

export const PracticeVideoRequestList = z.object({
  items: z
    .array(
      z.object({
        at: Timestamp,
        method: z.string(),
        path: z.string().describe('With its query.'),
        project: z.string().nullable(),
        account: z.string().nullable(),
        headers: z.array(z.object({ name: z.string(), value: z.string() })).describe('Without credentials.'),
        status: z.int().nullable().describe('Null for a request that got no response.'),
        reason: z.string().nullable().describe('Of a refusal.'),
      }),
    )
    .describe('Newest first; at most 200, since this process started.'),
})

export const PracticeVideoQuota = z.object({
  project: z.string(),
  day: z.string().describe('In Pacific time.'),
  buckets: z.array(z.object({ bucket: z.string(), used: z.int(), limit: z.int() })),
})

/** The properties of a video that its owner can write. */
export interface VideoInput {
  snippet: {
    title: string
    description?: string
    tags?: string[]
    categoryId?: string
    defaultLanguage?: string
    defaultAudioLanguage?: string
  }
  status: {
    privacyStatus?: string
    embeddable?: boolean
    license?: string
    publicStatsViewable?: boolean
    publishAt?: string
    selfDeclaredMadeForKids?: boolean
    containsSyntheticMedia?: boolean
  }
  recordingDetails?: Record<string, unknown>
  localizations?: Record<string, unknown>
}

export interface Thumbnail {
  length: number
  sha256: string
}
