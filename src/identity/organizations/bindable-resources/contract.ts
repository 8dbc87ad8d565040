import { z } from 'zod'
import { Id } from '#lib/ids.ts'
import { paging } from '#lib/paginate.ts'
import { plainText } from '#lib/text.ts'
import { Binding } from '../../api-keys/contract.ts'

const kind = Binding.shape.kind

export const BindableResource = Binding.extend({ name: z.string() })
export type BindableResource = z.output<typeof BindableResource>

export const BindableQuery = z.object({
  id: Id,
  kind: kind.optional(),
  q: plainText(100).trim().optional(),
  ...paging,
})
export type BindableQuery = z.output<typeof BindableQuery>

export const BindableReport = z.object({
  kind,
  id: Id,
  organizationId: Id,
  name: plainText(200).min(1),
  version: z.int().nonnegative().describe('Increases with each change. The report with the highest version wins.'),
  deleted: z.boolean().default(false),
})
export type BindableReport = z.output<typeof BindableReport>

export const BindableReports = z.object({
  items: z.array(BindableReport).min(1).max(100, 'Must have at most 100 items.'),
})

export const BindableReportResult = z.object({
  kept: z.int().describe('The number of reports that changed something.'),
})
