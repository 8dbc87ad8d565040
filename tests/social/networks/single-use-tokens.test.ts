import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Connection } from '#social/types'
import { eventually } from '../../boot/program.ts'
import { startX, type XCounterpart } from '../../counterparts/x/index.ts'
import { administer } from '../../support/database.ts'
import { serve, type Served } from '../../support/served.ts'
import { networkEnv } from './support/origins.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'

// X accepts each refresh token once: a second refresh with it would sign the account out.

let x: XCounterpart
let site: NetworkSite
let second: Served

beforeAll(async () => {
  x = startX()
  site = await openNetworkSite({ provider: 'x', counterpart: x, app: x.app })
  second = await serve({ databaseUrl: site.databaseUrl, env: networkEnv({ x }) })
})

afterAll(async () => {
  second.kill('SIGTERM')
  await second.exited
  await site.close()
})

const route = 'api POST /2/oauth2/token'
const rounds = 4

test('SOC-07 two servers that need new tokens use each single-use refresh token of X once', async () => {
  const account = x.account('acme')
  const target = await site.connect(account.id, (url) => x.consent(url, account))
  const { ada } = site
  const published = await Promise.all(
    Array.from({ length: 2 * rounds }, (_, at) => site.publish(target, { text: `Post ${at}` })),
  )
  x.watch(async ({ path }) => {
    if (path === '/2/oauth2/token') await Bun.sleep(200)
  })
  const before = x.callsOf(route).length
  for (let round = 1; round <= rounds; round++) {
    x.grants.expire(account.id, 'access')
    const pair = published.splice(0, 2)
    await Promise.all(
      pair.map(({ id }, at) =>
        ada.through(at === 0 ? site.url : second.url).call('DELETE', `/api/posts/${id}/publication`),
      ),
    )
    expect(x.callsOf(route).length - before).toBe(round)
  }
  expect(x.posts(account)).toEqual([])
  const sent = x
    .callsOf(route)
    .slice(before)
    .map(({ text }) => new URLSearchParams(text).get('refresh_token'))
  expect(new Set(sent).size).toBe(rounds)
  const { health } = await ada.call<Connection>('GET', `/api/accounts/${target.connectionId}`)
  expect(health).toBe('ok')
  expect(await site.publish(target, { text: 'Afterwards' })).toMatchObject({ status: 'published' })
}, 60_000)

test('SOC-07 GTW-04 server that takes a refresh over while X responds to another one gets the same tokens', async () => {
  const account = x.account('twice')
  const target = await site.connect(account.id, (url) => x.consent(url, account))
  const { ada } = site
  const published = await Promise.all(['One', 'Two'].map((text) => site.publish(target, { text })))
  const arrived = Promise.withResolvers<void>()
  const open = Promise.withResolvers<void>()
  x.watch(async ({ path }) => {
    if (path !== '/2/oauth2/token') return
    arrived.resolve()
    await open.promise
  })
  const before = x.callsOf(route).length
  x.grants.expire(account.id, 'access')
  const removing = [ada.call('DELETE', `/api/posts/${published[0]?.id}/publication`)]
  await arrived.promise
  const { connectionId } = target
  const first = await administer(site.databaseUrl, async (sql) => {
    const [row] = await sql<{ owner: string }[]>`
      SELECT renewal_owner AS owner FROM social.connections WHERE id = ${connectionId}`
    return row?.owner ?? ''
  })
  const isTakenOver = () =>
    administer(site.databaseUrl, async (sql) => {
      // As a server finds the claim of a dead one.
      await sql`
        UPDATE social.connections SET renewal_ends_at = now() WHERE id = ${connectionId} AND renewal_owner = ${first}`
      const rows = await sql`SELECT FROM social.connections WHERE id = ${connectionId} AND renewal_owner <> ${first}`
      return rows.length === 1
    })
  removing.push(ada.through(second.url).call('DELETE', `/api/posts/${published[1]?.id}/publication`))
  expect(await eventually(isTakenOver)).toBe(true)
  // In which the second one would ask X.
  await Bun.sleep(500)
  open.resolve()
  await Promise.all(removing)
  expect(x.callsOf(route).length).toBe(before + 1)
  expect(x.posts(account)).toEqual([])
  const { health } = await ada.call<Connection>('GET', `/api/accounts/${connectionId}`)
  expect(health).toBe('ok')
}, 60_000)
