import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Config } from '#config'
import type { Connection, Integration } from '#social/types'
import { startTikTok, type TikTokCounterpart } from '../../counterparts/tiktok/index.ts'
import { newPublisher, type Publisher } from '../../support/publisher.ts'
import { beginConnecting, comeBack, drawPage, storeApp } from './support/connect.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'

const open = async (config: Partial<Config>) => {
  const tiktok = startTikTok()
  const site = await openNetworkSite({ provider: 'tiktok', counterpart: tiktok, app: tiktok.app, config })
  return { tiktok, site }
}
let staging: { tiktok: TikTokCounterpart; site: NetworkSite }
let production: typeof staging

beforeAll(async () => {
  staging = await open({ ATRIUM_ENV: 'staging' })
  production = await open({ ATRIUM_ENV: 'production' })
})
afterAll(() => Promise.all([staging.site.close(), production.site.close()]))

const sandboxOf = async ({ tiktok, site }: typeof staging): Promise<Publisher> => {
  const bob = await newPublisher(site.url)
  await storeApp(bob, { provider: 'tiktok', ...tiktok.app, mode: 'test' })
  return bob
}
const cardOf = async (who: Publisher): Promise<Integration | undefined> =>
  (await who.call<{ items: Integration[] }>('GET', '/api/integrations')).items.find(
    ({ provider }) => provider === 'tiktok',
  )
const accountsPage = (who: Publisher) => drawPage(who, `/workspace/accounts?brandId=${who.brandId}`)

test('SOC-04 SOC-06 sandbox credentials of TikTok make its card and accounts sandbox-only in staging', async () => {
  const { tiktok } = staging
  const bob = await sandboxOf(staging)
  expect(await cardOf(bob)).toMatchObject({ readiness: 'sandbox-only', can: { connect: true } })
  await comeBack(bob, tiktok.consent(await beginConnecting(bob, 'tiktok'), tiktok.creator('bob')))
  const [account] = (await bob.call<{ items: Connection[] }>('GET', '/api/accounts')).items
  expect(account).toMatchObject({ provider: 'tiktok', sandbox: true })
  const page = await accountsPage(bob)
  expect(page).toContain('Sandbox only')
  expect(page).toContain('posts aren’t shown to the public')
  expect(await drawPage(bob, `/workspace/accounts/${account?.id}`)).toContain('>Sandbox<')
})

test('SOC-04 sandbox account stays sandbox-only without its credentials, and its card asks for them', async () => {
  const { tiktok } = staging
  const bob = await sandboxOf(staging)
  await comeBack(bob, tiktok.consent(await beginConnecting(bob, 'tiktok'), tiktok.creator('carl')))
  await bob.call('DELETE', '/api/credentials/tiktok?mode=test', undefined, 204)
  expect(await cardOf(bob)).toMatchObject({
    readiness: 'sandbox-only',
    attention: expect.stringContaining('The app credentials of TikTok are missing'),
    can: { connect: false },
  })
  const [account] = (await bob.call<{ items: Connection[] }>('GET', '/api/accounts')).items
  await bob.call('POST', `/api/accounts/${account?.id}/deactivate`)
  expect(await cardOf(bob)).toMatchObject({ readiness: 'setup-required', attention: null })
})

test('SOC-06 sandbox credentials of TikTok connect nothing in production', async () => {
  const bob = await sandboxOf(production)
  expect(await cardOf(bob)).toMatchObject({ readiness: 'setup-required', can: { connect: false } })
  const refused = await bob.call<object>('POST', '/api/integrations/tiktok/connect', { brandId: bob.brandId }, 409)
  expect(refused).toMatchObject({ code: 'provider_not_connectable' })
  expect(await accountsPage(bob)).not.toContain('Sandbox only')
})

test('SOC-04 production credentials of TikTok make its accounts production-ready', async () => {
  const { tiktok, site } = production
  const creator = tiktok.creator('dora')
  const { connectionId } = await site.connect(creator.id, (url) => tiktok.consent(url, creator))
  expect(await cardOf(site.ada)).toMatchObject({ readiness: 'production-ready' })
  expect(await site.ada.call<Connection>('GET', `/api/accounts/${connectionId}`)).toMatchObject({ sandbox: false })
})
