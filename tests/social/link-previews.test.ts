import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import { createOutbound } from '#lib/outbound.ts'
import { fetchPage } from '../../src/social/link-previews/fetch-page.ts'
import { createOutgoingLink } from '../../src/social/link-previews/outgoing.ts'
import { readMetadata } from '../../src/social/link-previews/read-metadata.ts'
import { fetchPreview } from '../../src/social/link-previews/preview-page.ts'
import { scaleTime } from '../support/time-scale.ts'
import { serveWebPage } from '../support/web-page.ts'
import { openWorld, type World } from '../support/world.ts'

interface Preview {
  url: string
  title: string
  description: string
  imageUrl: string | null
  thumbnail: string | null
}
interface Refused {
  errors: { path: string; message: string }[]
}

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

const read = (url: string, by = world) =>
  by.ada.fetch('POST /api/link-previews', { brandId: by.ada.things.brands, url })

const preview = async (url: string): Promise<Preview> => {
  const response = await read(url)
  expect(response.status).toBe(200)
  return (await response.json()) as Preview
}

async function refusalOf(url: string): Promise<string> {
  const response = await read(url)
  expect(response.status).toBe(422)
  const { errors } = (await response.json()) as Refused
  expect(errors).toMatchObject([{ path: 'url' }])
  return errors[0]?.message ?? ''
}

/** Reads from the generator as the client takes more. */
const streamOf = (parts: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })

const page = (body: BodyInit, headers: Record<string, string> = { 'content-type': 'text/html' }) =>
  Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(body, { headers }) })

test('SOC-14 link preview has the Open Graph data of the page and a small copy of its image', async () => {
  await using site = await serveWebPage()
  const { thumbnail, ...rest } = await preview(site.url)
  expect(rest).toEqual({
    url: site.url,
    title: 'Maple & oat latte',
    description: 'Three shops, until February…',
    imageUrl: site.imageUrl,
  })
  expect(thumbnail).toStartWith('data:image/webp;base64,')
})

test('SOC-14 page that was read is not requested again for a while', async () => {
  await using site = await serveWebPage()
  await preview(site.url)
  await preview(site.url)
  expect(site.requests).toEqual(['/maple', '/maple.png'])
})

test('SOC-14 page without Open Graph data has its title and description, or else its host', async () => {
  using plain = page('<title> A\n page </title><meta name="Description" content="What it is about">')
  expect(await preview(plain.url.href)).toMatchObject({ title: 'A page', description: 'What it is about' })
  using bare = page('<p>Hello</p>')
  expect(await preview(bare.url.href)).toMatchObject({ title: bare.url.host, description: '', imageUrl: null })
})

test('SOC-14 page in another encoding is read in that encoding', async () => {
  const latin = Buffer.from('<meta charset="iso-8859-1"><title>Grüße</title>', 'latin1')
  using site = page(new Uint8Array(latin))
  expect((await preview(site.url.href)).title).toBe('Grüße')
})

test('SOC-14 image that can’t be downloaded leaves a link preview without an image', async () => {
  await using site = await serveWebPage({ head: '<title>A</title><meta property="og:image" content="/missing.png">' })
  expect(await preview(site.url)).toMatchObject({ title: 'A', imageUrl: null, thumbnail: null })
})

test('SOC-14 SOC-49 link preview has no image in a brand that requires approvals', async () => {
  await using site = await serveWebPage()
  const brand = { name: 'Gated', slug: `g-${crypto.randomUUID()}` }
  const { id: brandId } = await world.ada.fetchJson<{ id: string }>('POST /api/brands', brand, 201)
  const ask = () => world.ada.fetchJson<Preview>('POST /api/link-previews', { brandId, url: site.url })
  expect(await ask()).toMatchObject({ imageUrl: site.imageUrl })
  await world.ada.fetchJson(`PUT /api/brands/${brandId}`, { reviewPolicy: { approvals: 1 } })
  expect(await ask()).toMatchObject({ title: 'Maple & oat latte', imageUrl: null, thumbnail: null })
  expect(site.requests).toEqual(['/maple', '/maple.png', '/maple'])
})

test('SOC-14 long title is cut to 300 characters, and markup in the description is text', async () => {
  using site = page(`<title>${'x'.repeat(5_000)}</title><meta property="og:description" content="<b>&lt;i&gt;</b>">`)
  const { title, description } = await preview(site.url.href)
  expect(title.length).toBeLessThanOrEqual(300)
  expect(description).toBe('<b><i></b>')
})

test('SOC-14 title of a drawing is not used as the title of the page', async () => {
  using site = page(
    '<svg><title/></svg><svg><g><title>A cup</title></g></svg><math><title/></math><title>Maple</title>',
  )
  expect((await preview(site.url.href)).title).toBe('Maple')
})

test.each([
  ['elements that are open', '<svg>'.repeat(200_000)],
  ['elements that end without a start', '<a>'.repeat(140_000) + '</b>'.repeat(140_000)],
  ['tags without an end', '<meta content="'.repeat(65_000)],
])('SOC-14 page of many %s takes about as long as a plain one', (_, html) => {
  const time = (markup: string) => {
    const start = performance.now()
    readMetadata(markup, new URL('https://example.com/'))
    return performance.now() - start
  }
  const plain = Math.max(1, time('<p>Hello</p>'.repeat(80_000)))
  expect(time(html) / plain).toBeLessThan(100)
})

test('SOC-14 only known character references are decoded', async () => {
  using site = page('<title>&Auml;pfel &toString; &constructor; &__proto__; &amp;amp; &#0;&#x1F9C1;</title>')
  expect((await preview(site.url.href)).title).toBe('Äpfel &toString; &constructor; &__proto__; &amp; 🧁')
})

test('SOC-14 animated image is left out', async () => {
  const frames = Buffer.alloc(4 * 8 * 3, 90)
  frames.fill(200, 0, 4 * 4 * 3)
  const animated = await sharp(frames, { raw: { width: 4, height: 8, channels: 3, pageHeight: 4 } })
    .gif({ delay: [100, 100] })
    .toBuffer()
  using image = page(new Uint8Array(animated), { 'content-type': 'image/gif' })
  await using site = await serveWebPage({ head: `<meta property="og:image" content="${image.url.href}">` })
  expect(await preview(site.url)).toMatchObject({ imageUrl: null, thumbnail: null })
})

test('SOC-14 file and error page are refused', async () => {
  using file = page('%PDF-', { 'content-type': 'application/pdf' })
  expect(await refusalOf(file.url.href)).toContain('not to a web page')
  using missing = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('', { status: 404 }) })
  expect(await refusalOf(missing.url.href)).toContain('404')
})

test('SOC-14 PLT-25 only the beginning of a page of 200 MB is downloaded', async () => {
  const chunk = new Uint8Array(256 * 1024).fill(0x20)
  const sent = { bytes: 0 }
  const whole = 200 * 1024 * 1024
  async function* pages() {
    yield new TextEncoder().encode('<title>Large</title>')
    for (; sent.bytes < whole; sent.bytes += chunk.length) {
      yield chunk
      await Bun.sleep(1)
    }
  }
  using site = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(streamOf(pages()), { headers: { 'content-type': 'text/html' } }),
  })
  expect((await preview(site.url.href)).title).toBe('Large')
  expect(sent.bytes).toBeLessThan(whole / 4)
})

test('SOC-14 PLT-25 page of endless headers is refused', async () => {
  const endless = Buffer.from(`x-more: ${'y'.repeat(8_000)}\r\n`)
  using listener = Bun.listen({
    port: 0,
    hostname: '127.0.0.1',
    socket: {
      data: (socket) => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n')
        const timer = setInterval(() => socket.write(endless) < 0 && clearInterval(timer), 1)
        setTimeout(() => clearInterval(timer), 60_000).unref()
      },
      drain: () => {},
    },
  })
  expect(await refusalOf(`http://127.0.0.1:${listener.port}/`)).not.toBe('')
}, 60_000)

test('SOC-14 PLT-25 private address is not requested', async () => {
  let requests = 0
  using site = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(String((requests += 1))) })
  const guarded = await openWorld({ env: { ALLOW_PRIVATE_NETWORK: 'false' } })
  try {
    const refused = await read(site.url.href, guarded)
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ errors: [{ path: 'url' }] })
    expect(requests).toBe(0)
  } finally {
    await guarded.close()
  }
})

test('SOC-14 PLT-25 redirect to a private address is not followed', async () => {
  let requests = 0
  using inside = Bun.serve({ port: 0, hostname: '127.0.0.2', fetch: () => new Response(String((requests += 1))) })
  using outside = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.redirect(inside.url.href) })
  const outbound = createOutbound({ allowPrivate: false, permits: (address) => address === '127.0.0.1' })
  const fetching = fetchPage({ outbound, signal: AbortSignal.timeout(10_000) }, outside.url.href)
  await expect(fetching).rejects.toThrow('url: 127.0.0.2')
  expect(requests).toBe(0)
})

test('SOC-14 PLT-25 image at a private address is left out without a request', async () => {
  let requests = 0
  using inside = Bun.serve({ port: 0, hostname: '127.0.0.2', fetch: () => new Response(String((requests += 1))) })
  await using site = await serveWebPage({
    head: `<title>A</title><meta property="og:image" content="${inside.url.href}">`,
  })
  const outbound = createOutbound({ allowPrivate: false, permits: (address) => address === '127.0.0.1' })
  const signal = AbortSignal.timeout(scaleTime(10_000))
  const { preview: found } = await fetchPreview({ outbound, signal, organizationId: 'acme', waitMs: 1_000 }, site.url, {
    hasImage: true,
  })
  expect(found).toMatchObject({ title: 'A', imageUrl: null, thumbnail: null })
  expect(requests).toBe(0)
})

test('SOC-14 SOC-24 server that stops while an image is downloaded leaves the card for another one', async () => {
  const stopping = new AbortController()
  const reasons: string[] = []
  const site = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      stopping.abort(new Error('The server stops'))
      return new Promise<Response>(() => {})
    },
  })
  const link = linkTo(site.url.href, { stopping: stopping.signal, onMissing: (reason) => reasons.push(reason) })
  try {
    await expect(link?.loadImage()).rejects.toThrow('The server stops')
    expect(reasons).toEqual([])
  } finally {
    await site.stop(true)
  }
})

const linkTo = (imageUrl: string, more: Partial<Parameters<typeof createOutgoingLink>[0]> = {}) =>
  createOutgoingLink(
    {
      db: world.database.db,
      config: { IMAGE_WAIT_MS: 1_000 },
      outbound: createOutbound({ allowPrivate: true }),
      stopping: new AbortController().signal,
      withoutSlot: (work) => work(),
      onMissing: () => {},
      ...more,
    },
    { brandId: world.ada.things.brands, linkPreview: { url: 'https://example.com/', ...words, imageUrl } },
  )

const words = { title: 'A', description: '' }

test('SOC-14 SOC-25 image is downloaded without a slot of the network, and tried for 10 s at most', async () => {
  let hasSlot = true
  const requests: boolean[] = []
  await using site = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async () => {
      requests.push(hasSlot)
      await Bun.sleep(3_000)
      return new Response('', { status: 503 })
    },
  })
  const reasons: string[] = []
  const link = linkTo(site.url.href, {
    onMissing: (reason) => reasons.push(reason),
    withoutSlot: async (work) => {
      hasSlot = false
      return work().finally(() => (hasSlot = true))
    },
  })
  expect(await link?.loadImage()).toBeNull()
  expect(await link?.loadImage()).toBeNull()
  expect(reasons).toEqual(['Its site responded with 503.'])
  expect(requests).not.toContain(true)
  // Three seconds each, and a pause between them.
  expect(requests.length).toBeLessThanOrEqual(2)
}, 60_000)

test('SOC-14 image that couldn’t be downloaded for a moment is downloaded for the next preview of the page', async () => {
  const bytes = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const image = () => new Response(new Uint8Array(bytes), { headers: { 'content-type': 'image/png' } })
  for (const fail of [() => new Response('', { status: 503 }), () => new Response('', { status: 429 }), cutOff]) {
    const answers = [fail, image]
    using images = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => (answers.shift() ?? image)() })
    await using site = await serveWebPage({ head: `<meta property="og:image" content="${images.url.href}">` })
    expect(await preview(site.url)).toMatchObject({ imageUrl: null, thumbnail: null })
    expect(await preview(site.url)).toMatchObject({ imageUrl: images.url.href, thumbnail: expect.any(String) })
  }
})

/** A response whose connection ends early. */
function cutOff(): Response {
  async function* parts() {
    yield new Uint8Array(10)
    throw new Error('The connection ends')
  }
  return new Response(streamOf(parts()), { headers: { 'content-type': 'image/png', 'content-length': '100' } })
}

test('SOC-14 preview whose request ended is no refusal of the page', async () => {
  const ended = new AbortController()
  await using site = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => {
      ended.abort(new Error('The client is gone'))
      return new Promise<Response>(() => {})
    },
  })
  const fetching = fetchPage({ outbound: createOutbound({ allowPrivate: true }), signal: ended.signal }, site.url.href)
  await expect(fetching).rejects.toThrow('The client is gone')
  await site.stop(true)
})
