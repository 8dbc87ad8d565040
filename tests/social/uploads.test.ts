import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import type { Media } from '#social'
import { openWorld, type World } from '../support/world.ts'

// Uploads that cost a lot, and everyone else's.

let world: World
beforeAll(async () => {
  world = await openWorld({ env: { RATE_LIMIT_UPLOADS: '2' } })
})
afterAll(() => world.close())

const flat = (edge: number) =>
  sharp({ create: { width: edge, height: edge, channels: 3, background: '#b5523b' }, limitInputPixels: false })

function formOf(brandId: string, bytes: Buffer): FormData {
  const form = new FormData()
  form.set('brandId', brandId)
  form.set('file', new File([new Uint8Array(bytes)], 'image'))
  return form
}

type Uploader = Pick<World['ada'], 'ask' | 'things'>
const upload = (who: Uploader, bytes: Buffer) => who.ask('POST /api/media', formOf(who.things.brands, bytes))

test('SOC-30 twelve images that cost all they can wait for each other, and another organization’s for none of them', async () => {
  const costly = await flat(3000).webp({ effort: 0 }).toBuffer()
  const small = await flat(300).png().toBuffer()
  let done = 0
  const attacks = Array.from({ length: 12 }, async () => {
    const answer = await upload(world.mallory, costly)
    if (answer.status === 201) done++
    return answer
  })
  // Refusals come at once: then the others are all in the queue.
  await Promise.any(attacks.map(async (attack) => (await attack).status === 429 || Promise.reject(new Error('Taken'))))
  const answer = await upload(world.ada, small)
  expect(answer.status).toBe(201)
  expect(done).toBeLessThan(3)
  const answers = await Promise.all(attacks)
  const refused = answers.filter(({ status }) => status === 429)
  expect([done, refused.length]).toEqual([5, 7])
  for (const each of refused) expect(each.headers.get('retry-after')).toBe('5')
  expect(await refused[0]?.json()).toMatchObject({ code: 'too_many_uploads' })
})

test('SOC-30 a kind of image that is expensive to read has fewer pixels', async () => {
  const large = await flat(4100).webp({ effort: 0 }).toBuffer()
  const answer = await upload(world.ada, large)
  expect([answer.status, await answer.json()]).toMatchObject([
    422,
    { errors: [{ path: 'file', message: expect.stringContaining('at most 16 million pixels') }] },
  ])
  const jpeg = await upload(world.ada, await flat(5000).jpeg().toBuffer())
  expect([jpeg.status, ((await jpeg.json()) as Media).width]).toEqual([201, 5000])
})

test('PLT-14 SOC-30 uploads have an allowance of their own', async () => {
  const { credential, things } = world.ada
  const ask = (route: string, body: BodyInit) =>
    world.handle(new Request(`http://localhost${route}`, { method: 'POST', headers: credential, body }), '203.0.113.7')
  const dot = await flat(1).png().toBuffer()
  const statuses = []
  for (let nth = 0; nth < 3; nth++) statuses.push((await ask('/api/media', formOf(things.brands, dot))).status)
  expect(statuses).toEqual([201, 201, 429])
  const refused = await ask('/api/media', formOf(things.brands, dot))
  expect(refused.headers.get('ratelimit-policy')).toBe('"uploads";q=2;w=60')
  const other = new FormData()
  other.set('name', 'Beside')
  expect((await ask('/api/brands', other)).status).toBe(201)
})
