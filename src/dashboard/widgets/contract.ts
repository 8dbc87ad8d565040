import { z } from 'zod'
import { WidgetPayload } from '#lib/widget.ts'
import { plainText } from '#lib/text.ts'

const maxApps = 50

const asList = (given: unknown): unknown => (typeof given === 'string' ? [given] : given)

export const WidgetsRequest = z.object({
  apps: z
    .preprocess(asList, z.array(plainText(100)).max(maxApps, `Can have at most ${maxApps} apps.`).optional())
    .describe('Slugs, in the order of the response. Defaults to all installed apps.'),
  changed: z
    .stringbool()
    .or(z.boolean())
    .default(false)
    .describe('Whether the apps are read again because they reported a change, although what was read is still fresh.'),
})

export const LoadedWidget = z.object({
  app: z.string().describe('The slug.'),
  name: z.string(),
  icon: z.string().nullable().describe('A symbol of the icon sprite; null for the icon of apps without one.'),
  href: z.string().describe('The URL of the app’s first page.'),
  state: z
    .enum(['fresh', 'cached', 'stale', 'overview'])
    .describe(
      '`fresh`: just read. `cached`: at most 45 seconds old. `stale`: at most five minutes old, because the app couldn’t be read. `overview`: made of the registry, because there is nothing of the app.',
    ),
  payload: WidgetPayload,
  fetchedAt: z.iso.datetime().describe('When the payload was read.'),
  error: z
    .object({ code: z.string(), detail: z.string() })
    .nullable()
    .describe('Why the app couldn’t be read; null when it was, and for an app without a widget.'),
})
export type LoadedWidget = z.output<typeof LoadedWidget>

export const LoadedWidgets = z.object({ items: z.array(LoadedWidget) })
export type LoadedWidgets = z.output<typeof LoadedWidgets>
