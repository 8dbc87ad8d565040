import { afterAll, expect, test } from 'bun:test'
import type { Connection, PostDetails } from '#social/types'
import { appPassword, startBluesky } from '../../counterparts/bluesky.ts'
import { startDiscord } from '../../counterparts/discord/index.ts'
import { startMastodon } from '../../counterparts/mastodon.ts'
import { startYouTube } from '../../counterparts/youtube/index.ts'
import { waitUntil } from '../../boot/program.ts'
import { administer } from '../../support/database.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'
import { hasFfmpeg, uploadVideo } from './support/upload.ts'

const sites: NetworkSite[] = []
afterAll(() => Promise.all(sites.map((site) => site.close())))

const open = async (settings: Parameters<typeof openNetworkSite>[0]): Promise<NetworkSite> => {
  const site = await openNetworkSite(settings)
  sites.push(site)
  return site
}

/** Schedules a post in half an hour, and returns what is wrong with it once its network was asked. */
async function assess(site: NetworkSite, connectionId: string, values: object = {}): Promise<string[]> {
  await administer(site.databaseUrl, (sql) => sql`DELETE FROM social.account_checks`)
  const scheduledAt = new Date(Date.now() + 30 * 60_000).toISOString()
  const { id } = await site.scheduleLater({ connectionId }, { text: 'Maple latte', scheduledAt, ...values })
  const read = () => site.ada.call<PostDetails>('GET', `/api/posts/${id}`)
  await waitUntil(async () => (await read()).readiness?.checkedAt !== null)
  return (await read()).readiness?.reasons.map(({ code }) => code) ?? []
}

const connectBy = async (site: NetworkSite, form: object): Promise<string> => {
  const path = `/api/integrations/${site.provider}/connect`
  const body = { brandId: site.ada.brandId, ...form }
  return (await site.ada.call<{ connection: Connection }>('POST', path, body, 201)).connection.id
}

test('SOC-15 webhook that was deleted in Discord is found at scheduling', async () => {
  const discord = startDiscord()
  const site = await open({ provider: 'discord', counterpart: discord })
  const webhook = discord.webhook()
  const account = await connectBy(site, { webhookUrl: webhook.url.replace(discord.urls.api, 'https://discord.com') })
  expect(await assess(site, account)).toEqual([])
  discord.fail('api GET /api/webhooks/:id/:token', 'server_error')
  expect(await assess(site, account)).toEqual([])
  discord.remove(webhook)
  expect(await assess(site, account)).toEqual(['signed_out'])
})

test('SOC-15 post is checked again on request, which asks its network at most every ten seconds', async () => {
  const discord = startDiscord()
  const site = await open({ provider: 'discord', counterpart: discord })
  const webhook = discord.webhook()
  const account = await connectBy(site, { webhookUrl: webhook.url.replace(discord.urls.api, 'https://discord.com') })
  const scheduledAt = new Date(Date.now() + 30 * 60_000).toISOString()
  const { id } = await site.scheduleLater({ connectionId: account }, { text: 'Maple latte', scheduledAt })
  const check = (status: number) => site.ada.call<PostDetails>('POST', `/api/posts/${id}/readiness`, {}, status)
  const requests = () => discord.callsOf('api GET /api/webhooks/:id/:token').length
  await waitUntil(
    async () => (await site.ada.call<PostDetails>('GET', `/api/posts/${id}`)).readiness?.checkedAt !== null,
  )
  discord.remove(webhook)
  const before = requests()
  expect((await check(200)).readiness?.state).toBe('ready')
  expect(requests()).toBe(before)
  await administer(
    site.databaseUrl,
    (sql) => sql`UPDATE social.account_checks SET checked_at = now() - interval '11 s'`,
  )
  expect((await check(200)).readiness?.reasons.map(({ code }) => code)).toEqual(['signed_out'])
  expect(requests()).toBe(before + 1)
  await site.ada.call('PUT', `/api/posts/${id}`, { status: 'draft' })
  expect(await check(409)).toMatchObject({ code: 'not_scheduled' })
})

test('SOC-15 Mastodon account that is disabled or signed out is found at scheduling', async () => {
  const mastodon = startMastodon()
  const site = await open({ provider: 'mastodon', counterpart: { urls: {}, stop: mastodon.stop } })
  const form = { instance: mastodon.url }
  const { connectionId } = await site.connect(`acme@${mastodon.host}`, (url) => mastodon.consent(url, 'acme'), form)
  expect(await assess(site, connectionId)).toEqual([])
  const body = { error: 'Your login is currently disabled' }
  mastodon.faults.next('GET /api/v1/accounts/verify_credentials', { kind: 'answer', status: 403, body })
  expect(await assess(site, connectionId)).toEqual(['action_blocked'])
  mastodon.revoke('acme')
  expect(await assess(site, connectionId)).toEqual(['signed_out'])
})

test('SOC-15 Bluesky account that is deactivated or signed out is found at scheduling', async () => {
  const bluesky = startBluesky()
  const env = { BLUESKY_RESOLVER_URL: bluesky.url, PLC_DIRECTORY_URL: bluesky.url }
  const site = await open({ provider: 'bluesky', counterpart: { urls: {}, stop: bluesky.stop }, env })
  const handle = 'acme.example.com'
  const { did } = bluesky.account(handle)
  const account = await connectBy(site, { handle, appPassword })
  expect(await assess(site, account)).toEqual([])
  const body = { did, handle, active: false, status: 'deactivated' }
  bluesky.faults.next('com.atproto.server.getSession', { kind: 'answer', status: 200, body })
  expect(await assess(site, account)).toEqual(['action_blocked'])
  bluesky.revoke(did)
  expect(await assess(site, account)).toEqual(['signed_out'])
})

test.skipIf(!hasFfmpeg)('SOC-15 Google account without its channel or access is found at scheduling', async () => {
  const youtube = startYouTube()
  const site = await open({ provider: 'youtube', counterpart: youtube, app: youtube.app })
  const media = [{ mediaId: (await uploadVideo(site.ada)).id }]
  const channel = youtube.channel('acme')
  const { connectionId } = await site.connect(channel.id, (url) => youtube.consent(url, channel))
  expect(await assess(site, connectionId, { media })).toEqual([])
  channel.isMissing = true
  expect(await assess(site, connectionId, { media })).toEqual(['channel_missing'])
  youtube.grants.revoke(channel.id)
  expect(await assess(site, connectionId, { media })).toEqual(['signed_out'])
})
