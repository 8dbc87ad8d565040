import { z } from 'zod'
import { DashboardLayoutEdit, PlacedWidget, Version } from '../grid/contract.ts'

export const DashboardSettings = z.object({
  widgets: z
    .array(PlacedWidget)
    .describe('The widgets of all installed apps as members see them who haven’t arranged their own.'),
  custom: z.boolean().describe('Whether the organization chose this layout; otherwise it is the usual one.'),
  version: Version,
  can: z.object({ update: z.boolean() }),
})
export type DashboardSettings = z.output<typeof DashboardSettings>

/** A form has no null. */
const emptyAsNull = (value: unknown) => (value === '' ? null : value)

export const DashboardSettingsEdit = z.object({
  widgets: z
    .preprocess(emptyAsNull, DashboardLayoutEdit.shape.widgets.nullable())
    .describe(
      'In the new order; null for the usual layout. Unknown apps are left out, and missing ones added at the end.',
    ),
  version: z.coerce.number().int().min(0).optional().describe('The version that was read, instead of `If-Match`.'),
})
