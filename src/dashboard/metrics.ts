import { sql } from 'drizzle-orm'
import type { DatabaseHandle } from '#lib/db.ts'
import type { Metrics } from '#lib/metrics.ts'
import { gaugeCounts } from '#lib/metrics/count-gauge.ts'

/** Of all servers together; the reads of widgets are counted by each. */
export function observeDashboard(metrics: Metrics, database: Pick<DatabaseHandle, 'db'>): void {
  gaugeCounts(metrics, database, {
    name: 'atrium_actions_open',
    help: 'Open actions, by the service that raised them.',
    query: () => sql`SELECT coalesce(service, 'none') AS service, count(*)::int FROM dashboard.notifications
      WHERE resolved_at IS NULL AND surface = 'action' GROUP BY 1`,
  })
  gaugeCounts(metrics, database, {
    name: 'atrium_launches_last_day',
    help: 'Launches of apps in the last day, by surface and outcome.',
    query: () => sql`SELECT surface, outcome, count(*)::int FROM dashboard.launches
      WHERE created_at > now() - interval '1 day' GROUP BY 1, 2`,
  })
  gaugeCounts(metrics, database, {
    name: 'atrium_workflow_runs_last_day',
    help: 'Runs of workflows that began in the last day, by state.',
    query: () => sql`SELECT state, count(*)::int FROM dashboard.workflow_runs
      WHERE created_at > now() - interval '1 day' GROUP BY 1`,
  })
  gaugeCounts(metrics, database, {
    name: 'atrium_checkouts_last_day',
    help: 'Checkouts that began in the last day, by state.',
    query: () => sql`SELECT state, count(*)::int FROM dashboard.checkouts
      WHERE created_at > now() - interval '1 day' GROUP BY 1`,
  })
  gaugeCounts(metrics, database, {
    name: 'atrium_subscription_changes_unapplied',
    help: 'Subscriptions whose newest state isn’t in force yet, by kind.',
    query: () => sql`SELECT 'package' AS kind, count(*)::int FROM dashboard.platform_subscriptions
      WHERE applied_sequence < sequence UNION ALL SELECT 'free', count(*)::int FROM dashboard.free_workspaces
      WHERE applied_sequence < sequence`,
  })
  gaugeCounts(metrics, database, {
    name: 'atrium_inquiries_open',
    help: 'Open messages, waitlist entries and demo bookings of visitors, by kind.',
    query: () => sql`SELECT kind, count(*)::int FROM dashboard.inquiries WHERE state = 'open' GROUP BY 1`,
  })
}
