import { afterAll, expect, test } from 'bun:test'
import type { PostDetails } from '#social/types'
import { startFacebook } from '../../counterparts/facebook/index.ts'
import { startInstagram } from '../../counterparts/instagram/index.ts'
import { startLinkedIn } from '../../counterparts/linkedin/index.ts'
import { startThreads } from '../../counterparts/threads/index.ts'
import { startTikTok } from '../../counterparts/tiktok/index.ts'
import { administer } from '../../support/database.ts'
import { waitUntil } from '../../boot/program.ts'
import { isSettled } from '../../support/publisher.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'

const sites: NetworkSite[] = []
afterAll(() => Promise.all(sites.map((site) => site.close())))

const open = async (settings: Parameters<typeof openNetworkSite>[0]): Promise<NetworkSite> => {
  const site = await openNetworkSite(settings)
  sites.push(site)
  return site
}

const at = (ms: number): string => new Date(Date.now() + ms).toISOString()
const half = 30 * 60_000
const scheduleIn = (site: NetworkSite, target: { connectionId: string }, values: object, ms = half) =>
  site.scheduleLater(target, { text: 'Maple latte', scheduledAt: at(ms), ...values })
const read = (site: NetworkSite, id: string) => site.ada.call<PostDetails>('GET', `/api/posts/${id}`)
const codesOf = ({ readiness }: PostDetails) => readiness?.reasons.map(({ code, state }) => `${code} ${state}`)

/** Waits until the network was asked. */
async function checked(site: NetworkSite, id: string): Promise<PostDetails> {
  await waitUntil(async () => (await read(site, id)).readiness?.checkedAt !== null)
  return read(site, id)
}

const actionsOf = (site: NetworkSite) =>
  administer(
    site.databaseUrl,
    (sql) => sql<{ title: string }[]>`SELECT title FROM platform.raised_actions WHERE resolved_at IS NULL ORDER BY id`,
  )

test('SOC-15 Instagram account without quota left is a problem within the hour, and moving the post solves it', async () => {
  const instagram = startInstagram()
  const site = await open({ provider: 'instagram', counterpart: instagram, app: instagram.app, imageType: 'jpeg' })
  const account = instagram.account('acme')
  const target = await site.connect(account.id, (url) => instagram.consent(url, account))
  const media = await site.red()
  const fine = await scheduleIn(site, target, { media })
  expect((await checked(site, fine.id)).readiness).toMatchObject({ state: 'ready', reasons: [] })
  expect(instagram.callsOf('graph GET /:user/content_publishing_limit')).toHaveLength(1)
  // Another post asks no more for ten minutes.
  await checked(site, (await scheduleIn(site, target, { media })).id)
  expect(instagram.callsOf('graph GET /:user/content_publishing_limit')).toHaveLength(1)
  instagram.useQuota(account, 100)
  await administer(site.databaseUrl, (sql) => sql`DELETE FROM social.account_checks`)
  const { id } = await scheduleIn(site, target, { media })
  expect(codesOf(await checked(site, id))).toEqual(['quota_used problem'])
  await waitUntil(async () => (await actionsOf(site)).length === 1)
  expect((await actionsOf(site))[0]?.title).toContain('to Instagram won’t be published')
  for (const each of [fine.id, id])
    await site.ada.call('PUT', `/api/posts/${each}`, { scheduledAt: at(48 * 3_600_000) })
  expect(codesOf(await read(site, id))).toEqual([])
})

test('SOC-15 post that exceeds the rest of its quota with the posts planned before it is warned, and another account isn’t', async () => {
  const instagram = startInstagram()
  const site = await open({ provider: 'instagram', counterpart: instagram, app: instagram.app, imageType: 'jpeg' })
  const connect = async (username: string) => {
    const account = instagram.account(username)
    return { account, ...(await site.connect(account.id, (url) => instagram.consent(url, account))) }
  }
  const [account, other] = [await connect('acme'), await connect('other')]
  instagram.useQuota(account.account, 98)
  const media = await site.red()
  const ofOther = await scheduleIn(site, other, { media }, half)
  const first = await scheduleIn(site, account, { media }, half + 1_000)
  const second = await scheduleIn(site, account, { media }, half + 2_000)
  const third = await scheduleIn(site, account, { media }, half + 3_000)
  const post = await checked(site, third.id)
  expect(codesOf(post)).toEqual(['quota_planned warning'])
  expect(post.readiness?.reasons[0]?.message).toBe(
    'Instagram takes 100 posts in 24 hours: 2 are left, and 2 are planned before this one. Schedule it for later.',
  )
  for (const { id } of [ofOther, first, second]) expect(codesOf(await checked(site, id))).toEqual([])
  await site.ada.call('PUT', `/api/posts/${first.id}`, { status: 'draft' })
  expect(codesOf(await read(site, third.id))).toEqual([])
  await site.ada.call('PUT', `/api/posts/${third.id}`, { scheduledAt: at(48 * 3_600_000) })
  expect(codesOf(await read(site, third.id))).toEqual([])
})

test('SOC-15 lost role on a LinkedIn Page is found at scheduling, and its action is resolved with the role', async () => {
  const linkedin = startLinkedIn()
  const site = await open({ provider: 'linkedin-page', counterpart: linkedin, app: linkedin.apps.page })
  const member = linkedin.directory.member('Ada')
  const page = linkedin.directory.organization('Acme', member)
  const { connections } = await site.choose(await site.consent((url) => linkedin.consent(url, member)), [page.id])
  const target = { connectionId: connections[0]?.id ?? '' }
  linkedin.directory.dismiss(member, page)
  const { id } = await scheduleIn(site, target, {})
  const post = await checked(site, id)
  expect(codesOf(post)).toEqual(['page_role_missing problem'])
  expect(post.readiness?.reasons[0]?.href).toBe(`/workspace/accounts/${target.connectionId}`)
  await waitUntil(async () => (await actionsOf(site)).length === 1)
  linkedin.directory.assign(member, page, 'CONTENT_ADMIN')
  await site.choose(await site.consent((url) => linkedin.consent(url, member)), [page.id])
  await waitUntil(async () => (await actionsOf(site)).length === 0)
  expect(codesOf(await read(site, id))).toEqual([])
})

test('SOC-15 LinkedIn sign-in that can’t be renewed and ends before the post is due is a problem, soon after it a warning', async () => {
  const linkedin = startLinkedIn()
  const site = await open({ provider: 'linkedin', counterpart: linkedin, app: linkedin.apps.member })
  const member = linkedin.directory.member('Ada')
  const target = await site.connect(member.id, (url) => linkedin.consent(url, member))
  const day = 86_400_000
  const [before, soon, after] = [
    await scheduleIn(site, target, {}, 58 * day),
    await scheduleIn(site, target, { text: 'Soon' }, 59.5 * day),
    await scheduleIn(site, target, { text: 'After' }, 61 * day),
  ]
  await checked(site, after.id)
  expect(codesOf(await checked(site, after.id))).toEqual(['sign_in_expires problem'])
  expect(codesOf(await checked(site, soon.id))).toEqual(['sign_in_expires warning'])
  expect(codesOf(await checked(site, before.id))).toEqual([])
  const late = await scheduleIn(site, target, { text: 'Late' }, 400 * day)
  expect(codesOf(await checked(site, late.id))).toEqual(['sign_in_expires problem', 'api_version_ends warning'])
  const { readiness } = await read(site, late.id)
  expect(readiness?.reasons[1]?.message).toContain('until 1 October 2027')
})

test('SOC-15 post that is due after the refresh token ends is a problem', async () => {
  const linkedin = startLinkedIn({ isPartner: true })
  const site = await open({ provider: 'linkedin', counterpart: linkedin, app: linkedin.apps.member })
  const member = linkedin.directory.member('Ada')
  const target = await site.connect(member.id, (url) => linkedin.consent(url, member))
  const day = 86_400_000
  const within = await scheduleIn(site, target, {}, 200 * day)
  const after = await scheduleIn(site, target, { text: 'After' }, 366 * day)
  expect(codesOf(await checked(site, within.id))).not.toContain('sign_in_ends problem')
  const { readiness } = await checked(site, after.id)
  expect(readiness?.reasons[0]).toMatchObject({
    code: 'sign_in_ends',
    state: 'problem',
    message: expect.stringContaining('The sign-in ends before this post is due'),
  })
})

test('SOC-15 revoked access signs the account out at scheduling, while there is time, and reconnecting resolves it', async () => {
  const facebook = startFacebook()
  const site = await open({ provider: 'facebook', counterpart: facebook, app: facebook.app })
  const person = facebook.directory.person('Ada')
  const page = facebook.directory.page('Acme', person)
  const { connections } = await site.choose(await site.consent((url) => facebook.consent(url, person)), [page.id])
  const target = { connectionId: connections[0]?.id ?? '' }
  facebook.grants.revoke(person.id)
  const { id } = await scheduleIn(site, target, {})
  expect(codesOf(await checked(site, id))).toEqual(['signed_out problem'])
  await waitUntil(async () => (await actionsOf(site)).length === 1)
  expect((await actionsOf(site))[0]?.title).toBe('Reconnect Acme on Facebook')
  await site.choose(await site.consent((url) => facebook.consent(url, person)), [page.id])
  await waitUntil(async () => (await actionsOf(site)).length === 0)
  expect(codesOf(await read(site, id))).toEqual([])
})

test('SOC-15 a network that fails while it is asked says nothing against the post', async () => {
  const threads = startThreads()
  const site = await open({ provider: 'threads', counterpart: threads, app: threads.app })
  const account = threads.account('acme')
  const target = await site.connect(account.id, (url) => threads.consent(url, account))
  threads.fail('graph GET /:user/threads_publishing_limit', 'server_error')
  expect(codesOf(await checked(site, (await scheduleIn(site, target, {})).id))).toEqual([])
  const calls = threads.callsOf('graph GET /:user/threads_publishing_limit')
  expect(calls.at(-1)?.path).toContain('/me/')
})

test('SOC-15 removed app credentials are a problem when the sign-in ends before the post is due', async () => {
  const tiktok = startTikTok()
  const site = await open({ provider: 'tiktok', counterpart: tiktok, app: tiktok.app, imageType: 'jpeg' })
  const creator = tiktok.creator('acme')
  const target = await site.connect(creator.id, (url) => tiktok.consent(url, creator))
  await site.ada.call('DELETE', '/api/credentials/tiktok?level=organization', undefined, 204)
  const { id } = await scheduleIn(site, target, { media: await site.red() })
  expect(codesOf(await checked(site, id))).toEqual(['app_missing problem'])
})

test('SOC-15 check of a post is deleted when the post is published', async () => {
  const threads = startThreads()
  const site = await open({ provider: 'threads', counterpart: threads, app: threads.app })
  const account = threads.account('acme')
  const target = await site.connect(account.id, (url) => threads.consent(url, account))
  const { id } = await scheduleIn(site, target, {})
  const checks = () => administer(site.databaseUrl, (sql) => sql`SELECT FROM social.post_checks WHERE post_id = ${id}`)
  expect((await checked(site, id)).readiness?.state).toBe('ready')
  expect(await checks()).toHaveLength(1)
  await site.ada.call('POST', `/api/posts/${id}/publish-now`)
  expect(await site.ada.until(id, isSettled, 20_000)).toMatchObject({ status: 'published' })
  expect(await checks()).toHaveLength(0)
})
