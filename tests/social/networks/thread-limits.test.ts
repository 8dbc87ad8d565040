import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openWorld, type World } from '../../support/world.ts'

// Later posts of a thread, where a network treats them differently (SOC-14).

let world: World

beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function refusals(provider: string, thread: readonly object[]): Promise<Record<string, string>> {
  const body = {
    brandId: world.ada.things.brands,
    provider,
    thread,
    status: 'scheduled',
    scheduledAt: '2099-01-01T09:00',
  }
  const response = await world.ada.fetch('POST /api/posts', body)
  expect(response.status).toBe(422)
  const { errors } = (await response.json()) as { errors: { path: string; message: string }[] }
  return Object.fromEntries(errors.map(({ path, message }) => [path, message]))
}

test.each(['facebook', 'instagram', 'tiktok'])(
  'SOC-14 thread on %s is refused when it is scheduled',
  async (provider) => {
    const { provider: refusal } = await refusals(provider, [{ text: 'One' }, { text: 'Two' }])
    expect(refusal).toMatch(/^(Facebook|Instagram|TikTok) has no threads\. Publish this as a post of its own\.$/)
  },
)

test.each(['linkedin', 'linkedin-page'])(
  'SOC-14 later post of a thread on %s has the length of a comment',
  async (provider) => {
    const errors = await refusals(provider, [
      { text: 'a'.repeat(1300) },
      { text: 'b'.repeat(1251) },
      { text: 'c'.repeat(1250) },
    ])
    expect(errors).toEqual({
      'thread.1.text': expect.stringMatching(
        /^Shorten the text by 1\. LinkedIn( Page)? allows 1250 characters in later posts of a thread\.$/,
      ),
    })
  },
)

test('SOC-14 thread draft on a network without threads is saved', async () => {
  const thread = [{ text: 'One' }, { text: 'Two' }]
  await world.ada.fetchJson('POST /api/posts', { brandId: world.ada.things.brands, provider: 'facebook', thread }, 201)
})
