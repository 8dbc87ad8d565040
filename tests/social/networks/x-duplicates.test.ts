import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import { startX, type XCounterpart } from '../../counterparts/x/index.ts'
import { openNetworkSite, type NetworkSite } from './support/site.ts'

// X refuses a text that the account has published before, as it does in reality.

let x: XCounterpart
let site: NetworkSite
let account: { connectionId: string }

beforeAll(async () => {
  x = startX({ refusesDuplicates: true })
  site = await openNetworkSite({ provider: 'x', counterpart: x, app: x.app })
  const acme = x.account('acme')
  account = await site.connect(acme.id, (url) => x.consent(url, acme))
})

afterAll(() => site.close())

const publish = (text: string) => site.publish(account, { text })
const timeline = 'api GET /2/users/:id/tweets'
const unlisted = { kind: 'answer', status: 200, body: { meta: { result_count: 0 } } } as const

test('SOC-24 post that X refuses as a duplicate after a lost response is published: it had arrived', async () => {
  x.fail('api POST /2/tweets', 'connection_lost')
  x.faults.next(timeline, unlisted)
  expect(await publish('Once and for all')).toMatchObject({ status: 'published', failureMessage: null })
})

test('SOC-24 duplicate that can’t be found after a lost response is unknown, not failed', async () => {
  x.fail('api POST /2/tweets', 'connection_lost')
  x.faults.next(timeline, unlisted, 2)
  expect(await publish('Hidden')).toMatchObject({ status: 'failed', failureCode: 'outcome_unknown' })
})

test('SOC-23 text that the account has published before fails with what to do', async () => {
  await publish('Same again')
  const post = await publish('Same again')
  expect(post).toMatchObject({ status: 'failed', failureCode: 'duplicate_content' })
  expect(post.failureMessage).toContain('Change the text')
})

test('SOC-14 animated GIF is allowed on X only by itself', async () => {
  const frames = sharp(Buffer.alloc(20 * 40 * 3, crypto.getRandomValues(new Uint8Array(512))), {
    raw: { width: 20, height: 40, channels: 3, pageHeight: 20 },
  })
  const gif = await site.upload(await frames.gif({ delay: [90, 90] }).toBuffer(), '')
  await site.scheduleLater(account, { text: 'Look', media: [gif] })
  expect(await site.refusalOf(account, { text: 'Look', media: [await site.image(''), gif] })).toBe(
    'X allows an animated GIF only by itself. Remove the other files.',
  )
})
