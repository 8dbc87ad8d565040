const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('ok') })
server.unref()

/** Takes every request. */
export const listener = `http://127.0.0.1:${server.port}`
