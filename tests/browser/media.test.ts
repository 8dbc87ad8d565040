import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { openDatabase } from '#lib/db.ts'
import { axe, killBrowser, openProfile } from '../support/browser.ts'
import { scaleTime } from '../support/time-scale.ts'
import { scratchFolder } from '../support/scratch.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage)
})

afterAll(() => stage.close())

const colored = async (background: string) =>
  sharp({ create: { width: 640, height: 480, channels: 3, background } })
    .png()
    .toBuffer()

const fileOf = async (color: string) => ({
  name: `${color}.png`,
  mimeType: 'image/png',
  buffer: await colored(color),
})

const upload = async (name: string, alt = '', brandId = ada.brandId) =>
  ada.fetchJson<{ id: string }>('POST /api/media', {
    brandId,
    name,
    alt,
    file: (await colored('teal')).toString('base64'),
  })

const library = (brandId = ada.brandId, query = '') => `/workspace/media?brandId=${brandId}${query}`

const createBrand = async (name: string) =>
  (await ada.fetchJson<{ id: string }>('POST /api/brands', { name, timeZone: 'Europe/Berlin' })).id

const tile = (page: Page, name: string) => page.locator('#files > .asset', { hasText: name })
const tileLink = (page: Page, name: string) => tile(page, name).getByRole('link')

/** Pastes into the page or drops onto it by the browser's own event. */
const bring = async (page: Page, how: 'paste' | 'drop', color: string) =>
  page.evaluate(
    ([type, name, base64]) => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([Uint8Array.fromBase64(base64)], name, { type: 'image/png' }))
      const init = { bubbles: true, cancelable: true }
      const event =
        type === 'paste'
          ? new ClipboardEvent('paste', { ...init, clipboardData })
          : new DragEvent('drop', { ...init, dataTransfer: clipboardData })
      document.querySelector('#main')?.dispatchEvent(event)
    },
    [how, `${color}.png`, (await colored(color)).toString('base64')] as const,
  )

test('SOC-30 files are chosen, pasted, dropped and added from a URL, then described, tagged and found', async () => {
  const { page, errors } = await ada.open(library())
  await page.getByText('No files yet').waitFor()
  expect(await axe(page)).toEqual([])
  await page.getByLabel('Upload files').setInputFiles([await fileOf('red')])
  await tile(page, 'red.png').waitFor()
  await bring(page, 'paste', 'green')
  await tile(page, 'green.png').waitFor()
  await bring(page, 'drop', 'blue')
  await tile(page, 'blue.png').waitFor()
  await page.locator('#uploads').getByText('Uploaded').nth(2).waitFor()
  await page.getByRole('button', { name: 'Clear finished' }).click()
  expect(await page.locator('#uploads').isHidden()).toBe(true)
  await tile(page, 'blue.png').getByText('No alt text').waitFor()

  await tileLink(page, 'blue.png').click()
  const opened = page.getByRole('complementary', { name: 'blue.png' })
  await opened.getByRole('heading', { name: 'Not used in posts' }).waitFor()
  await page.locator(':focus', { hasText: 'blue.png' }).waitFor()
  await opened.getByLabel('Alt text').fill('A blue field')
  await opened.getByLabel('Tags', { exact: true }).fill('Winter menu, Sky')
  await opened.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  await tile(page, 'blue.png').getByText('Not used').waitFor()
  await opened.getByText('Bluesky').waitFor()
  expect(await axe(page)).toEqual([])

  await page.getByLabel('Search names, tags, alt text').fill('sky field')
  await tile(page, 'red.png').waitFor({ state: 'detached' })
  expect(await page.locator('#files > .asset').count()).toBe(1)
  await page.getByLabel('Search names, tags, alt text').fill('nothing like it')
  await page.getByText('No matching files').waitFor()
  await main(page).getByRole('link', { name: 'Clear filters' }).click()
  await tile(page, 'red.png').waitFor()
  await page.getByLabel('Tag', { exact: true }).selectOption('Winter menu')
  await tile(page, 'red.png').waitFor({ state: 'detached' })

  const picture = await colored('orange')
  using site = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(picture) })
  await page.getByRole('button', { name: 'From URL' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add an image from a URL' })
  await dialog.getByLabel('URL').fill(new URL('orange.png', site.url).href)
  await dialog.getByLabel('Alt text').fill('An orange field')
  await dialog.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('complementary', { name: 'orange.png' }).waitFor()
  expect(errors).toEqual([])
})

test('SOC-30 files are filtered by the network that accepts them, and the URL and reload keep the filter', async () => {
  const brandId = await createBrand('Fitting')
  const strip = sharp({ create: { width: 200, height: 1000, channels: 3, background: 'plum' } }).png()
  const add = (name: string, file: Buffer) =>
    ada.fetchJson('POST /api/media', { brandId, name, file: file.toString('base64') })
  await add('plain.png', await colored('teal'))
  await add('strip.png', await strip.toBuffer())
  const { page, errors } = await ada.open(library(brandId))
  const network = page.getByLabel('Network', { exact: true })
  await tile(page, 'strip.png').waitFor()

  await network.selectOption('Fits Instagram')
  await tile(page, 'strip.png').waitFor({ state: 'detached' })
  expect(await tile(page, 'plain.png').count()).toBe(1)
  await page.waitForURL(/fits=instagram/)
  await page.reload()
  await tile(page, 'plain.png').waitFor()
  expect(await tile(page, 'strip.png').count()).toBe(0)
  expect(await network.inputValue()).toBe('instagram')

  await network.selectOption('Fits YouTube')
  await page.getByText('No matching files').waitFor()
  await main(page).getByRole('link', { name: 'Clear filters' }).click()
  await tile(page, 'strip.png').waitFor()
  expect(errors).toEqual([])
})

test('SOC-30 used file names its posts and can’t be deleted, and selected files are tagged and deleted in part', async () => {
  const brandId = await createBrand('Bulk')
  const [used] = [await upload('used.png', 'Teal', brandId), await upload('free.png', 'Teal', brandId)]
  const media = [{ mediaId: used.id }]
  await ada.fetchJson('POST /api/posts', { brandId, provider: 'sandbox', text: 'Latte art night', media })
  const { page, errors } = await ada.open(library(brandId, `&file=${used.id}`))
  await tile(page, 'used.png').getByText('Used in 1 post').waitFor()
  const opened = page.getByRole('complementary', { name: 'used.png' })
  await opened.getByText('You can’t delete it while posts use it').waitFor()
  expect(await opened.getByRole('link', { name: 'Latte art night' }).count()).toBe(1)
  expect(await opened.getByRole('button', { name: 'Delete used.png' }).count()).toBe(0)

  for (const name of ['used.png', 'free.png']) await page.getByLabel(`Select ${name}`).check()
  const bar = page.getByRole('toolbar', { name: 'Selected files' })
  await bar.getByText('2 selected').waitFor()
  await bar.getByRole('button', { name: 'Tag' }).click()
  await page.getByLabel('Tags to add').fill('Spring')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('2 files tagged').waitFor()
  await bar.waitFor({ state: 'hidden' })

  for (const name of ['used.png', 'free.png']) await page.getByLabel(`Select ${name}`).check()
  await bar.getByRole('button', { name: 'Delete' }).click()
  await page
    .getByRole('dialog', { name: 'Delete the selected files?' })
    .getByRole('button', { name: 'Delete', exact: true })
    .click()
  await page.getByText('1 file wasn’t changed').waitFor()
  await tile(page, 'free.png').waitFor({ state: 'detached' })
  await tile(page, 'used.png').waitFor()
  expect(errors).toEqual([])
})

test('SOC-30 files are browsed, opened, selected and deleted with the keyboard, on a phone too', async () => {
  const brandId = await createBrand('Keys')
  for (const name of ['third.png', 'second.png', 'first.png']) await upload(name, 'Teal', brandId)
  const { page, errors } = await ada.open(library(brandId), { width: 360 })
  await tileLink(page, 'first.png').focus()
  await page.keyboard.press('ArrowRight')
  await page.locator(':focus', { hasText: 'second.png' }).waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowDown')
  await page.locator(':focus', { hasText: 'third.png' }).waitFor()
  await page.keyboard.press('x')
  await page.getByText('1 selected').waitFor()
  await page.keyboard.press('x')
  await page.keyboard.press('Enter')
  await page.locator('h2:focus', { hasText: 'third.png' }).waitFor()
  expect(await axe(page)).toEqual([])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await page.getByRole('button', { name: 'Delete third.png' }).press('Enter')
  const question = page.getByRole('dialog', { name: 'Delete third.png?' })
  await question.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
  await page.getByText('File deleted').waitFor()
  await tile(page, 'third.png').waitFor({ state: 'detached' })
  expect(errors).toEqual([])
})

test('SOC-30 library of 20,000 files is scrolled without long frames, and files below are loaded on the way', async () => {
  const brandId = await createBrand('20,000 files')
  await fillLibrary(await upload('first', 'Teal', brandId))
  const { page, errors } = await ada.open(library(brandId), { width: 1000, expected: [404] })
  const few = await page.locator('#files > .asset').count()
  expect(few).toBeLessThan(200)
  const before = await scrollCalmly(page, 10)
  await page.waitForFunction((count) => document.querySelectorAll('#files > .asset').length > count, few)
  while ((await page.locator('#files > .asset').count()) < 1_500) await scrollFor(page, 10)
  const after = await scrollCalmly(page, 30)
  // Many tiles take no more time to scroll than few.
  expect(after.median / before.median).toBeLessThan(2)
  expect(after.shift).toBe(0)
  expect(errors).toEqual([])
})

test('SOC-30 next files are loaded by their link without scripts', async () => {
  const brandId = await createBrand('Many')
  for (let at = 0; at < 42; at++) await upload(`file ${at}`, 'Teal', brandId)
  const { page } = await ada.open(library(brandId), { scripts: false })
  expect(await page.locator('#files > .asset').count()).toBe(40)
  await page.getByRole('link', { name: 'Load more' }).click()
  await tile(page, 'file 0').first().waitFor()
})

/** Adds 20,000 copies of a file, with IDs by time, without their images. */
async function fillLibrary({ id }: { id: string }) {
  const { sql, close } = openDatabase(stage.database.url, 1)
  await sql`
    INSERT INTO social.media (id, name, tags, brand_id, created_by, alt, content_type, width, height, bytes, sha256,
      animated, renditions, created_at)
    SELECT (lpad(to_hex(n), 8, '0') || substr(id::text, 9))::uuid, 'file ' || n, tags, brand_id, created_by, alt,
      content_type, width, height, bytes, sha256, animated, renditions, created_at
    FROM social.media AS file, generate_series(1, 20000) AS n WHERE file.id = ${id}`
  await close()
}

/** The smallest median of three times, since other programs delay frames, too, and the whole layout shift. */
async function scrollCalmly(page: Page, steps: number) {
  const times = [await scrollFor(page, steps), await scrollFor(page, steps), await scrollFor(page, steps)]
  return {
    median: Math.min(...times.map(({ median }) => median)),
    shift: times.reduce((sum, { shift }) => sum + shift, 0),
  }
}

/** Scrolls by steps of a wheel. `median` is in milliseconds per frame, `shift` the layout shift meanwhile. */
const scrollFor = async (page: Page, steps: number) =>
  page.evaluate(async (count) => {
    let shift = 0
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ('value' in entry) shift += Number(entry.value)
    })
    observer.observe({ type: 'layout-shift' })
    const frame = async () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
    const frames: number[] = []
    let last = await frame()
    for (let step = 0; step < count; step++) {
      scrollBy(0, 400)
      const next = await frame()
      frames.push(next - last)
      last = next
    }
    observer.disconnect()
    frames.sort((one, other) => one - other)
    return { median: frames[Math.floor(frames.length / 2)] ?? 0, shift }
  }, steps)

/** Slows the uploads of a page down. `bytes` per second; no limit when it is -1. */
async function limitUploads(page: Page, bytes: number) {
  const client = await page.context().newCDPSession(page)
  await client.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytes,
  })
}

/** An image of 11 MB. */
async function writeNoise(path: string) {
  const pixels = new Uint8Array(1_900 * 1_900 * 3)
  for (let at = 0; at < pixels.length; at += 65_536) crypto.getRandomValues(pixels.subarray(at, at + 65_536))
  await sharp(pixels, { raw: { width: 1_900, height: 1_900, channels: 3 } })
    .png()
    .toFile(path)
}

test('SOC-30 large upload is paused, continues after the page was closed, and arrives complete', async () => {
  const brandId = await createBrand('Large files')
  const folder = mkdtempSync(join(scratchFolder(), 'atrium-media-'))
  const path = join(folder, 'noise.png')
  await writeNoise(path)
  const opened = await ada.open(library(brandId))
  await limitUploads(opened.page, 1_500_000)
  await opened.page.getByLabel('Upload files').setInputFiles(path)
  await opened.page.waitForFunction(
    () => (document.querySelector('#uploads progress')?.getAttribute('value') ?? '') > '0.2',
  )
  await opened.page.getByRole('button', { name: 'Pause noise.png' }).click()
  await opened.page.getByText('Paused. The uploaded part is kept for 24 hours.').waitFor()
  await opened.page.close({ runBeforeUnload: false })

  const page = await opened.page.context().newPage()
  page.setDefaultTimeout(scaleTime(20_000))
  await page.goto(stage.server.url + library(brandId))
  await page.getByText('Choose the file again to continue').waitFor()
  expect(await axe(page)).toEqual([])
  const offsets: string[] = []
  page.on('request', (request) => {
    const offset = request.method() === 'PATCH' && request.headers()['upload-offset']
    if (offset) offsets.push(offset)
  })
  await page.getByLabel('Upload files').setInputFiles(path)
  await tile(page, 'noise.png').waitFor()
  expect(await page.locator('#uploads li').count()).toBe(1)
  expect(Number(offsets[0])).toBeGreaterThan(0)
  const { items } = await ada.fetchJson<{ items: { width: number }[] }>(`GET /api/media?brandId=${brandId}`)
  expect(items).toMatchObject([{ width: 1_900 }])
  rmSync(folder, { recursive: true })
  expect(opened.errors).toEqual([])
})

test('SOC-30 large upload of a killed browser continues in the next one with the same profile', async () => {
  const brandId = await createBrand('Killed browser')
  const folder = mkdtempSync(join(scratchFolder(), 'atrium-killed-'))
  const path = join(folder, 'noise.png')
  await writeNoise(path)
  const profile = join(folder, 'profile')
  const first = await openProfile(profile)
  const signedIn = await ada.open(library(brandId))
  await first.addCookies(await signedIn.page.context().cookies())
  const page = await first.newPage()
  await page.goto(stage.server.url + library(brandId))
  await limitUploads(page, 500_000)
  await page.getByLabel('Upload files').setInputFiles(path)
  // Chromium writes what pages store within 5 s.
  await page.waitForFunction(() => (document.querySelector('#uploads progress')?.getAttribute('value') ?? '') > '0.5')
  killBrowser(profile)

  const second = await openProfile(profile)
  await second.addCookies(await signedIn.page.context().cookies())
  const next = await second.newPage()
  await next.goto(stage.server.url + library(brandId))
  await next.getByText('Choose the file again to continue').waitFor()
  const offset = next.waitForRequest((request) => request.method() === 'PATCH')
  await next.getByLabel('Upload files').setInputFiles(path)
  expect(Number((await offset).headers()['upload-offset'])).toBeGreaterThan(0)
  await tile(next, 'noise.png').waitFor()
  await second.close()
  rmSync(folder, { recursive: true, force: true })
})

test('SOC-30 large upload whose uploader can’t be loaded says so, can be retried, and images are still uploaded', async () => {
  const brandId = await createBrand('Without uploader')
  const { page, errors } = await ada.open(library(brandId))
  const uploader = /\/lib\/tus\.js/
  await page.route(uploader, (route) => route.abort())
  const large = { name: 'menu.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 no pages') }
  await page.getByLabel('Upload files').setInputFiles([large, await fileOf('coral')])
  await main(page).getByText('The uploader for large files couldn’t be loaded').first().waitFor()
  await tile(page, 'coral.png').waitFor()
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Retry menu.pdf' }).waitFor()
  expect(errors).toEqual([expect.stringContaining('ERR_FAILED')])
})

test('SOC-46 SOC-30 viewer who is limited to a brand sees its files, and nothing that changes them or other brands', async () => {
  const [own, other] = [await createBrand('Limited to'), await createBrand('Not reached')]
  await upload('shown.png', 'Teal', own)
  await upload('hidden.png', 'Teal', other)
  const viewer = await createPublisher(stage, { connected: false })
  await limitToBrand(viewer, own)
  const { page, errors } = await viewer.open(library(own))
  await tileLink(page, 'shown.png').click()
  await page.locator('#opened').getByText('Fits networks').or(page.locator('#opened img.shown')).first().waitFor()
  for (const name of ['Upload', 'Generate', 'From URL', 'Save', /^Delete/, /^Crop/])
    expect(await main(page).getByRole('button', { name }).or(main(page).getByRole('link', { name })).count()).toBe(0)
  expect(await page.locator('#files input[type="checkbox"]').count()).toBe(0)
  expect(await axe(page)).toEqual([])
  await page.goto(stage.server.url + library(other))
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByText('hidden.png').count()).toBe(0)
  await page.goto(stage.server.url + library(own))
  await tileLink(page, 'shown.png').waitFor()
  expect(errors.filter((error) => !error.includes('404'))).toEqual([])
})

/** Moved into the organization directly, as a viewer of one brand. */
async function limitToBrand(viewer: Publisher, brandId: string): Promise<void> {
  const { sql, close } = openDatabase(stage.database.url, 1)
  const [user] = await sql<{ id: string }[]>`
    SELECT id FROM identity.users WHERE email = ${viewer.person.email}`
  const id = user?.id ?? ''
  await sql`INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    VALUES (${ada.organizationId}, ${id}, 'viewer', now())`
  await sql`UPDATE identity.users SET last_context = 'organization', last_organization_id = ${ada.organizationId}
    WHERE id = ${id}`
  await close()
  await ada.fetchJson(`PUT /api/organizations/${ada.organizationId}/members/${id}/resources`, {
    resources: [{ service: 'platform-socialize', kind: 'brand', id: brandId, role: 'viewer' }],
  })
}
