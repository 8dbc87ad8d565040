import { afterAll, beforeAll, expect, test } from 'bun:test'
import { bearer, openWorld, type Person, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({ env: { RATE_LIMIT_READS: '10', RATE_LIMIT_ORGANIZATION: '3' } })
})
afterAll(() => world.close())

async function newKey(by: Person): Promise<string> {
  const draft = { name: 'One of many', service: 'platform-socialize', scopes: ['posts.read'] }
  return (await by.fetchJson<{ key: string }>('POST /api/api-keys', draft, 201)).key
}

/** A separate address for each key, since new credentials count toward their address first. */
const read = (key: string, address = 0) =>
  world.handle(new Request('http://localhost/api/posts', { headers: bearer(key) }), `198.51.100.${address}`)

test('PLT-14 more API keys don’t raise an organization’s rate limit', async () => {
  const keys: string[] = []
  while (keys.length < 30) keys.push(await newKey(world.ada))
  const answers = await Promise.all(keys.flatMap((key, at) => [read(key, at), read(key, at)]))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(30)
  const refused = await (await read(keys[0] ?? '')).json()
  expect(refused).toMatchObject({
    status: 429,
    detail: expect.stringContaining('More than 30 requests in 60 s for your whole'),
  })
  expect((await read(await newKey(world.mallory))).status).toBe(200)
})

test('PLT-14 problem page of a request over the limit is drawn without the queries of a frame', async () => {
  const { cookie } = await world.mallory.signIn()
  const headers = { cookie, accept: 'text/html' }
  for (let nth = 0; nth < 40; nth++) {
    const response = await world.handle(
      new Request('http://localhost/workspace/nowhere', { headers }),
      '198.51.100.250',
    )
    const hasFrame = (await response.text()).includes('class="sidebar"')
    if (response.status === 404 && hasFrame) continue
    expect([response.status, hasFrame]).toEqual([429, false])
    return
  }
  throw new Error('The limit was never reached')
})
