import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { listOf } from '#lib/paginate.ts'
import { Timestamp } from '#lib/time.ts'

export const Export = z.object({
  id: Id,
  organizationId: Id.nullable().describe('Null for an export of your own account.'),
  state: z.enum(['running', 'ready', 'failed']),
  requestedAt: Timestamp,
  settledAt: Timestamp.nullable(),
  expiresAt: Timestamp.describe(
    'When the export is deleted. It is deleted earlier if a newer export of the same kind is ready. An export that is still running at that time is canceled.',
  ),
  bytes: z.int().nullable().describe('Size of the ZIP once it is ready.'),
})
export type Export = z.output<typeof Export>

export const ExportList = listOf(Export).extend({
  organizationName: z.string().nullable().describe('The name of the active organization, for its owners.'),
  can: z.object({ exportOrganization: z.boolean(), exportAccount: z.boolean() }),
})
export type ExportList = z.output<typeof ExportList>
