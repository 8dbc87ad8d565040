import { z } from 'zod'
import { Timestamp } from './time.ts'
import { truncate } from './text.ts'

/** Of responses, in bytes: larger ones of other servers aren’t read. */
export const maxWidgetBytes = 64 * 1024

const maxText = 200
const Words = z.string().max(maxText)
const Label = Words.min(1)

const Decimal = z
  .string()
  .max(40)
  .regex(/^-?\d+(\.\d+)?$/, 'Must be a decimal number, such as 12.34.')
  .describe('A decimal number.')

/** No scripts, and nothing that a browser reads as another host than it seems. */
const Href = z
  .string()
  .max(2048)
  .regex(/^(\/(?![/\\])|https?:\/\/)[^\s\\]*$/i, 'Must be a path or an http(s) URL.')
  .describe('A path of the app, or a URL.')

const Metric = z.object({
  label: Label,
  value: Decimal,
  unit: z.string().max(20).nullable().describe('Such as USD; null for a number of things.'),
  trend: z.number().nullable().describe('Change in percent; null when there is nothing to compare with.'),
  href: Href,
  detail: Words.optional().describe('Explains the value, or what the trend compares it with.'),
})

/** Requests that are sent for an item where it is shown. Only of this product’s services. */
const ItemActions = z
  .array(
    z.object({
      label: Label,
      method: z.enum(['POST', 'PUT', 'DELETE']),
      href: Href,
      body: z.record(z.string().max(60), z.union([z.string().max(maxText), z.number(), z.boolean()])),
    }),
  )
  .max(3)
  .optional()

const item = {
  id: Label,
  title: Label,
  subtitle: Words,
  status: z.string().max(40).describe('A word for programs, such as failed.'),
  href: Href,
  icon: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/)
    .optional()
    .describe('A symbol of the icon sprite, such as net-bluesky.'),
  actions: ItemActions,
}

const Series = z.object({
  label: Label,
  points: z
    .array(z.object({ at: z.iso.date(), value: Decimal }))
    .max(400)
    .describe('By day, the oldest first.'),
})

const Action = z.object({
  label: Label,
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).describe('GET opens a page.'),
  href: Href,
})

const parts = {
  app: z.object({ slug: Label, name: Label }),
  title: Label,
  metrics: z.array(Metric).max(12),
  series: z.array(Series).max(4).optional(),
  actions: z.array(Action).max(10),
}

const maxItems = 20

/** What the dashboard shows of an app (DSH-10). */
export const Widget = z.object({
  ...parts,
  generatedAt: Timestamp,
  items: z.array(z.object({ ...item, at: Timestamp.nullable() })).max(maxItems),
})
export type WidgetInput = z.input<typeof Widget>

const Time = z.iso.datetime({ offset: true })

/** A widget as JSON: what was read of another server, and is handed on. */
export const WidgetPayload = z.object({
  ...parts,
  generatedAt: Time,
  items: z.array(z.object({ ...item, at: Time.nullable() })).max(maxItems),
})
export type WidgetPayload = z.output<typeof WidgetPayload>

type MetricInput = WidgetInput['metrics'][number]

/** A metric that counts things. */
export const countMetric = (label: string, count: number, href: string, detail?: string): MetricInput => ({
  label,
  value: String(count),
  unit: null,
  trend: null,
  href,
  ...(detail !== undefined && { detail }),
})

/** A link to a page. */
export const pageAction = (label: string, href: string): WidgetInput['actions'][number] => ({
  label,
  method: 'GET',
  href,
})

/** The change in percent, to one decimal place; null when there was nothing before. */
export function trendOf(now: bigint, before: bigint): number | null {
  const base = Number(before)
  return base > 0 ? Math.round(((Number(now) - base) / base) * 1000) / 10 : null
}

/** People’s words on one line, as long as a widget’s can be. */
export function widgetText(text: string, maxLength = maxText): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > maxLength ? `${truncate(line, maxLength - 1)}…` : line
}
