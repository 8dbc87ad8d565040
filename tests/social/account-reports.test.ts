import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Job } from '#lib/job.ts'
import { eraseOrganizationData } from '#lib/tenant-data/erase.ts'
import { reportAccount, reportUnreported } from '../../src/social/accounts/report.ts'
import { renewTokens } from '../../src/social/accounts/tokens/tokens.ts'
import { networkOf } from '../../src/social/networks/index.ts'
import { outsideOf } from '../../src/social/networks/outside.ts'
import { socialData } from '../../src/social/tenant-data.ts'
import { openWorld, type Caller, type World } from '../support/world.ts'

// Nothing works the queue here: the test does.

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const run = (job: Job, input: object) =>
  job.run({ ...world.provided, database: world.database, now: () => new Date(), input })

/** Does the reports that wait, and returns how many. */
async function deliver(): Promise<number> {
  const jobs = await world.database.sql<{ data: { id: string } }[]>`
    DELETE FROM pgboss.job WHERE name = 'social.report-account' RETURNING data`
  for (const { data } of jobs) await run(reportAccount, data)
  return jobs.length
}

interface Listed {
  id: string
  brandName: string
  health: string
}

const accountAt = async (who: Caller): Promise<Omit<Listed, 'id'> | undefined> => {
  const { items } = await who.fetchJson<{ items: Listed[] }>('GET /api/connections?limit=100')
  const found = items.find(({ id }) => id === world.ada.things.accounts)
  return found && { brandName: found.brandName, health: found.health }
}

test('GTW-04 each change of an account is reported to the gateway, also of one that was connected before reports existed', async () => {
  const { ada, mallory, database, provided } = world
  const { accounts: id, brands: brandId, organizations } = ada.things
  await database.sql`DELETE FROM pgboss.job WHERE name = 'social.report-account'`
  await database.sql`DELETE FROM social.account_reports`
  expect(await accountAt(ada)).toBeUndefined()
  await run(reportUnreported, {})
  await deliver()
  expect(await accountAt(ada)).toMatchObject({ health: 'healthy' })
  await run(reportUnreported, {})
  expect(await deliver()).toBe(0)

  await ada.fetchJson(`POST /api/accounts/${id}/deactivate`)
  expect(await deliver()).toBe(1)
  expect(await accountAt(ada)).toMatchObject({ health: 'inactive' })
  await ada.fetchJson(`POST /api/accounts/${id}/reconnect`)
  await ada.fetchJson(`PUT /api/brands/${brandId}`, { name: 'Renamed' })
  await deliver()
  expect(await accountAt(ada)).toEqual({ brandName: 'Renamed', health: 'healthy' })

  const sandbox = networkOf('sandbox')
  if (!sandbox) throw new Error('There is no sandbox')
  await renewTokens({
    emitting: { queue: provided.queue, events: provided.events, now: () => new Date() },
    database,
    secrets: provided.secrets,
    credentials: provided.gateway.social,
    outside: outsideOf(provided.config, 'http://localhost', provided.outbound),
    network: { ...sandbox, renew: async () => ({ kind: 'signed_out', message: 'Revoked.' }) },
    connectionId: id,
    refused: { externalId: 'acme', metadata: {}, tokens: {} },
    message: 'The token was revoked.',
    timeoutMs: 10_000,
  })
  await deliver()
  expect(await accountAt(ada)).toMatchObject({ health: 'signed_out' })

  await database.sql`UPDATE social.brands SET platform_org_id = ${mallory.things.organizations}, slug = 'moved' WHERE id = ${brandId}`
  await database.sql`UPDATE social.account_reports SET version = version + 1 WHERE connection_id = ${id}`
  await run(reportUnreported, {})
  await deliver()
  expect([await accountAt(ada), (await accountAt(mallory))?.brandName]).toEqual([undefined, 'Renamed'])

  await database.sql`UPDATE social.brands SET platform_org_id = ${organizations} WHERE id = ${brandId}`
  await eraseOrganizationData({ ...provided, database, now: () => new Date() }, socialData, organizations)
  expect(await deliver()).toBeGreaterThan(0)
  expect([await accountAt(ada), await accountAt(mallory)]).toEqual([undefined, undefined])
})
