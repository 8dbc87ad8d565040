import { afterAll, expect, test } from 'bun:test'
import { administer, emptyDatabase } from '../support/database.ts'
import { pgbouncer, startPgBouncer, type PgBouncer } from '../support/pgbouncer.ts'
import { newPublisher } from '../support/publisher.ts'
import { serve } from '../support/served.ts'
import { killRest } from './program.ts'

let pooler: PgBouncer | undefined
afterAll(async () => {
  await killRest()
  await pooler?.stop()
})

if (!pgbouncer) console.warn('PgBouncer is not installed: tests/boot/pgbouncer.test.ts is skipped.')

/** Connections from PgBouncer to PostgreSQL: far fewer than from the server to PgBouncer. */
const connections = 3

test.skipIf(!pgbouncer)(
  'PLT-37 server behind PgBouncer in transaction mode migrates, signs up, publishes and serves concurrent requests',
  async () => {
    const fresh = await emptyDatabase()
    pooler = await startPgBouncer(pgbouncer ?? '', fresh.url, connections)
    const env = { DATABASE_DIRECT_URL: fresh.url, DATABASE_PREPARE: 'false', DATABASE_POOL: '20' }
    const server = await serve({ databaseUrl: pooler.url, env })
    const ada = await newPublisher(server.url)
    await ada.connect('pooled')
    const { id } = await ada.post({ text: 'Through a pooler', status: 'draft' })
    await ada.call('POST', `/api/posts/${id}/publish-now`)
    await ada.until(id, ({ status }) => status === 'published')
    expect((await ada.received('pooled')).map(({ text }) => text)).toEqual(['Through a pooler'])

    const many = await Promise.all(
      Array.from({ length: 120 }, async (_, nth) =>
        nth % 3 === 0
          ? ada.post({ text: `Draft ${nth}`, status: 'draft' }).then(() => 201)
          : fetch(`${server.url}/api/posts?limit=${1 + (nth % 5)}`, {
              headers: { authorization: `Bearer ${ada.token}` },
            }).then((answer) => answer.status),
      ),
    )
    expect(new Set(many)).toEqual(new Set([200, 201]))
    expect(await (await fetch(`${server.url}/readyz`)).json()).toMatchObject({ status: 'ready' })

    // Besides PgBouncer's: one listener, two of the queue, and one that startup may still be closing.
    const backends = await administer(
      fresh.url,
      async (sql) =>
        (
          await sql`
        SELECT count(*)::int AS backends FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'atrium'`
        )[0]?.['backends'],
    )
    expect(backends).toBeLessThanOrEqual(connections + 4)
    server.kill('SIGTERM')
    await server.exited
    await fresh.drop()
  },
)
