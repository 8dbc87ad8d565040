import { afterAll, beforeAll, expect, test } from 'bun:test'
import { brotliCompressSync } from 'node:zlib'
import { openWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function headOf(path: string, cookie = ''): Promise<string> {
  const response = await world.stranger.fetch(`GET ${path}`, undefined, { accept: 'text/html', cookie })
  return (await response.text()).split('<body')[0] ?? ''
}

const titleOf = (head: string): string | undefined => /<title>([^<]+)<\/title>/.exec(head)?.[1]

test.each([
  ['favicon.ico', 'image/x-icon'],
  ['apple-touch-icon.png', 'image/png'],
  ['manifest.webmanifest', 'application/manifest+json'],
])('/%s is served at the root as %s', async (name, type) => {
  const response = await world.stranger.fetch(`GET /${name}`)
  expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
  expect(Buffer.from(await response.arrayBuffer())).toEqual(
    Buffer.from(await Bun.file(`public/root/${name}`).arrayBuffer()),
  )
})

test('icons in the manifest and the pages exist', async () => {
  const { icons } = await Bun.file('public/root/manifest.webmanifest').json()
  const linked = [...(await headOf('/login')).matchAll(/rel="(?:icon|apple-touch-icon|manifest)" href="([^"]+)"/g)]
  const paths = [...icons.map(({ src }: { src: string }) => src), ...linked.map(([, href]) => href)]
  expect(paths).toHaveLength(6)
  for (const path of paths) expect((await world.stranger.fetch(`GET ${path}`)).status).toBe(200)
})

test('page titles include the brand or organization, and only public pages are indexable', async () => {
  const { cookie } = await world.ada.signIn()
  const posts = await headOf('/workspace/posts', cookie)
  expect(titleOf(posts)).toMatch(/^Posts · .+ · Atrium$/)
  expect(posts).toContain('<meta name="robots" content="noindex"')
  expect(titleOf(await headOf('/settings/members', cookie))).toMatch(/^Members · Settings · .+ · Atrium$/)
  expect(await headOf('/onboarding', cookie)).toContain('<meta name="robots" content="noindex"')
  const login = await headOf('/login')
  expect(titleOf(login)).toBe('Sign in · Atrium')
  expect(login).not.toContain('noindex')
})

test('color of the browser’s toolbar follows the theme', async () => {
  const colors = (head: string) =>
    [...head.matchAll(/name="theme-color" content="(#\w+)"( media)?/g)].map(([, ...found]) => found.join(''))
  expect(colors(await headOf('/login'))).toEqual(['#ffffff media', '#111517 media'])
  expect(colors(await headOf('/login', 'theme=dark'))).toEqual(['#111517'])
})

/** The assets that a first visit of a page loads, imports of scripts included, with the size of all compressed. */
async function visit(path: string, cookie = ''): Promise<{ names: string[]; bytes: number }> {
  const page = await world.stranger.fetch(`GET ${path}`, undefined, { accept: 'text/html', cookie })
  const html = await page.text()
  const sizes = new Map([[path, brotliCompressSync(html).length]])
  const load = async (address: string): Promise<void> => {
    if (sizes.has(address)) return
    sizes.set(address, 0)
    const response = await world.stranger.fetch(`GET ${address}`)
    const bytes = Buffer.from(await response.arrayBuffer())
    sizes.set(address, address.endsWith('.woff2') ? bytes.length : brotliCompressSync(bytes).length)
    const imports = address.endsWith('.js')
      ? [...bytes.toString().matchAll(/\bimport(?:[^"()]*from)?"(\.[^"]+)"/g)]
      : []
    for (const [, relative = ''] of imports) await load(new URL(relative, `http://localhost${address}`).pathname)
  }
  const linked = [...html.matchAll(/(?:href|src)="(\/assets\/[^"#]+)/g)].map(([, address = '']) => address)
  for (const address of linked) await load(address)
  const names = [...sizes.keys()].map((address) => address.split('/').at(-1) ?? '')
  return { names, bytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) }
}

test('first visit to the sign-in page loads less than 100 KB, without the scripts of the palette and the composer', async () => {
  const { names, bytes } = await visit('/login')
  expect(names).toEqual(
    expect.arrayContaining(['app.css', 'htmx.js', 'app.js', 'geist-latin.woff2', 'passkey-form.js']),
  )
  expect(names).not.toContain('command-palette.js')
  expect(names).not.toContain('post-composer.js')
  expect(bytes).toBeLessThan(100_000)
})

test('pages load the scripts for their elements', async () => {
  const { cookie } = await world.ada.signIn()
  const { names } = await visit('/workspace/posts/new', cookie)
  expect(names).toEqual(expect.arrayContaining(['command-palette.js', 'post-composer.js', 'media-picker.js']))
  expect(names).not.toContain('passkey-form.js')
  expect((await visit('/workspace/posts', cookie)).names).not.toContain('post-composer.js')
})
