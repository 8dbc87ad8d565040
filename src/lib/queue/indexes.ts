import type { ISql } from 'postgres'

/**
 * Of waiting jobs of a group, which `turnOf` counts, and of failed jobs. Looked up first, since `IF NOT EXISTS` locks
 * out all who enqueue also when the index is there.
 */
export async function ensureIndexes(client: ISql): Promise<void> {
  const [found] = await client<{ waiting: unknown; unsettled: unknown }[]>`
    SELECT to_regclass('pgboss.job_waiting_of_group') AS waiting, to_regclass('pgboss.job_unsettled') AS unsettled`
  if (!found?.waiting)
    await client`
      CREATE INDEX job_waiting_of_group ON pgboss.job (name, group_id, start_after)
      WHERE state < 'active' AND group_id IS NOT NULL`
  if (!found?.unsettled)
    await client`
      CREATE INDEX job_unsettled ON pgboss.job (name, start_after)
      WHERE source_id IS NOT NULL AND started_on IS NULL AND state = 'created'`
}
