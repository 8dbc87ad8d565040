import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import PDFDocument from 'pdfkit'
import sharp from 'sharp'
import { openDatabase } from '#lib/db.ts'
import { eventually, waitUntil } from '../boot/program.ts'
import { findFfmpeg } from '../../src/social/media/video/ffmpeg.ts'
import { encodeVideo } from '../social/videos.ts'
import { axe } from '../support/browser.ts'
import {
  createPublisher,
  main,
  openTestSite,
  status,
  type Publisher,
  type TestSite,
  type OpenOptions,
} from './test-site.ts'

// Videos and documents in the composer.

const hasFfmpeg = (await findFfmpeg({})) !== null

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
  const { sql, close } = openDatabase(stage.database.url)
  for (const provider of ['linkedin', 'x'])
    await sql`
      INSERT INTO social.connections (id, brand_id, provider, owner_id, external_id, name, metadata)
      SELECT ${Bun.randomUUIDv7()}, id, ${provider}, ${Bun.randomUUIDv7()}, ${provider}, 'acme',
        '{"username": "acme", "isSubscribed": false}' FROM social.brands`
  await close()
})

afterAll(() => stage.close())

const tile = (page: Page, name: string) => page.locator(`li.attach[data-name="${name}"]`)
const choose = (page: Page, file: { name: string; mimeType: string; buffer: Buffer }) =>
  page.getByLabel('Add files').last().setInputFiles(file)

async function pdf(name: string) {
  const document = new PDFDocument({ margin: 0 })
  document.rect(0, 0, 612, 792).fill('#246').addPage()
  document.end()
  return { name, mimeType: 'application/pdf', buffer: Buffer.concat(await Array.fromAsync(document)) }
}

const compose = async (options: OpenOptions = {}) => {
  const opened = await ada.open(`/workspace/posts/new?brandId=${ada.brandId}`, options)
  await opened.page.getByLabel('Text', { exact: true }).fill('Our menu')
  await opened.page.getByRole('checkbox', { name: /LinkedIn/ }).check({ force: true })
  return opened
}

test('SOC-14 SOC-30 PDF is attached with a preview of its first page, the composer says which network doesn’t take it, and its post is scheduled', async () => {
  // The second file is removed while the server can still store it: its deletion is repeated then.
  const { page, errors } = await compose({ expected: [423] })
  await choose(page, await pdf('menu.pdf'))
  const menu = tile(page, 'menu.pdf')
  await menu.locator('img:visible').waitFor()
  await menu.getByText('PDF', { exact: true }).waitFor()
  expect(await menu.locator('.error').textContent()).toBe('')
  await page.getByRole('checkbox', { name: /^X/ }).check({ force: true })
  await menu.getByText('X doesn’t support PDF documents. Remove this one.').waitFor()
  await page.getByRole('checkbox', { name: /^X/ }).uncheck({ force: true })
  await menu.getByText('X doesn’t support').waitFor({ state: 'detached' })
  await choose(page, await pdf('second.pdf'))
  await menu.getByText('LinkedIn allows a document only by itself.').waitFor()
  await page.getByRole('button', { name: 'Remove second.pdf' }).click()
  await page.getByLabel('Alt text for menu.pdf').fill('The menu')
  expect(await axe(page)).toEqual([])
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await preview.getByRole('img', { name: 'The menu' }).waitFor()
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await status(page, 'Scheduled').waitFor()
  const shown = main(page).getByRole('img', { name: 'The menu' })
  await shown.waitFor()
  expect(await shown.evaluate((image) => image instanceof HTMLImageElement && image.naturalHeight)).toBe(1280)
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await tile(page, 'menu.pdf').locator('img:visible').waitFor()
  expect(await eventually(async () => (await countFiles('second')) === 0)).toBe(true)
  expect(await countFiles('menu')).toBe(1)
  expect(errors).toEqual([])
})

test.skipIf(!hasFfmpeg)(
  'SOC-14 SOC-30 video is chosen from the library in the composer, with its length and why a network doesn’t take it',
  async () => {
    const name = 'short.mp4'
    const buffer = Buffer.from(
      encodeVideo(name, 'testsrc2=s=320x180:r=25:d=2', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'),
    )
    const { page, errors } = await compose()
    await choose(page, { name, mimeType: 'video/mp4', buffer })
    await tile(page, name).getByText('0:02', { exact: true }).waitFor()
    await tile(page, name).getByText('This video is 0:02 long, but LinkedIn needs 0:03. Choose a longer one.').waitFor()
    await page.getByRole('button', { name: `Remove ${name}` }).click()
    await page.getByRole('button', { name: 'Choose from library' }).click()
    const dialog = page.getByRole('dialog', { name: 'Choose from library' })
    await dialog.getByText(name).waitFor()
    expect(await dialog.locator('img').count()).toBeGreaterThan(0)
    expect(await axe(page)).toEqual([])
    await dialog.getByRole('checkbox', { name }).check()
    await dialog.getByRole('button', { name: 'Add 1' }).click()
    await tile(page, name).getByText('but LinkedIn needs 0:03').waitFor()
    await page.getByRole('checkbox', { name: /LinkedIn/ }).uncheck({ force: true })
    await page.getByRole('checkbox', { name: /^X/ }).check({ force: true })
    await tile(page, name).getByText('but LinkedIn needs').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    await status(page, 'Scheduled').waitFor()
    expect(errors).toEqual([])
  },
)

test('SOC-30 post whose file has no preview shows its kind instead of a broken image', async () => {
  const { page, errors } = await compose({ width: 360 })
  const encrypted = new PDFDocument({ userPassword: 'secret' })
  encrypted.end()
  const buffer = Buffer.concat(await Array.fromAsync(encrypted))
  await choose(page, { name: 'sealed.pdf', mimeType: 'application/pdf', buffer })
  await tile(page, 'sealed.pdf').getByText('PDF', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await status(page, 'Scheduled').waitFor()
  await main(page).getByText('No preview').waitFor()
  expect(await main(page).locator('.shots img:visible').count()).toBe(0)
  expect(errors.filter((error) => !error.includes('404'))).toEqual([])
})

const png = async (name: string) => ({
  name: `${name}.png`,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 640, height: 480, channels: 3, background: 'teal' } })
    .png()
    .toBuffer(),
})

const upload = async (name: string) =>
  ada.fetchJson<{ id: string }>('POST /api/media', {
    brandId: ada.brandId,
    name: `${name}.png`,
    alt: `The ${name}`,
    file: (await png(name)).buffer.toString('base64'),
  })

const countFiles = async (name: string) => {
  const query = new URLSearchParams({ brandId: ada.brandId, q: name })
  return (await ada.fetchJson<{ items: unknown[] }>(`GET /api/media?${query}`)).items.length
}

/** Holds new files of the organization until the returned function is called, once one waits. */
async function holdStorage() {
  const { sql, close } = openDatabase(stage.database.url, 2)
  const held = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const holding = sql.begin(async (tx) => {
    await tx`SELECT pg_advisory_xact_lock(hashtextextended(${`uploads ${ada.organizationId}`}, 0))`
    locked.resolve()
    await held.promise
  })
  await locked.promise
  return {
    waiting: () =>
      waitUntil(async () => {
        // Of this database: others of the server have locks too.
        const waiting = await sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
        return waiting.length > 0
      }),
    release: async () => {
      held.resolve()
      await holding
      await close()
    },
  }
}

test('SOC-30 file that is removed while the server stores it is deleted from the library, and the next file is uploaded', async () => {
  const { page, errors } = await compose()
  const storage = await holdStorage()
  await choose(page, await png('unwanted'))
  await storage.waiting()
  await page.getByRole('button', { name: 'Remove unwanted.png' }).click()
  await choose(page, await png('wanted'))
  const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await storage.release()
  expect((await deleted).status()).toBe(204)
  await tile(page, 'wanted.png').locator('img:visible').waitFor()
  expect(await countFiles('unwanted')).toBe(0)
  expect(await countFiles('wanted')).toBe(1)
  expect(errors).toEqual([])
})

test('SOC-30 document that is removed while it uploads is deleted on the server', async () => {
  const { page, errors } = await compose()
  const held = Promise.withResolvers<void>()
  await page.route('**/api/uploads/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue()
    held.resolve()
  })
  await choose(page, await pdf('unwanted.pdf'))
  await held.promise
  const deleted = page.waitForResponse((response) => response.request().method() === 'DELETE')
  await page.getByRole('button', { name: 'Remove unwanted.pdf' }).click()
  const response = await deleted
  expect(response.status()).toBe(204)
  expect((await page.request.get(response.url().replace(/\?.*/, ''))).status()).toBe(404)
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('tus::')))).toEqual([])
  expect(errors).toEqual([])
})

test('SOC-30 upload whose response can’t be read ends as an error of its file, and its retry stores it once', async () => {
  const { page, errors } = await compose()
  const broken = { status: 201, contentType: 'text/html', body: '<html>' }
  await page.route('**/api/media', async (route) => route.fulfill({ response: await route.fetch(), ...broken }), {
    times: 1,
  })
  await choose(page, await png('once'))
  await tile(page, 'once.png').getByText('once.png: The server’s response can’t be read. Retry.').waitFor()
  expect(await countFiles('once')).toBe(1)
  await page.route('**/api/media/*', (route) => route.fulfill({ ...broken, status: 200 }), { times: 1 })
  await page.getByRole('button', { name: 'Retry upload of once.png' }).click()
  await tile(page, 'once.png').getByText('once.png: The file can’t be loaded.').waitFor()
  await page.getByRole('button', { name: 'Retry upload of once.png' }).click()
  await tile(page, 'once.png').locator('img:visible').waitFor()
  expect(await countFiles('once')).toBe(1)
  expect(errors).toEqual([])
})

test('SOC-30 file that was deleted from the library says so when it is attached and when its post is saved', async () => {
  const [early, late] = [await upload('early'), await upload('late')]
  const { page } = await compose()
  await page.getByRole('button', { name: 'Choose from library' }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose from library' })
  await dialog.getByRole('checkbox', { name: 'early.png' }).check()
  await dialog.getByRole('checkbox', { name: 'late.png' }).check()
  await ada.fetchJson(`DELETE /api/media/${early.id}`)
  await dialog.getByRole('button', { name: 'Add 2' }).click()
  await tile(page, 'early.png').getByText('early.png: This file was deleted from the library.').waitFor()
  await tile(page, 'late.png').locator('img:visible').waitFor()
  await ada.fetchJson(`DELETE /api/media/${late.id}`)
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await page.getByText('Remove or retry the files with errors.').waitFor()
  await page.getByRole('button', { name: 'Remove early.png' }).click()
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await tile(page, 'late.png').getByText('late.png: This file was deleted').waitFor()
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Remove late.png')
  expect(await axe(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await status(page, 'Scheduled').waitFor()
})

test('SOC-30 reopened draft shows its files as when they were attached: poster, length, alt text and why they don’t fit', async () => {
  const [clip, broken, busy] = [await upload('clip'), await upload('broken'), await upload('busy')]
  const { sql, close } = openDatabase(stage.database.url, 1)
  await sql`UPDATE social.media SET kind = 'video', content_type = 'video/mp4', duration_ms = 1400, video_codec = 'h264'
    WHERE id = ${clip.id}`
  await sql`UPDATE social.media SET status = 'failed', failure = 'This file can’t be read.', renditions = '{}'
    WHERE id = ${broken.id}`
  await sql`UPDATE social.media SET kind = 'video', content_type = 'video/mp4', status = 'processing', renditions = '{}'
    WHERE id = ${busy.id}`
  const [account] = await sql<{ id: string }[]>`SELECT id FROM social.connections WHERE provider = 'linkedin'`
  const { id } = await ada.fetchJson<{ id: string }>('POST /api/posts', {
    brandId: ada.brandId,
    provider: 'linkedin',
    target: { connectionId: account?.id },
    text: 'A draft',
    media: [clip, broken, busy].map((file) => ({ mediaId: file.id })),
  })
  const { page, errors } = await ada.open(`/workspace/posts/${id}/edit`)
  await tile(page, 'clip.png').getByText('but LinkedIn needs 0:03').waitFor()
  await tile(page, 'clip.png').getByText('0:01', { exact: true }).waitFor()
  await tile(page, 'clip.png').locator('img:visible').waitFor()
  expect(await page.getByLabel('Alt text for clip.png').inputValue()).toBe('The clip')
  await tile(page, 'broken.png').getByText('This file can’t be read.').waitFor()
  await tile(page, 'broken.png').locator('.blank:visible').waitFor()
  await tile(page, 'busy.png').getByText('Processing', { exact: true }).waitFor()
  await sql`UPDATE social.media SET status = 'ready', duration_ms = 61000, video_codec = 'h264' WHERE id = ${busy.id}`
  await tile(page, 'busy.png').getByText('1:01', { exact: true }).waitFor()
  await close()
  expect(errors).toEqual([])
})

test('SOC-30 library of the composer that can’t be read says so and is loaded again, and shows why a file can’t be chosen', async () => {
  const damaged = await upload('damaged')
  const { sql, close } = openDatabase(stage.database.url, 1)
  await sql`UPDATE social.media SET status = 'failed', failure = 'This file can’t be read.', renditions = '{}'
    WHERE id = ${damaged.id}`
  await close()
  const { page, errors } = await compose({ width: 360 })
  const broken = { status: 200, contentType: 'text/html', body: '<html>' }
  await page.route('**/api/media?*', (route) => route.fulfill(broken), { times: 1 })
  await page.getByRole('button', { name: 'Choose from library' }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose from library' })
  await dialog.getByText('The library can’t be loaded.').waitFor()
  expect(await axe(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await dialog.getByText('This file can’t be read.').first().waitFor()
  expect(await dialog.getByRole('checkbox', { name: 'damaged.png' }).isDisabled()).toBe(true)
  expect(await axe(page)).toEqual([])
  expect(errors).toEqual([])
})

test('SOC-14 composer counts by the strictest of the chosen accounts where accounts of a network differ', async () => {
  const brand = { name: 'Two servers', timeZone: 'Europe/Berlin' }
  const { id: brandId } = await ada.fetchJson<{ id: string }>('POST /api/brands', brand)
  const server = (characters: number, media: number) => ({
    origin: 'https://social.example',
    accountId: '1',
    limits: { characters, media, urlCharacters: 23 },
  })
  const accounts = [
    { provider: 'x', name: '@plain', metadata: { username: 'plain', isSubscribed: false } },
    { provider: 'x', name: '@premium', metadata: { username: 'premium', isSubscribed: true } },
    { provider: 'mastodon', name: '@a@large.example', metadata: server(5_000, 16) },
    { provider: 'mastodon', name: '@a@small.example', metadata: server(400, 1) },
  ]
  const { sql, close } = openDatabase(stage.database.url, 1)
  for (const { provider, name, metadata } of accounts)
    await sql`
      INSERT INTO social.connections (id, brand_id, provider, owner_id, external_id, name, metadata)
      VALUES (${Bun.randomUUIDv7()}, ${brandId}, ${provider}, ${Bun.randomUUIDv7()}, ${name}, ${name},
        ${JSON.stringify(metadata)}::jsonb)`
  await close()
  const { page, errors } = await ada.open(`/workspace/posts/new?brandId=${brandId}`, { width: 360 })
  const account = (name: string) => page.getByRole('checkbox', { name })
  const counts = page.getByRole('group', { name: 'Characters per network' })
  await page.getByLabel('Text', { exact: true }).fill('x'.repeat(300))
  await account('@premium').check({ force: true })
  await counts.getByText('300 / 25,000').waitFor()
  await account('@plain').check({ force: true })
  await counts.getByText('X (@plain)').waitFor()
  await counts.getByText('300 / 280, 20 over').waitFor()
  await account('@plain').uncheck({ force: true })
  await counts.getByText('300 / 25,000').waitFor()
  await account('@premium').uncheck({ force: true })
  await account('@a@large.example').check({ force: true })
  await counts.getByText('300 / 5,000').waitFor()
  await page.getByText('0 of 16 for Mastodon').waitFor()
  await account('@a@small.example').check({ force: true })
  await counts.getByText('300 / 400').waitFor()
  await page.getByText('0 of 1 for Mastodon').waitFor()
  expect(await axe(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  expect(errors).toEqual([])
})
