/** A page where one is asked for. */
const answer = (request: Request): Response =>
  new URL(request.url).pathname === '/page'
    ? new Response('<title>A page</title>', { headers: { 'content-type': 'text/html' } })
    : new Response('ok')

const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
server.unref()

/** Takes every request. */
export const listener = `http://127.0.0.1:${server.port}`
