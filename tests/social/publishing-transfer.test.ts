import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase } from '#lib/db.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, newPublisher, type Post } from '../support/publisher.ts'
import { serveInProcess, type Server } from '../support/serve-in-process.ts'

let database: TestDatabase
let server: Server
beforeAll(async () => {
  database = await freshDatabase()
  server = await serveInProcess({ databaseUrl: database.url })
})
afterAll(async () => {
  await server.stop()
  await database.drop()
})

const published = ({ status }: Post) => status === 'published'

test('SOC-02 SOC-20 posts that are being sent or scheduled are published once while the brand is transferred', async () => {
  const [ada, bea] = [await newPublisher(server.url), await newPublisher(server.url)]
  const { sql, close } = openDatabase(database.url, 1)
  await sql`INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    VALUES (${bea.organizationId}, ${ada.userId}, 'admin', now())`
  // Both brands have the slug of their name, which must be free in the new organization.
  await ada.call('PUT', `/api/brands/${ada.brandId}`, { slug: 'moving' })
  const [now, later] = [await ada.connect('moving-now'), await ada.connect('moving-later')]
  await ada.behave('moving-now', { mode: 'ok', latencyMs: 700 })
  const sent = await ada.post({
    text: 'Now',
    status: 'scheduled',
    scheduledAt: inMs(100),
    target: { connectionId: now },
  })
  const due = await ada.post({
    text: 'Later',
    status: 'scheduled',
    scheduledAt: inMs(900),
    target: { connectionId: later },
  })
  const sending = () => sql`SELECT 1 FROM social.publish_attempts WHERE post_id = ${sent.id} AND state = 'sending'`
  while ((await sending()).length === 0) await Bun.sleep(10)
  const route = `/api/brands/${ada.brandId}/transfer-organization`
  await ada.call('POST', route, { targetOrganizationId: bea.organizationId })
  expect((await sending()).length).toBe(1)
  await close()
  for (const { id } of [sent, due]) await bea.until(id, published)
  expect((await bea.received('moving-now')).map(({ text }) => text)).toEqual(['Now'])
  expect((await bea.received('moving-later')).map(({ text }) => text)).toEqual(['Later'])
})
