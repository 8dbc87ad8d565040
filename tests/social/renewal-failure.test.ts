import { afterAll, beforeAll, expect, test } from 'bun:test'
import { newId } from '#lib/ids.ts'
import { renewTokens } from '../../src/social/accounts/tokens/tokens.ts'
import { networkOf } from '../../src/social/networks/index.ts'
import type { Network } from '../../src/social/networks/network.ts'
import { outsideOf } from '../../src/social/networks/outside.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

test('SOC-07 next caller can refresh the tokens immediately after a failure', async () => {
  const { database, provided } = world
  const [connectionId, brandId] = [newId(), newId()]
  await database.sql`
    INSERT INTO social.brands (id, platform_org_id, name, slug, time_zone)
    VALUES (${brandId}, ${newId()}, 'Brand', 'brand', 'UTC')`
  await database.sql`
    INSERT INTO social.connections (id, brand_id, provider, owner_id, external_id, name)
    VALUES (${connectionId}, ${brandId}, 'sandbox', ${newId()}, 'ada', 'Account')`
  const sandbox = networkOf('sandbox')
  if (!sandbox) throw new Error('There is no sandbox')
  const renew = (network: Network) =>
    renewTokens({
      emitting: { queue: provided.queue, events: provided.events, now: () => new Date() },
      database,
      secrets: provided.secrets,
      credentials: provided.gateway.social,
      outside: outsideOf(provided.config, 'http://localhost', provided.outbound),
      network,
      connectionId,
      refused: { externalId: 'ada', metadata: {}, tokens: {} },
      message: 'The token has expired.',
      timeoutMs: 10_000,
    })
  const broken = { ...sandbox, renew: () => Promise.reject(new Error('Broken off')) }
  await expect(renew(broken)).rejects.toThrow('Broken off')
  const [row] =
    await database.sql`SELECT renewal_owner, renewal_ends_at FROM social.connections WHERE id = ${connectionId}`
  expect(row).toEqual({ renewal_owner: null, renewal_ends_at: null })
  const tokens = { access: 'new' }
  const works = { ...sandbox, renew: async () => ({ kind: 'renewed', tokens }) as const }
  expect(await renew(works)).toEqual({ kind: 'renewed', tokens })
})
