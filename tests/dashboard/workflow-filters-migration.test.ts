import { expect, test } from 'bun:test'
import postgres from 'postgres'
import { migrate } from '#lib/db/migrate.ts'
import { newId } from '#lib/ids.ts'
import { Trigger } from '../../src/dashboard/workflows/triggers/contract.ts'
import { emptyDatabase } from '../support/database.ts'
import { migrateUntil } from '../support/earlier-release.ts'

// As the release before `workflow_runs_cancel` stored them.
const stored = {
  conditions: {
    type: 'event',
    event: 'post.failed',
    filter: [
      { field: 'provider', equals: 'bluesky' },
      { field: 'retryable', equals: false },
      { field: 'attempts', equals: 3 },
      { field: 'message', equals: '' },
    ],
  },
  none: { type: 'event', event: 'post.failed', filter: [] },
  schedule: { type: 'schedule', cron: '0 9 * * 1', timeZone: 'Europe/Berlin' },
}
const steps = [{ type: 'action', title: 'Look', reason: 'It failed.', href: '/actions' }]

test('DSH-38 migration turns filters of the earlier release into conditions that are equal, and keeps other triggers and runs', async () => {
  const empty = await emptyDatabase()
  const sql = postgres(empty.url, { max: 2, onnotice: () => {} })
  try {
    await migrateUntil(empty.url, 'workflow_runs_cancel')
    for (const [name, trigger] of Object.entries(stored)) {
      const id = newId()
      await sql`
        INSERT INTO dashboard.workflows (id, organization_id, name, state, trigger, steps, sealed_secret, updated_at)
        VALUES (${id}, ${id}, ${name}, 'enabled', ${sql.json(trigger)}, ${sql.json(steps)}, 'sealed', now())`
      await sql`
        INSERT INTO dashboard.workflow_runs
          (id, organization_id, workflow_id, cause, started_by, data, steps, state, created_at)
        VALUES (${id}, ${id}, ${id}, 'test', 'test', '{}', ${sql.json(steps)}, 'waiting', now())`
    }
    await migrate(empty.url)
    const rows = await sql<{ name: string; trigger: unknown }[]>`SELECT name, trigger FROM dashboard.workflows`
    const found = Object.fromEntries(rows.map(({ name, trigger }) => [name, Trigger.parse(trigger)]))
    expect(found).toEqual({
      conditions: {
        type: 'event',
        event: 'post.failed',
        filter: [
          { field: 'provider', operator: 'equals', value: 'bluesky' },
          { field: 'retryable', operator: 'equals', value: false },
          { field: 'attempts', operator: 'equals', value: 3 },
          { field: 'message', operator: 'equals', value: '' },
        ],
      },
      none: { type: 'event', event: 'post.failed', filter: [] },
      schedule: { type: 'schedule', cron: '0 9 * * 1', timeZone: 'Europe/Berlin' },
    })
    const runs = await sql`SELECT DISTINCT state, sends, note FROM dashboard.workflow_runs`
    expect([...runs]).toEqual([{ state: 'waiting', sends: 0, note: null }])
  } finally {
    await sql.end()
    await empty.drop()
  }
})
