import type { SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { DatabaseHandle } from '../db.ts'
import type { Metrics } from '../metrics.ts'

const Row = z.looseObject({ count: z.number() })
const Labels = z.record(z.string(), z.string())

/** `query` returns a `count`, and the labels as its other columns. */
export function gaugeCounts(
  metrics: Metrics,
  { db }: Pick<DatabaseHandle, 'db'>,
  { name, help, query }: { name: string; help: string; query(): SQL },
): void {
  metrics.gauge(name, help, async () => {
    const rows = await db.execute(query())
    return rows
      .map((row) => Row.parse(row))
      .map(({ count, ...labels }) => ({ labels: Labels.parse(labels), value: count }))
  })
}
