import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { findFfmpeg } from '../../src/social/media/video/ffmpeg.ts'
import { eventually } from '../boot/program.ts'
import { encodeVideo } from '../social/videos.ts'
import { axe } from '../support/browser.ts'
import { administer } from '../support/database.ts'
import { createPublisher, openTestSite, type Publisher, type TestSite } from './test-site.ts'

const hasFfmpeg = (await findFfmpeg({})) !== null

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage)
  await administer(
    stage.database.url,
    (sql) => sql`
      INSERT INTO social.connections (id, brand_id, provider, owner_id, external_id, name, metadata)
      SELECT gen_random_uuid(), ${ada.brandId}, provider, gen_random_uuid(), provider, 'acme',
        '{"username": "acme", "isSubscribed": false}'
      FROM unnest(ARRAY['x', 'bluesky', 'linkedin', 'instagram', 'facebook', 'threads']) AS provider`,
  )
})
afterAll(() => stage.close())

const open = (options = {}) => ada.open(`/workspace/posts/new?brandId=${ada.brandId}`, options)
const choose = async (page: Page, ...networks: string[]) => {
  for (const network of networks)
    await page.locator('label.chip', { hasText: new RegExp(`^\\S*${network}: acme`) }).click()
}
const shown = (page: Page, network: string) => page.getByRole('article', { name: `On ${network}`, exact: true })
const tokens = (page: Page, network: string) => shown(page, network).locator('[data-token]').allInnerTexts()

const colors = ['red', 'green', 'blue', 'gold']
const files = () =>
  Promise.all(
    colors.map(async (background) => ({
      name: `${background}.png`,
      mimeType: 'image/png',
      buffer: await sharp({ create: { width: 640, height: 480, channels: 3, background } })
        .png()
        .toBuffer(),
    })),
  )

test('SOC-14 preview highlights links, mentions and hashtags as each network does it, with a card where it makes one', async () => {
  const { page, errors } = await open()
  await choose(page, 'X', 'Bluesky', 'LinkedIn', 'Instagram', 'Threads')
  await page
    .getByLabel('Text', { exact: true })
    .fill('Maple #latte with @tremblay and @press.example. #winter https://www.acme.example/menu/maple-oat-latte-2026')
  const short = 'acme.example/menu/maple-oat…'
  await shown(page, 'X').getByText(short).waitFor()
  expect(await tokens(page, 'X')).toEqual(['#latte', '@tremblay', '@press.example', '#winter', short])
  expect(await tokens(page, 'Bluesky')).toEqual(['#latte', '@press.example', '#winter', short])
  expect(await tokens(page, 'Instagram')).toEqual(['#latte', '@tremblay', '@press.example', '#winter'])
  expect(await tokens(page, 'Threads')).toEqual(['#latte', '@tremblay', '@press.example', short])
  const linkedin = 'https://www.acme.example/menu/maple-oat-latte-2026'
  expect(await tokens(page, 'LinkedIn')).toEqual(['#latte', '#winter', linkedin])
  const cards = ['X', 'Bluesky', 'LinkedIn', 'Threads'].map((network) =>
    shown(page, network).locator('.link-card').count(),
  )
  expect(await Promise.all(cards)).toEqual([1, 0, 0, 1])
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Dark', exact: true }).click()
  expect(await shown(page, 'X').evaluate((article) => getComputedStyle(article).colorScheme)).toBe('dark')
  expect(await axe(page)).toEqual([])
  expect(errors).toEqual([])
})

test('SOC-14 preview cuts a long text where its network does, and shows the rest on request', async () => {
  const { page } = await open({ width: 360 })
  await choose(page, 'LinkedIn', 'Bluesky')
  await page.getByLabel('Text', { exact: true }).fill(`One\nTwo\nThree\nFour ${'word '.repeat(20)}`)
  const more = shown(page, 'LinkedIn').getByRole('button', { name: '…more' })
  await more.waitFor()
  expect(await shown(page, 'LinkedIn').getByText('Four').count()).toBe(0)
  expect(await shown(page, 'Bluesky').getByText('Four').count()).toBe(1)
  await more.click()
  await shown(page, 'LinkedIn').getByText('Four').waitFor()
})

test('SOC-14 preview arranges images as each network does, marks alt texts, and shows threads whole', async () => {
  const { page, errors } = await open()
  await choose(page, 'X', 'Facebook', 'Instagram')
  await page.getByLabel('Text', { exact: true }).fill('Four colors')
  await page
    .getByLabel('Add files')
    .last()
    .setInputFiles(await files())
  await page.locator('li.attach img:visible').nth(3).waitFor()
  await page.getByLabel('Alt text for red.png').fill('It is red')
  const box = async (network: string, at: number) => {
    const found = await shown(page, network).locator('figure').nth(at).boundingBox()
    return { x: Math.round(found?.x ?? 0), y: Math.round(found?.y ?? 0), width: Math.round(found?.width ?? 0) }
  }
  await shown(page, 'X').locator('figure img').nth(3).waitFor()
  const onX = await Promise.all([0, 1, 2, 3].map((at) => box('X', at)))
  expect([onX[0]?.y === onX[1]?.y, onX[0]?.x === onX[2]?.x, onX[2]?.y === onX[3]?.y]).toEqual([true, true, true])
  const onFacebook = await Promise.all([0, 1, 2, 3].map((at) => box('Facebook', at)))
  expect(onFacebook[0]?.width).toBeGreaterThan(2.5 * (onFacebook[1]?.width ?? Infinity))
  expect(onFacebook[1]?.y).toBe(onFacebook[3]?.y ?? NaN)
  expect(await shown(page, 'Instagram').getByText('1/4').count()).toBe(1)
  expect(await shown(page, 'X').getByText('ALT', { exact: true }).count()).toBe(1)
  expect(await shown(page, 'Facebook').getByText('ALT', { exact: true }).count()).toBe(0)
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Add to thread' }).click()
  await page.getByLabel('Post 2 of 2', { exact: true }).fill('And a second post')
  await shown(page, 'X').getByText('And a second post').waitFor()
  expect(await shown(page, 'X').getByRole('listitem').count()).toBe(2)
  expect(errors).toEqual([])
})

test.skipIf(!hasFfmpeg)('SOC-14 preview shows the first picture of a video with its length', async () => {
  const name = 'pour.mp4'
  const video = encodeVideo(name, 'testsrc2=s=320x180:r=25:d=4', '-c:v', 'libx264', '-pix_fmt', 'yuv420p')
  const { page, errors } = await open()
  await choose(page, 'X')
  await page.getByLabel('Text', { exact: true }).fill('Pouring')
  await page
    .getByLabel('Add files')
    .last()
    .setInputFiles({ name, mimeType: 'video/mp4', buffer: Buffer.from(video) })
  const frame = shown(page, 'X').locator('figure[data-kind=video]')
  await frame.getByText('0:04', { exact: true }).waitFor()
  const poster = frame.locator('img')
  await poster.waitFor()
  const width = () => poster.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth)
  expect(await eventually(async () => (await width()) === 320)).toBe(true)
  expect(await axe(page)).toEqual([])
  expect(errors).toEqual([])
})
