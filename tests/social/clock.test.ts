import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { killRest } from '../boot/program.ts'
import { freshDatabase, type TestDatabase } from '../support/database.ts'
import { inMs, newPublisher, type Post, type Publisher } from '../support/publisher.ts'
import { serve } from '../support/served.ts'

const hour = 3_600_000
const published = ({ status }: Post) => status === 'published'

describe.each([
  ['an hour ahead', hour],
  ['an hour behind', -hour],
])('server whose clock is %s', (_, skewMs) => {
  let database: TestDatabase
  let ada: Publisher
  let target: { connectionId: string }

  beforeAll(async () => {
    database = await freshDatabase()
    const env = { CLOCK_SKEW_MS: String(skewMs) }
    const { url } = await serve({ databaseUrl: database.url, env, preload: './tests/support/skewed-clock.ts' })
    ada = await newPublisher(url)
    target = { connectionId: await ada.connect('clock') }
  })
  afterAll(async () => {
    await killRest()
    await database.drop()
  })

  test('SOC-13 publishes a post immediately with publish-now', async () => {
    const { id } = await ada.post({ text: 'Now', target })
    const requested = Date.now()
    const planned = await ada.call<Post>('POST', `/api/posts/${id}/publish-now`)
    expect(Date.parse(planned.scheduledAt ?? '') - requested).toBeLessThan(30_000)
    const post = await ada.until(id, published, 30_000)
    expect(Math.abs(Date.parse(post.publishedAt ?? '') - Date.now())).toBeLessThan(30_000)
  })

  test('SOC-20 publishes a scheduled post when it is due, and not before', async () => {
    const { id, scheduledAt } = await ada.post({ text: 'Soon', status: 'scheduled', scheduledAt: inMs(2_000), target })
    await ada.until(id, published, 30_000)
    const [receipt] = (await ada.received('clock')).filter(({ text }) => text === 'Soon')
    expect(Date.parse(receipt?.receivedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(scheduledAt ?? ''))
    const { items } = await ada.call<{ items: Post[] }>('GET', '/api/posts?status=published')
    expect(items.map(({ text }) => text)).toContain('Soon')
  })

  test('SOC-13 rejects only times in the past', async () => {
    const past = { brandId: ada.brandId, provider: 'sandbox', text: 'Late', status: 'scheduled', target }
    await ada.call('POST', '/api/posts', { ...past, scheduledAt: inMs(-30_000) }, 422)
    const { id } = await ada.post({ ...past, scheduledAt: inMs(30_000) })
    await ada.call('PUT', `/api/posts/${id}`, { scheduledAt: inMs(-30_000) }, 422)
    await ada.call('PUT', `/api/posts/${id}`, { scheduledAt: inMs(40_000) })
  })

  test('SOC-11 shows a post that is due in half an hour as scheduled', async () => {
    const { id } = await ada.post({ text: 'Shown', status: 'scheduled', scheduledAt: inMs(hour / 2), target })
    const headers = { authorization: `Bearer ${ada.token}`, accept: 'text/html' }
    const page = await (await fetch(`${ada.url}/workspace/posts/${id}`, { headers })).text()
    expect(page).toContain('data-state="scheduled"')
  })
})
