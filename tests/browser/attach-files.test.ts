import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import PDFDocument from 'pdfkit'
import { openDatabase } from '#lib/db.ts'
import { findFfmpeg } from '../../src/social/media/video/ffmpeg.ts'
import { encodeVideo } from '../social/videos.ts'
import { axe } from '../support/browser.ts'
import { createPublisher, main, openTestSite, status, type Publisher, type TestSite } from './test-site.ts'

// Videos and documents in the composer.

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

const compose = async (width = 1440) => {
  const opened = await ada.open(`/workspace/posts/new?brandId=${ada.brandId}`, { width })
  await opened.page.getByLabel('Text', { exact: true }).fill('Our menu')
  await opened.page.getByRole('checkbox', { name: /LinkedIn/ }).check({ force: true })
  return opened
}

test('SOC-14 SOC-30 PDF is attached with a preview of its first page, the composer says which network doesn’t take it, and its post is scheduled', async () => {
  const { page, errors } = await compose()
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
  expect(errors).toEqual([])
})

test('SOC-14 SOC-30 video is chosen from the library in the composer, with its length and why a network doesn’t take it', async () => {
  if (!(await findFfmpeg({}))) return
  const name = 'short.mp4'
  const buffer = Buffer.from(encodeVideo(name, 'testsrc2=s=320x180:r=25:d=2', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'))
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
})

test('SOC-30 post whose file has no preview shows its kind instead of a broken image', async () => {
  const { page, errors } = await compose(360)
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
