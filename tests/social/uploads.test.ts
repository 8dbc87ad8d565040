import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import sharp from 'sharp'
import type { Media } from '#social/types'
import { openWorld, type World } from '../support/world.ts'

// Expensive uploads, and those of other organizations.

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

type Uploader = Pick<World['ada'], 'fetch' | 'things'>
const upload = (who: Uploader, bytes: Buffer) => who.fetch('POST /api/media', formOf(who.things.brands, bytes))

test('SOC-30 twelve images of maximum cost are processed one after another, and don’t delay another organization’s images', async () => {
  const costly = await flat(3000).webp({ effort: 0 }).toBuffer()
  const small = await flat(300).png().toBuffer()
  let done = 0
  const attacks = Array.from({ length: 12 }, async () => {
    const answer = await upload(world.mallory, costly)
    if (answer.status === 201) done++
    return answer
  })
  // Refusals come at once: the others are all in the queue then.
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

test('SOC-30 image that isn’t processed within IMAGE_WAIT_MS returns 503 with Retry-After', async () => {
  const hasty = await openWorld({ env: { IMAGE_WAIT_MS: '1' } })
  const costly = await flat(3000).webp({ effort: 0 }).toBuffer()
  const answers = await Promise.all([upload(hasty.ada, costly), upload(hasty.ada, costly)])
  const late = answers.find(({ status }) => status === 503)
  expect(answers.map(({ status }) => status)).toContain(201)
  expect([late?.headers.get('retry-after'), await late?.json()]).toMatchObject(['5', { code: 'uploads_busy' }])
  await hasty.close()
})

test('SOC-30 image types that are expensive to decode have a lower pixel limit', async () => {
  const large = await flat(4100).webp({ effort: 0 }).toBuffer()
  const answer = await upload(world.ada, large)
  expect([answer.status, await answer.json()]).toMatchObject([
    422,
    { errors: [{ path: 'file', message: expect.stringContaining('at most 16 million pixels') }] },
  ])
  const jpeg = await upload(world.ada, await flat(5000).jpeg().toBuffer())
  expect([jpeg.status, ((await jpeg.json()) as Media).width]).toEqual([201, 5000])
})

test('PLT-14 SOC-30 uploads and copies of posts, which can copy files, have their own rate limit', async () => {
  const { credential, things } = world.ada
  const send = (route: string, body: BodyInit) =>
    world.handle(new Request(`http://localhost${route}`, { method: 'POST', headers: credential, body }), '203.0.113.7')
  const dot = await flat(1).png().toBuffer()
  const statuses = []
  for (let nth = 0; nth < 3; nth++) statuses.push((await send('/api/media', formOf(things.brands, dot))).status)
  expect(statuses).toEqual([201, 201, 429])
  const refused = await send('/api/media', formOf(things.brands, dot))
  expect(refused.headers.get('ratelimit-policy')).toBe('"uploads";q=2;w=60')
  const copied = await send(`/api/posts/${things.posts}/duplicate`, new FormData())
  expect([copied.status, copied.headers.get('ratelimit-policy')]).toEqual([429, '"uploads";q=2;w=60'])
  const other = new FormData()
  other.set('name', 'Beside')
  expect((await send('/api/brands', other)).status).toBe(201)
})

/** The process that draws an image for this server, after its startup, when it has its lower priority. */
async function drawingProcess(): Promise<number> {
  for (;;) {
    for (const id of (await readdir('/proc')).map(Number).filter(Boolean)) {
      const read = (name: string) =>
        Bun.file(`/proc/${id}/${name}`)
          .text()
          .catch(() => '')
      const [command, stat] = [await read('cmdline'), await read('stat')]
      const [, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const niceness = Number(rest[14])
      if (command.includes('draw-image.ts') && Number(parent) === process.pid && niceness > 0) return id
    }
    await Bun.sleep(5)
  }
}

test('SOC-30 image whose image process is killed returns 503, and is accepted when it is sent again', async () => {
  const costly = await flat(3000).webp({ effort: 0 }).toBuffer()
  const { fetch, things } = world.ada
  const send = () =>
    fetch('POST /api/media', formOf(things.brands, costly), { 'idempotency-key': 'killed-while-drawing' })
  const sent = send()
  process.kill(await drawingProcess(), 'SIGKILL')
  const answer = await sent
  expect([answer.status, answer.headers.get('retry-after'), await answer.json()]).toMatchObject([
    503,
    '5',
    { code: 'upload_interrupted' },
  ])
  expect((await send()).status).toBe(201)
})

test('SOC-30 image is finished even when the server’s stop signal also reaches the image process', async () => {
  const sent = upload(world.ada, await flat(3000).webp({ effort: 0 }).toBuffer())
  process.kill(await drawingProcess(), 'SIGTERM')
  expect((await sent).status).toBe(201)
})
