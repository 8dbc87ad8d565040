import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { startInstagram, type InstagramCounterpart } from '../../counterparts/instagram/index.ts'
import { testOAuth } from './support/oauth.ts'
import { failed, publishedOnce, signedOut, testOutcomes, throttledFor } from './support/outcomes.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'
import { hasFfmpeg, uploadVideo } from './support/upload.ts'

let instagram: InstagramCounterpart
let site: NetworkSite

beforeAll(async () => {
  instagram = startInstagram({ processing: 1 })
  const { app } = instagram
  site = await openNetworkSite({ provider: 'instagram', counterpart: instagram, app, imageType: 'jpeg' })
})

afterAll(() => site.close())

let accounts = 0

async function connect() {
  const account = instagram.account(`acme${(accounts += 1)}`)
  const { connectionId } = await site.connect(account.id, (url) => instagram.consent(url, account))
  return { account, connectionId, posts: () => instagram.posts(account).length }
}

testOAuth({
  network: 'Instagram',
  site: () => site,
  counterpart: () => instagram,
  createAccount: (username) => instagram.account(username),
  connect,
  authorize: { scope: 'instagram_business_basic instagram_business_content_publish' },
  permissions: ['instagram_business_content_publish'],
  lifetimeMs: 60 * 86_400_000,
  refreshRoute: 'graph GET /refresh_access_token',
  refreshableAfterMs: 2 * 86_400_000,
  media: () => site.red(),
})

test('SOC-06 one image is a post, several are a carousel, with their alt texts', async () => {
  const account = await connect()
  const [one, two] = [await site.image('A red square'), await site.image('')]
  const post = await site.publish(account, { text: 'One #red', media: [one] })
  expect(await site.publish(account, { text: 'Two', media: [one, two] })).toMatchObject({ status: 'published' })
  const [image, carousel] = instagram.posts(account.account)
  expect([image?.kind, image?.caption, image?.media[0]?.alt]).toEqual(['IMAGE', 'One #red', 'A red square'])
  expect(post.permalink).toBe(`https://www.instagram.com/p/${image?.shortcode}/`)
  expect([carousel?.kind, carousel?.media.map(({ alt }) => alt)]).toEqual(['CAROUSEL_ALBUM', ['A red square', '']])
})

test('SOC-14 caption with more hashtags or mentions than Instagram takes is refused when it is scheduled', async () => {
  const account = await connect()
  const media = [await site.image('Red')]
  const words = (mark: string, count: number) => Array.from({ length: count }, (_, at) => `${mark}tag${at}`).join(' ')
  const refusal = (text: string) => site.refusalOf(account, { text, media })
  expect(await refusal(words('#', 32))).toBe('Remove 2 of the hashtags. Instagram allows 30.')
  expect(await refusal(words('@', 21))).toBe('Remove 1 of the mentions. Instagram allows 20.')
  await site.scheduleLater(account, { text: `${words('#', 30)} ${words('@', 20)}`, media })
})

test.skipIf(!hasFfmpeg)('SOC-06 video is a reel, alone or in a carousel', async () => {
  const account = await connect()
  const media = [{ mediaId: (await uploadVideo(site.ada)).id }]
  expect(await site.publish(account, { text: 'Reel', media })).toMatchObject({
    status: 'published',
    failureMessage: null,
  })
  const mixed = [...media, await site.image('Red')]
  expect(await site.publish(account, { text: 'Mixed', media: mixed })).toMatchObject({ status: 'published' })
  const [reel, carousel] = instagram.posts(account.account)
  expect([reel?.product, reel?.kind]).toEqual(['REELS', 'VIDEO'])
  expect(carousel?.media.map(({ type }) => type)).toEqual(['video/mp4', 'image/jpeg'])
})

test('SOC-14 transparent PNG is published as a JPEG on white', async () => {
  const account = await connect()
  const clear = sharp({ create: { width: 40, height: 40, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
  const media = [await site.upload(await clear.png().toBuffer(), 'Nothing')]
  expect(await site.publish(account, { text: 'Clear', media })).toMatchObject({ status: 'published' })
  const [shown] = instagram.posts(account.account)
  expect(shown?.media).toMatchObject([{ type: 'image/jpeg' }])
  const { dominant } = await sharp(await (await fetch(shown?.media[0]?.url ?? '')).arrayBuffer()).stats()
  expect(Object.values(dominant).every((channel) => channel > 240)).toBe(true)
})

test.each([
  ['no file', async () => [], 'Instagram needs an image or a video. Add one.'],
  ['a banner', async () => [await site.image('', { width: 400 })], 'too wide or too high. Crop it.'],
])('SOC-14 post with %s is refused at scheduling', async (_, media, says) => {
  expect(await site.refusalOf(await connect(), { text: 'Unfit', media: await media() })).toMatch(says)
})

test('SOC-25 used-up quota of a day makes the post wait by name', async () => {
  const account = await connect()
  instagram.useQuota(account.account, 100)
  const { id } = await site.schedule(account, { text: 'Two', media: await site.red() })
  const { waitingFor } = await site.ada.until(id, (post) => post.waitingFor?.reason === 'rate_window')
  expect(waitingFor?.reason).toBe('rate_window')
})

test('SOC-23 container that fails in processing ends the post with a sentence', async () => {
  const account = await connect()
  instagram.breakContainers(1)
  const media = [await site.image('Red')]
  const post = await site.publish(account, { text: 'Broken', media })
  expect(post).toMatchObject({ status: 'failed', failureCode: 'media_refused' })
  expect(post.failureMessage).toContain('Replace it')
})

testOutcomes({
  network: 'Instagram',
  site: () => site,
  counterpart: () => instagram,
  route: 'graph POST /:user/media_publish',
  connect,
  revoke: ({ account }) => instagram.grants.revoke(account.id),
  routes: { media_refused: 'graph POST /:user/media' },
  media: () => site.red(),
  outcomes: {
    ...publishedOnce,
    revoked_token: signedOut,
    rate_limited: throttledFor(1800),
    forbidden: failed('permission_missing', 'Connect the account again'),
    media_refused: failed('media_refused', 'Replace it'),
    'server_error until the end': failed('provider_error', 'fault'),
  },
})
