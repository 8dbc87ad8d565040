/** A server of public media, as the networks that fetch it see them. */
export function servePublicMedia(files: Record<string, { type: string; bytes: Uint8Array<ArrayBuffer> }>) {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      const file = files[new URL(request.url).pathname.slice(1)]
      return file
        ? new Response(file.bytes, { headers: { 'content-type': file.type } })
        : new Response('', { status: 404 })
    },
  })
  return { at: (name: string) => `${server.url.origin}/${name}`, stop: () => server.stop(true) }
}
