import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { DatabaseHandle } from '#lib/db.ts'
import type { Metrics } from '#lib/metrics.ts'

const Waiting = z.object({ state: z.string(), count: z.number(), seconds: z.number() })
const Outcomes = z.object({ state: z.string(), count: z.number() })

/** What waits, since when, and what became of the emails of the last hour. */
export function observeEmails(metrics: Metrics, { db }: Pick<DatabaseHandle, 'db'>): void {
  const readWaiting = async () => {
    const rows = await db.execute(sql`
      SELECT state, count(*)::int, extract(epoch FROM now() - min(created_at))::float8 AS seconds
      FROM gateway.email_messages WHERE state IN ('held', 'queued') GROUP BY state`)
    return rows.map((row) => Waiting.parse(row))
  }
  metrics.gauge('atrium_emails_waiting', 'Emails that wait to be sent or confirmed, by state.', async () =>
    (await readWaiting()).map(({ state, count }) => ({ labels: { state }, value: count })),
  )
  metrics.gauge('atrium_emails_waiting_seconds', 'Age of the oldest email that waits, by state.', async () =>
    (await readWaiting()).map(({ state, seconds }) => ({ labels: { state }, value: seconds })),
  )
  metrics.gauge('atrium_emails_last_hour', 'Emails accepted in the last hour, by recipient and outcome.', async () => {
    const rows = await db.execute(sql`
      SELECT state, count(*)::int FROM gateway.email_recipients
      WHERE message_id IN (SELECT id FROM gateway.email_messages WHERE created_at > now() - interval '1 hour')
      GROUP BY state`)
    return rows.map((row) => Outcomes.parse(row)).map(({ state, count }) => ({ labels: { state }, value: count }))
  })
}
