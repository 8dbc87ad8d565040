import { z } from 'zod'
import { AuditEvent, AuditFilter } from '#lib/audit/contract.ts'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'

/** A line of the CSV export. */
export const AuditLine = z.object({
  at: AuditEvent.shape.at,
  who: z.string().nullable(),
  principalId: z.string().nullable(),
  credential: z.string().nullable(),
  credentialId: z.string().nullable(),
  operation: z.string(),
  summary: z.string(),
  outcome: AuditEvent.shape.outcome,
  object: z.string().nullable(),
  objectId: z.string().nullable(),
  objectName: z.string().nullable(),
  address: z.string().nullable(),
  requestId: Id,
})

export const PaymentAuditList = listOf(AuditEvent)

export const PaymentAuditFilter = AuditFilter

export const PaymentAuditOptions = z.object({
  people: z.array(z.object({ id: Id, name: z.string() })).describe('Who did something lately.'),
  operations: z.array(z.string()).describe('Used lately, the most used first.'),
})
export type PaymentAuditOptions = z.output<typeof PaymentAuditOptions>
