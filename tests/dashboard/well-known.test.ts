import { afterAll, expect, test } from 'bun:test'
import { readConfig } from '#config'
import { openWorld, type World } from '../support/world.ts'

const fingerprint = Array.from({ length: 32 }, (_, at) => (at + 160).toString(16).toUpperCase()).join(':')
const other = fingerprint.replace('A0', '0A')
const apple = '/.well-known/apple-app-site-association'
const android = '/.well-known/assetlinks.json'

const worlds: World[] = []
async function openWith(env: Record<string, string>): Promise<World> {
  const world = await openWorld({ env })
  worlds.push(world)
  return world
}
afterAll(() => Promise.all(worlds.map((world) => world.close())))

test('DSH-23 native apps of the configuration are named in both systems’ documents', async () => {
  const world = await openWith({
    IOS_APP_IDS: 'ABCDE12345.com.example.atrium, FGHIJ67890.com.example.atrium.beta',
    ANDROID_APPS: `com.example.atrium=${fingerprint.toLowerCase()},com.example.atrium=${other},com.example.beta=${other}`,
  })
  const response = await world.stranger.fetch(`GET ${apple}`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toStartWith('application/json')
  expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
  const { applinks } = await response.json()
  expect(applinks.details).toHaveLength(1)
  expect(applinks.details[0].appIDs).toEqual(['ABCDE12345.com.example.atrium', 'FGHIJ67890.com.example.atrium.beta'])
  expect(applinks.details[0].components.map((each: Record<string, string>) => each['/'])).toEqual([
    '/launch/*',
    '/auth/callback',
  ])

  const links = await world.stranger.fetch(`GET ${android}`)
  expect(links.headers.get('content-type')).toStartWith('application/json')
  const target = (name: string, fingerprints: string[]) => ({
    relation: ['delegate_permission/common.handle_all_urls'],
    target: { namespace: 'android_app', package_name: name, sha256_cert_fingerprints: fingerprints },
  })
  expect(await links.json()).toEqual([
    target('com.example.atrium', [fingerprint, other]),
    target('com.example.beta', [other]),
  ])
})

test('DSH-23 documents without configured apps are valid and name none; other well-known paths still respond', async () => {
  const { stranger } = await openWith({})
  expect(await stranger.fetchJson<object>(`GET ${apple}`)).toEqual({ applinks: { details: [] } })
  expect(await stranger.fetchJson<object>(`GET ${android}`)).toEqual([])
  expect((await stranger.fetch('GET /.well-known/jwks.json')).status).toBe(200)
  expect((await stranger.fetch('GET /.well-known/none')).status).toBe(404)
})

test.each([
  ['IOS_APP_IDS', 'com.example.atrium', 'ABCDE12345.com.example.atrium'],
  ['IOS_APP_IDS', 'ABCDE12345.com.example.atrium,short.com.example', 'ABCDE12345.com.example.atrium'],
  ['ANDROID_APPS', 'com.example.atrium', 'com.example.atrium=12:AB'],
  ['ANDROID_APPS', 'com.example.atrium=12:AB', 'SHA-256'],
  ['ANDROID_APPS', `atrium=${fingerprint}`, 'com.example.atrium=12:AB'],
])('DSH-23 server refuses to start with %s=%s', (name, value, said) => {
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`${name}: .*${said}`))
})
