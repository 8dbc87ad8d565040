import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { Units } from '#lib/money.ts'
import { webhookEvent } from '#lib/outgoing-webhooks/event.ts'
import { BatchStatus, ItemStatus } from '../contract/settlements.ts'

/** Of callbacks too, without the ID. */
export const settlementUpdated = webhookEvent({
  type: 'settlement.updated',
  summary: 'A settlement batch or items of it changed',
  permission: 'transactions:read',
  data: z.object({
    settlementId: Id,
    batchId: z.string(),
    sequence: z.int(),
    status: BatchStatus,
    items: z.array(
      z.object({
        reference: z.string(),
        status: ItemStatus,
        failureCode: z.string().nullable(),
        returnedAmount: Units,
      }),
    ),
  }),
})
