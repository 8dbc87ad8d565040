import { expect, test } from 'bun:test'
import { z } from 'zod'
import type { Context } from '#lib/context.ts'
import type { DatabaseHandle } from '#lib/db.ts'
import { operation } from '#lib/operation.ts'
import { page } from '#lib/page.ts'
import { reservedPaths } from '../../src/hosts.ts'
import { allowedOrigin, contextOf, kernelOf } from './kernel.tsx'

// Three services, two of which share paths, as in the finished product (PLT-05).

const describing = (slug: string, path: `/${string}`) =>
  operation({
    route: `GET ${path}` as const,
    summary: 'Which service answers',
    permission: 'public',
    input: z.object({}),
    output: z.object({ slug: z.string() }),
    run: async () => ({ slug }),
  })

const screen = page({
  path: '/social/posts',
  permission: 'public',
  frame: 'plain',
  title: 'Posts',
  query: z.object({}),
  load: async () => ({}),
  view: () => 'Posts',
})

const service = (slug: string, own: `/${string}`, more: Partial<Context> = {}) =>
  contextOf({ slug, ...more, operations: { own: describing(slug, own), ...more.operations } })

const widget = (slug: string) => ({ widget: describing(slug, '/api/widget') })
const contexts = [
  service('identity', '/api/auth/me', { everywhere: true }),
  service('social', '/api/posts', { pages: [screen], operations: widget('social') }),
  service('pay', '/api/pay/orders', { operations: widget('pay') }),
]
const parts = {
  database: {} as DatabaseHandle, // Unused here.
  paths: { shared: { '/api/widget': 'pay' } },
}
const hosts = {
  services: new Map([
    ['social.example.com', ['social']],
    ['id.example.com', ['identity']],
    ['money.example.com', ['pay', 'dashboard']],
  ]),
  all: new Set(['atrium.example.com']),
}
const one = kernelOf(contexts, parts)
const many = kernelOf(contexts, { ...parts, hosts })

const at = (host: string, path: string, init?: RequestInit) =>
  many(new Request(`https://${host}${path}`, init), '10.0.0.1')
const reported = async (response: Response) => [response.status, (await response.json()).slug]

test('PLT-05 every path is served under any host on a single origin', async () => {
  for (const host of ['localhost', 'atrium.example.com', '192.0.2.7', 'evil.example'])
    for (const path of ['/api/auth/me', '/api/posts', '/api/pay/orders', '/social/posts', '/api/widget'])
      expect((await one(new Request(`http://${host}:3000${path}`))).status).toBe(200)
})

test('PLT-05 PLT-09 configured host serves the API and pages of its service and the sign-in pages', async () => {
  const open = {
    'social.example.com': ['/api/auth/me', '/api/posts', '/social/posts', '/api/widget'],
    'SOCIAL.example.com:8443': ['/api/posts'],
    'id.example.com': ['/api/auth/me'],
    'money.example.com': ['/api/auth/me', '/api/pay/orders', '/api/widget'],
    'atrium.example.com': ['/api/auth/me', '/api/posts', '/api/pay/orders', '/social/posts', '/api/widget'],
    '127.0.0.1:3000': ['/api/posts', '/api/pay/orders'],
  }
  const closed = {
    'social.example.com': ['/api/pay/orders'],
    'id.example.com': ['/api/posts', '/social/posts', '/api/pay/orders', '/api/widget'],
    'money.example.com': ['/api/posts', '/social/posts'],
  }
  for (const [host, paths] of Object.entries(open))
    for (const path of paths) expect([host, path, (await at(host, path)).status]).toEqual([host, path, 200])
  for (const [host, paths] of Object.entries(closed))
    for (const path of paths) {
      expect([host, path, (await at(host, path)).status]).toEqual([host, path, 404])
      // The response doesn't reveal that another service has the path.
      expect((await at(host, path, { method: 'PUT' })).status).toBe(404)
      expect((await at(host, path, { method: 'OPTIONS' })).headers.get('allow')).toBe('OPTIONS')
    }
})

test('PLT-05 path shared by two services is routed by host, then by ?app=, then to its default service', async () => {
  expect(await reported(await at('social.example.com', '/api/widget?app=pay'))).toEqual([200, 'social'])
  expect(await reported(await at('money.example.com', '/api/widget'))).toEqual([200, 'pay'])
  expect(await reported(await at('atrium.example.com', '/api/widget'))).toEqual([200, 'pay'])
  expect(await reported(await at('atrium.example.com', '/api/widget?app=social'))).toEqual([200, 'social'])
  expect(await reported(await one(new Request('http://localhost/api/widget')))).toEqual([200, 'pay'])
  expect(await reported(await one(new Request('http://localhost/api/widget?app=social')))).toEqual([200, 'social'])
  expect((await one(new Request('http://localhost/api/widget?app=gateway'))).status).toBe(404)
})

test('PLT-05 ?app= of an absent service returns 404, even when one service has the path', async () => {
  const alone = kernelOf([service('social', '/api/posts', { operations: widget('social') })], parts)
  const send = (path: string) => alone(new Request(`http://localhost${path}`))
  expect(await reported(await send('/api/widget'))).toEqual([200, 'social'])
  expect(await reported(await send('/api/widget?app=social'))).toEqual([200, 'social'])
  for (const app of ['pay', 'gateway', '']) {
    const answer = await send(`/api/widget?app=${app}`)
    expect([app, answer.status, (await answer.json()).code]).toEqual([app, 404, 'not_found'])
  }
})

test('PLT-05 unknown host name is rejected when hosts are configured', async () => {
  for (const host of ['evil.example', 'social.example.com.evil.example', '192.0.2.7', 'localhost.evil.example'])
    for (const path of ['/api/posts', '/api/auth/me', '/social/posts', '/nowhere']) {
      const answer = await at(host, path)
      expect([answer.status, (await answer.json()).code]).toEqual([421, 'misdirected_request'])
    }
})

test('PLT-08 allowed origin gets CORS headers on every host, including on rejected requests', async () => {
  for (const host of ['social.example.com', 'id.example.com', 'atrium.example.com', 'evil.example'])
    for (const path of ['/api/posts', '/api/auth/me', '/nowhere']) {
      const answer = await at(host, path, { headers: { origin: allowedOrigin } })
      expect(answer.headers.get('access-control-allow-origin')).toBe(allowedOrigin)
    }
})

test('PLT-18 startup fails with both names when two services have the same path', () => {
  const rivals = [service('social', '/api/things/:id'), service('pay', '/api/things/:thingId')]
  expect(() => kernelOf(rivals)).toThrow(
    'Two routes claim the same path: GET /api/things/:id of social, and GET /api/things/:thingId of pay.',
  )
  const twice = contextOf({ slug: 'pay', operations: { ...widget('pay'), again: describing('pay', '/api/widget') } })
  expect(() => kernelOf([twice], parts)).toThrow('Two routes claim the same path')
})

test.each(['/api/billing', '/api/referrals/:id', '/workspace/rewards', '/workspace/billing/plans'] as const)(
  'PLT-18 SOC-41 no service can register %s, and it returns 404 on every host',
  async (path) => {
    const paths = { shared: {}, reserved: reservedPaths }
    expect(() => kernelOf([contextOf({ pages: [{ ...screen, path }] })], { paths })).toThrow('that path is reserved')
    for (const host of ['social.example.com', 'id.example.com', 'money.example.com', 'atrium.example.com'])
      for (const method of ['GET', 'POST', 'DELETE']) expect((await at(host, path, { method })).status).toBe(404)
  },
)
