import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import { openWorld, type World } from '../support/world.ts'

interface Manifest {
  id: string
  start_url: string
  scope: string
  display: string
  icons: { src: string; sizes: string; type: string; purpose: string }[]
  shortcuts: { name: string; url: string }[]
}

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const readManifest = () => world.stranger.fetchJson<Manifest>('GET /manifest.webmanifest')

test('DSH-23 manifest has what browsers need to install Atrium', async () => {
  const response = await world.stranger.fetch('GET /manifest.webmanifest')
  expect(response.headers.get('content-type')).toBe('application/manifest+json')
  expect(response.headers.get('cache-control')).toBe('public, max-age=86400')
  const manifest = await readManifest()
  expect(manifest).toMatchObject({ id: '/', start_url: '/dashboard', scope: '/', display: 'standalone' })
  expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).toEqual([
    '192x192 any',
    '512x512 any',
    '512x512 maskable',
  ])
})

test('DSH-23 icons of the manifest have the sizes that it names; the maskable one fills its square', async () => {
  for (const { src, sizes, type, purpose } of (await readManifest()).icons) {
    const response = await world.stranger.fetch(`GET ${src}`)
    expect(response.headers.get('content-type')).toBe(type)
    const image = sharp(await response.arrayBuffer())
    const { width, height } = await image.metadata()
    expect(`${width}x${height}`).toBe(sizes)
    const { isOpaque } = await image.stats()
    expect(isOpaque).toBe(purpose === 'maskable')
  }
})

test('DSH-24 shortcuts open the four pages of the launchpad', async () => {
  const { shortcuts } = await readManifest()
  expect(shortcuts.map(({ name }) => name)).toEqual(['Dashboard', 'Apps', 'Actions', 'Settings'])
  const { cookie } = await world.ada.signIn()
  for (const { url } of shortcuts)
    expect((await world.stranger.fetch(`GET ${url}`, undefined, { accept: 'text/html', cookie })).status, url).toBe(200)
})

test('DSH-23 signed-in pages and the sign-in page link to the manifest and the icon for iOS', async () => {
  const { cookie } = await world.ada.signIn()
  for (const path of ['/login', '/dashboard', '/apps', '/actions']) {
    const headers = { accept: 'text/html', ...(path !== '/login' && { cookie }) }
    const page = await (await world.stranger.fetch(`GET ${path}`, undefined, headers)).text()
    expect(page.includes('name="service-worker"'), path).toBe(path !== '/login')
    expect(page).toContain('<link rel="manifest" href="/manifest.webmanifest"')
    expect(page).toContain('<link rel="apple-touch-icon" href="/apple-touch-icon.png"')
  }
})

test('DSH-23 worker is checked for a new release at each visit, and pages allow only it', async () => {
  const response = await world.stranger.fetch('GET /service-worker.js')
  expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-cache')
  const page = await world.stranger.fetch('GET /login', undefined, { accept: 'text/html' })
  expect(page.headers.get('content-security-policy')).toContain("worker-src 'self'")
  expect(page.headers.get('content-security-policy')).toContain('trusted-types htmx service-worker')
})

test('DSH-23 host of another service has no worker, and its manifest starts at its own home', async () => {
  const separate = await openWorld({
    env: {
      PUBLIC_URL: 'http://atrium.example.com',
      SOCIAL_HOST: 'social.example.com',
      DASHBOARD_HOST: 'home.example.com',
    },
  })
  const send = (host: string, path: string) => separate.handle(new Request(`http://${host}${path}`))
  for (const host of ['atrium.example.com', 'home.example.com']) {
    expect((await send(host, '/service-worker.js')).status).toBe(200)
    expect((await (await send(host, '/manifest.webmanifest')).json()).start_url).toBe('/dashboard')
  }
  expect((await send('social.example.com', '/service-worker.js')).status).toBe(404)
  const { start_url, shortcuts } = await (await send('social.example.com', '/manifest.webmanifest')).json()
  expect([start_url, shortcuts]).toEqual(['/', undefined])
  await separate.close()
})
