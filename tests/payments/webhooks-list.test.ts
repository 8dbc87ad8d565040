import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

interface Received {
  items: { id: string; type: string }[]
}

test('PAY-20 events are filtered by days of a time zone, on their page too, and exported with the same filters', async () => {
  const { ada, database, mallory } = world
  const { items } = await ada.fetchJson<Received>('GET /api/pay/webhooks?limit=100')
  const [moved] = items
  // Already the 2nd in Berlin.
  await database.sql`
    UPDATE platform.received_webhooks SET received_at = '2026-03-01T23:30:00Z' WHERE id = ${moved?.id ?? ''}`
  const on = (day: string, timeZone = 'Europe/Berlin') => `from=${day}&to=${day}&timeZone=${timeZone}`
  const found = async (query: string) =>
    (await ada.fetchJson<Received>(`GET /api/pay/webhooks?${query}`)).items.map(({ id }) => id)
  expect(await found(on('2026-03-02'))).toEqual([moved?.id ?? ''])
  expect(await found(on('2026-03-01'))).toEqual([])
  expect(await found(on('2026-03-01', 'UTC'))).toEqual([moved?.id ?? ''])
  const csv = async (who: Pick<World['ada'], 'fetch'>, query: string) =>
    (await (await who.fetch(`GET /api/pay/webhooks/export?${query}`)).text()).split('\r\n')
  const [header, row, ...rest] = await csv(ada, on('2026-03-02'))
  expect(header).toStartWith('id,eventId,type')
  expect(row).toStartWith(`${moved?.id},`)
  expect(rest).toEqual([''])
  expect(await csv(mallory, on('2026-03-02'))).toHaveLength(2)
  const page = await ada.fetch(`GET /pay/webhooks?${on('2026-03-01')}&state=nonsense`, undefined, {
    accept: 'text/html',
  })
  expect(await page.text()).toContain('No event of the last 90 days matches.')
})
