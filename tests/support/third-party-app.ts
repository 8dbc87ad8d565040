import { answerBrowser, createIdentityMiddleware, Problem } from 'atrium/identity-middleware'

/** A third-party app, which uses only the two packages. */
export interface ThirdPartyApp {
  origin: string
  stop(): Promise<void>
}

export const slug = 'corner-shop'
const modules = new URL('.', import.meta.resolve('atrium/identity-client')).pathname

const page = (script: string) => `<!doctype html><html lang="en"><title>Corner Shop</title>
<main><h1>Corner Shop</h1><p id="who">…</p><p id="kept"></p><button id="in">Sign in</button><button id="out">Sign out</button>
<button id="orders">My orders</button><p id="problem" role="alert"></p></main>
<script type="module" src="${script}"></script>`

/** Its front page: the cached user is shown at once, then the one that identity returns. */
const shop = (authority: string) => `
import { createIdentityClient } from '/identity-client/index.js'
const client = (globalThis.identity = createIdentityClient({ service: '${slug}', authority: '${authority}', home: '/' }))
const show = (id, text) => (document.getElementById(id).textContent = text)
const tell = (error) => show('problem', error.code)
const on = (id, act) => document.getElementById(id).addEventListener('click', () => act().catch(tell))
on('in', () => client.authorize({ next: '/?welcome' }))
on('out', () => client.signOut().then(() => location.reload()))
on('orders', async () => show('problem', (await (await client.fetch('/orders')).json()).code))
show('kept', client.accessToken ? 'a token' : 'none')
client.me().then((me) => show('who', me ? me.user.name : 'signed out')).catch(tell)`

const arriving = `
import { createIdentityClient } from '/identity-client/index.js'
createIdentityClient({ service: '${slug}' }).redeem().catch((error) => {
  document.getElementById('problem').textContent = error.code
})`

/** Starts it before identity, whose URL it gets later. */
export function openCornerShop(authority: () => string): ThirdPartyApp {
  const html = (script: string) =>
    new Response(page(script), { headers: { 'content-type': 'text/html; charset=utf-8' } })
  const js = (text: string) => new Response(text, { headers: { 'content-type': 'text/javascript' } })
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      const identity = createIdentityMiddleware({ identityUrl: authority(), service: slug })
      const answer = await answerBrowser(identity, request)
      if (answer) return answer
      if (pathname === '/') return html('/shop.js')
      if (pathname === '/auth/callback') return html('/arriving.js')
      if (pathname === '/shop.js') return js(shop(authority()))
      if (pathname === '/arriving.js') return js(arriving)
      if (pathname.startsWith('/identity-client/'))
        return new Response(Bun.file(modules + pathname.slice('/identity-client/'.length)))
      if (pathname === '/orders')
        return identity.require(request, 'orders:read').then(
          () => Response.json({ code: 'here_they_are' }),
          (error: unknown) => {
            if (!(error instanceof Problem)) throw error
            return Response.json({ code: error.code }, { status: error.status })
          },
        )
      return new Response(null, { status: 404 })
    },
  })
  return { origin: `http://shop.localhost:${server.port}`, stop: () => server.stop(true) }
}
