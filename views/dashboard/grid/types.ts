import type { WidgetPayload } from '#lib/widget.ts'

export type WidgetState = 'fresh' | 'cached' | 'stale' | 'overview'

/** What the dashboard got of an app. */
export interface WidgetItem {
  /** The slug of the app. */
  app: string
  name: string
  icon: string | null
  href: string
  state: WidgetState
  payload: WidgetPayload
  fetchedAt: string
  error: { code: string; detail: string } | null
}

/** An app’s place in the grid. */
export interface GridWidget {
  app: string
  name: string
  icon: string | null
  href: string
  columns: number
  hidden: boolean
  /** For `data-live`. */
  topics: readonly string[]
}

export const widgetId = (app: string): string => `widget-${app}`
