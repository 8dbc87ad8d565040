import type { Metrics } from '#lib/metrics.ts'
import type { WidgetLoader } from './loader.ts'

/** Only reads by this process. */
export function observeWidgets(metrics: Metrics, widgets: WidgetLoader): void {
  metrics.gauge('atrium_widget_reads_total', 'Reads of apps’ widgets, by app and outcome.', () =>
    widgets.counts().map(({ app, outcome, count }) => ({ labels: { app, outcome }, value: count })),
  )
}
