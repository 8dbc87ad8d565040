import sharp from 'sharp'

interface Settings {
  head?: string
  /** Pixels of its image, which doesn’t compress. */
  edge?: number
}

/** A site on loopback with a page at `/maple` and its image at `/maple.png`. */
export async function serveWebPage({ head, edge = 40 }: Settings = {}) {
  const pixels = Buffer.alloc(edge * edge * 3)
  for (let at = 0; at < pixels.length; at += 65_536) crypto.getRandomValues(pixels.subarray(at, at + 65_536))
  const image = await sharp(pixels, { raw: { width: edge, height: edge, channels: 3 } })
    .png()
    .toBuffer()
  const requests: string[] = []
  const html = `<!doctype html><html><head>${head ?? defaultHead}</head><body>A long text</body></html>`
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => {
      const { pathname } = new URL(request.url)
      requests.push(pathname)
      if (pathname === '/maple') return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } })
      if (pathname === '/maple.png')
        return new Response(new Uint8Array(image), { headers: { 'content-type': 'image/png' } })
      return new Response('Not found', { status: 404 })
    },
  })
  return {
    url: new URL('/maple', server.url).href,
    imageUrl: new URL('/maple.png', server.url).href,
    requests,
    imageBytes: image.length,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

const defaultHead = `
  <title>Not this one</title>
  <meta property="og:title" content="Maple &amp; oat latte">
  <meta property="og:description" content="Three shops, until  February&#8230;">
  <meta property="og:image" content="/maple.png">`
