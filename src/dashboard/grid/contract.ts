import { z } from 'zod'
import { Flag, lineText } from '#lib/text.ts'

const Slug = lineText(100).min(1, 'Required.').describe('The slug of an app.')

/** Of the grid's twelve. */
const Columns = z.coerce
  .number('Must be a number.')
  .pipe(z.literal([3, 4, 5, 6, 12], 'Must be 3, 4, 5, 6 or 12.'))
  .describe('How many of the twelve columns the widget spans on wide screens.')

export const PlacedWidget = z.object({ app: Slug, columns: Columns, hidden: z.boolean() })
export type PlacedWidget = z.output<typeof PlacedWidget>

export const Version = z.number().int().describe('Counts the changes; 0 until the first one.')

export const DashboardLayout = z.object({
  widgets: z.array(PlacedWidget).describe('The widgets of all installed apps, in the order of the page.'),
  version: Version,
})
export type DashboardLayout = z.output<typeof DashboardLayout>

const maxWidgets = 100

export const DashboardLayoutEdit = z.object({
  widgets: z
    .array(PlacedWidget.extend({ hidden: Flag.default(false) }))
    .max(maxWidgets, `Can have at most ${maxWidgets} widgets.`)
    .refine((widgets) => new Set(widgets.map(({ app }) => app)).size === widgets.length, 'Must name each app once.')
    .describe('In the new order. Apps that aren’t named are added at the end, and unknown ones are left out.'),
})

export const Dashboard = z.object({
  widgets: z.array(
    PlacedWidget.extend({
      name: z.string(),
      icon: z.string().nullable(),
      href: z.string().describe('The URL of the app’s first page.'),
      widgetUrl: z.string().describe('The URL of the app’s widget.'),
      topics: z.array(z.string()).describe('Topics of `/api/live` whose changes concern it.'),
    }),
  ),
  version: Version,
  can: z.object({ updateDefault: z.boolean().describe('Whether the caller can change the default layout.') }),
})
export type Dashboard = z.output<typeof Dashboard>
