import { z } from 'zod'
import { Timestamp } from '#lib/time.ts'

/** What the dashboard shows of an app (DSH-10). */
export const Widget = z.object({
  app: z.object({ slug: z.string(), name: z.string() }),
  title: z.string(),
  generatedAt: Timestamp,
  metrics: z.array(
    z.object({
      label: z.string(),
      value: z.string().describe('A decimal number.'),
      unit: z.string().nullable().describe('Such as USD.'),
      trend: z.number().nullable().describe('Change in percent.'),
      href: z.string(),
    }),
  ),
  items: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      subtitle: z.string(),
      at: Timestamp.nullable(),
      status: z.string(),
      href: z.string(),
    }),
  ),
  series: z.array(z.object({ label: z.string(), points: z.array(z.object({ at: z.iso.date(), value: z.string() })) })),
  actions: z.array(z.object({ label: z.string(), method: z.string(), href: z.string() })),
})
