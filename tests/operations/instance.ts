/** The client ID of each app that registers there. */
export const registeredClient = 'atrium'

/** An account on X, whose tokens don’t expire. */
export const accountOnX = '00000000-0000-4000-8000-0000000000c1'

/** The origin of a server that registers every app, as a Mastodon instance does. */
export const instance: string = (() => {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => Response.json({ client_id: registeredClient, client_secret: 'a secret', access_token: 'a token' }),
  })
  server.unref()
  return server.url.origin
})()
