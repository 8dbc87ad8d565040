import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readConfig } from '#config'
import { chosenContexts } from '../../src/contexts.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** As registered on a server that is deployed. */
const publicPages = chosenContexts({ ...readConfig({ ATRIUM_ENV: 'test' }), offlineHelps: false })
  .flatMap(({ pages }) => pages)
  .filter(({ permission }) => permission === 'public')

/** Public pages at one URL that search engines needn't list: steps of signing in, targets of links, and the API reference. */
const unlisted = [
  '/auth/callback',
  '/forgot-password',
  '/login',
  '/login/deletion',
  '/login/link',
  '/login/organization',
  '/login/second-factor',
  '/magic-link/consume',
  '/openapi',
  '/register',
  '/sso/authorize',
  '/unsubscribe',
]

const textOf = async (path: string, accept = '*/*') =>
  (await world.stranger.fetch(`GET ${path}`, undefined, { accept })).text()

test('DSH-34 sitemap lists every registered public page but the unlisted ones', async () => {
  const urls = [...(await textOf('/sitemap.xml')).matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => new URL(url))
  const paths = urls.map(({ pathname }) => pathname)
  expect(paths).toEqual(
    expect.arrayContaining(['/', '/pricing', '/demo', '/checkout', '/privacy', '/terms', '/imprint']),
  )
  const registered = publicPages.flatMap(({ path }) => (path.includes(':') ? [] : [path]))
  expect([...paths, ...unlisted].toSorted()).toEqual(registered.toSorted())
  for (const url of urls) {
    const head = (await textOf(url.pathname, 'text/html')).split('<body')[0] ?? ''
    expect([url.pathname, head.includes(`<link rel="canonical" href="${url.origin}${url.pathname}"`)]).toEqual([
      url.pathname,
      true,
    ])
    expect([url.pathname, head.includes('noindex')]).toEqual([url.pathname, false])
  }
})

test('DSH-34 robots.txt keeps crawlers from the API and the pages of one person, and from no page of the sitemap', async () => {
  const lines = (await textOf('/robots.txt')).trim().split('\n')
  expect(lines[0]).toBe('User-agent: *')
  expect(lines.at(-1)).toMatch(/^Sitemap: https?:\/\/[^/]+\/sitemap\.xml$/)
  const closed = lines.flatMap((line) => (line.startsWith('Disallow: ') ? [line.slice('Disallow: '.length)] : []))
  const isClosed = (path: string) => closed.some((prefix) => path.startsWith(prefix))
  expect(lines).toHaveLength(closed.length + 2)
  const personal = publicPages.filter(({ path, frame }) => path.includes(':') && frame !== 'plain')
  expect(personal.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      '/checkout/:id',
      '/demo/bookings/:token',
      '/waitlist/entries/:token',
      '/pay/receipts/:token',
    ]),
  )
  expect(personal.filter(({ path }) => !isClosed(path))).toEqual([])
  expect(isClosed('/api/demo-slots')).toBe(true)
  const open = publicPages.filter(({ description, path }) => description !== undefined || path.startsWith('/openapi'))
  expect(open.filter(({ path }) => isClosed(path))).toEqual([])
})
