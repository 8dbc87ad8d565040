import { z } from 'zod'
import { optionalField, plainText } from '../text.ts'
import { Id } from '../ids.ts'
import { Day, Instant, Timestamp, TimeZone } from '../time.ts'

export const AuditEntry = z.object({
  id: Id,
  at: Timestamp,
  operation: z.string().describe('The name of the operation, or the path of a page or webhook.'),
  outcome: z.enum(['done', 'refused']),
  principal: z.object({ id: Id, principalType: z.string() }).nullable(),
  credential: z.object({ kind: z.string(), id: z.string() }).nullable(),
  onBehalfOf: Id.nullable().describe('The person on whose behalf a service acted.'),
  object: z.object({ kind: z.string(), id: z.string().nullable() }).nullable(),
  before: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('The changed fields before the change. Secrets are hidden.'),
  after: z.record(z.string(), z.unknown()).nullable().describe('The changed fields after the change.'),
  address: z.string().nullable(),
  requestId: Id,
})
export type AuditEntry = z.output<typeof AuditEntry>

export const AuditEvent = AuditEntry.extend({
  summary: z.string().describe('A description of the change, such as: Created API key “CI”. The wording can change.'),
  object: z
    .object({
      kind: z.string(),
      id: z.string().nullable(),
      name: z.string().nullable().describe('Null for an object that has no name or was deleted.'),
    })
    .nullable(),
  principal: z
    .object({
      id: Id,
      principalType: z.string(),
      name: z.string().nullable().describe('Null for services and deleted accounts.'),
    })
    .nullable(),
})
export type AuditEvent = z.output<typeof AuditEvent>

const AuditWord = plainText(200).trim().min(1)

const notATime = 'Must be a day, such as 2026-11-21, or an RFC 3339 time with an offset.'

export const AuditFilter = z.object({
  principalId: optionalField(Id),
  object: optionalField(AuditWord),
  objectId: optionalField(AuditWord),
  operation: optionalField(AuditWord),
  outcome: optionalField(AuditEntry.shape.outcome),
  from: optionalField(z.union([Day, Instant], notATime)).describe('A time, or a day in `timeZone`.'),
  to: optionalField(z.union([Day, Instant], notATime)).describe(
    'A time (exclusive), or a day in `timeZone` (inclusive).',
  ),
  timeZone: optionalField(TimeZone).describe('IANA time zone of the days in `from` and `to`. Default: `UTC`.'),
})
export type AuditFilter = z.output<typeof AuditFilter>
