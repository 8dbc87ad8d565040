import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Instant, Timestamp } from '#lib/time.ts'
import { plainText } from '#lib/text.ts'

export const Handle = z
  .string()
  .regex(/^[a-z0-9_.-]{1,30}$/, 'Must be at most 30 lowercase letters, digits, dots, hyphens and underscores.')

export const SandboxPost = z.object({
  id: Id,
  text: z.string(),
  replyTo: Id.nullable(),
  media: z.array(z.object({ id: Id, alt: z.string() })),
  receivedAt: Timestamp,
  editedAt: Timestamp.nullable(),
})
export type SandboxPost = z.output<typeof SandboxPost>
export type StoredPost = z.input<typeof SandboxPost>

export const Timeline = z.object({ handle: Handle, posts: z.array(SandboxPost).describe('Oldest first.') })
export type Timeline = z.output<typeof Timeline>

export const Incoming = z.object({
  text: plainText(2000).min(1, 'Enter some text.'),
  replyTo: Id.nullable().default(null),
  media: z
    .array(z.object({ id: Id, alt: plainText(1500).default('') }))
    .max(4)
    .default([]),
})
export type Incoming = z.output<typeof Incoming>

export const Edited = Incoming.pick({ text: true })
export type Edited = z.output<typeof Edited>

export const TimelineQuery = z.object({ since: Instant.optional() })

export const Behavior = z.object({
  mode: z.enum(['ok', 'fail', 'rate_limit', 'timeout', 'lose_answer']),
  status: z.int().min(400).max(599).optional(),
  /** Seconds. */
  retryAfter: z.int().min(0).max(86_400).optional(),
  latencyMs: z.int().min(0).max(60_000).optional(),
  times: z.int().min(0).max(10_000).optional(),
  readBack: z.boolean().optional(),
})
export type Behavior = z.output<typeof Behavior>

/** Forms send text, JSON sends values. */
const form = <Value extends z.ZodType>(value: Value) =>
  z.preprocess((given) => (given === '' ? undefined : typeof given === 'string' ? Number(given) : given), value)

export const BehaviorChange = Behavior.extend({
  status: form(Behavior.shape.status),
  retryAfter: form(Behavior.shape.retryAfter),
  latencyMs: form(Behavior.shape.latencyMs),
  times: form(Behavior.shape.times),
  readBack: z.preprocess((given) => (typeof given === 'string' ? given === 'true' : given), Behavior.shape.readBack),
})
