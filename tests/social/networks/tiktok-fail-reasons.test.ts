import { afterAll, beforeAll, expect, test } from 'bun:test'
import { failedPublication } from '../../../src/social/networks/tiktok/failed-publication.ts'
import { startTikTok, type TikTokCounterpart } from '../../counterparts/tiktok/index.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'

let tiktok: TikTokCounterpart
let site: NetworkSite

beforeAll(async () => {
  tiktok = startTikTok()
  site = await openNetworkSite({ provider: 'tiktok', counterpart: tiktok, app: tiktok.app, imageType: 'jpeg' })
})

afterAll(() => site.close())

let accounts = 0

async function connect() {
  const account = tiktok.creator(`acme${(accounts += 1)}`)
  const { connectionId } = await site.connect(account.id, (url) => tiktok.consent(url, account))
  return { account, connectionId }
}

test.each([
  ['file_format_check_failed', 'media_refused', 'the format of a file. Replace it.', false],
  ['duration_check_failed', 'media_refused', 'too long or too short for this account. Replace it.', false],
  ['frame_rate_check_failed', 'media_refused', '23 to 60 frames per second. Replace the video.', false],
  ['picture_size_check_failed', 'media_refused', '360 to 4,096 pixels on each side. Replace it.', false],
  ['video_pull_failed', 'media_refused', 'couldn’t download a file of the post from this server. Retry.', true],
  ['photo_pull_failed', 'media_refused', 'couldn’t download a file of the post from this server. Retry.', true],
  ['publish_cancelled', 'provider_refused', 'canceled at TikTok. Retry.', false],
  ['auth_removed', 'signed_out', 'Reconnect it, then retry.', false],
  ['spam_risk_user_banned_from_posting', 'action_blocked', 'Check its status in the TikTok app, then retry.', false],
  ['spam_risk_text', 'action_blocked', 'took the text for spam. Change it, then retry.', false],
  ['spam_risk', 'action_blocked', 'took the post for spam. Change it', false],
  ['spam_risk_of_tomorrow', 'action_blocked', 'took the post for spam. Change it', false],
  ['internal', 'provider_error', 'temporary fault. Retry later.', true],
  ['constructor', 'provider_refused', 'TikTok couldn’t publish the post.', false],
])('SOC-23 post that failed at TikTok with %s has the code %s and says what to do', (reason, code, says, transient) => {
  const refusal = failedPublication(reason)
  expect(refusal).toMatchObject({ kind: 'refused', code, transient })
  expect(refusal.message).toContain(says)
  expect(refusal.message).toEndWith(`(${reason})`)
})

test('SOC-23 post whose account’s owner removed the access while TikTok processed it asks to reconnect the account', async () => {
  const account = await connect()
  tiktok.breakVideos(1, 'auth_removed')
  expect(await site.publish(account, { text: 'Removed', media: await site.red() })).toMatchObject({
    status: 'failed',
    failureCode: 'signed_out',
    failureRetryable: true,
    failureMessage: expect.stringContaining('Reconnect it'),
  })
  expect(tiktok.posts(account.account)).toEqual([])
})

test('SOC-25 photos that fail with an internal fault of TikTok are sent again, and published once', async () => {
  const account = await connect()
  tiktok.breakVideos(1, 'internal')
  expect(await site.publish(account, { text: 'Fault', media: await site.red() })).toMatchObject({ status: 'published' })
  expect(tiktok.posts(account.account)).toMatchObject([{ description: 'Fault' }])
})

test('SOC-25 post that fails since its account has published too many waits for its rate limit', async () => {
  const account = await connect()
  tiktok.breakVideos(1, 'spam_risk_too_many_posts')
  const { id } = await site.schedule(account, { text: 'Too many', media: await site.red() })
  const waiting = await site.ada.until(id, ({ waitingFor }) => waitingFor?.reason === 'rate_window')
  expect(waiting).toMatchObject({ status: 'scheduled' })
  expect(tiktok.posts(account.account)).toEqual([])
})
