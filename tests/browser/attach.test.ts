import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page, Route } from 'playwright-core'
import sharp from 'sharp'
import { eventually } from '../boot/program.ts'
import { axe } from '../support/browser.ts'
import { main, openTestSite, createPublisher, status, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage)
})

afterAll(() => stage.close())

const colored = async (color: string, name = `${color}.png`) => ({
  name,
  mimeType: 'image/png',
  buffer: await sharp({ create: { width: 640, height: 480, channels: 3, background: color } })
    .png()
    .toBuffer(),
})

type Chosen = Awaited<ReturnType<typeof colored>>

const tiles = (page: Page) => page.locator('li.attach')
const uploaded = (page: Page) => page.locator('li.attach img:visible')
const alts = (page: Page) =>
  page
    .locator('li.attach [data-alt]')
    .evaluateAll((fields) => fields.map((field) => (field instanceof HTMLInputElement ? field.value : '')))

/** Pastes into the text field or drops onto the page by the browser's own event. */
const bring = (page: Page, how: 'paste' | 'drop', { name, mimeType, buffer }: Chosen) =>
  page.getByLabel('Text', { exact: true }).evaluate(
    (text, [type, given, kind, base64]) => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File([Uint8Array.fromBase64(base64)], given, { type: kind }))
      const init = { bubbles: true, cancelable: true }
      const event =
        type === 'paste'
          ? new ClipboardEvent('paste', { ...init, clipboardData })
          : new DragEvent('drop', { ...init, dataTransfer: clipboardData })
      text.dispatchEvent(event)
    },
    [how, name, mimeType, buffer.toString('base64')] as const,
  )

test('SOC-30 images are chosen, pasted, dropped, described, sorted and published', async () => {
  const { page, errors } = await ada.open(`/workspace/posts/new?brandId=${ada.brandId}`)
  await page.getByLabel('Text', { exact: true }).fill('Three colors')
  await page
    .getByLabel('Add files')
    .last()
    .setInputFiles(await colored('red'))
  await uploaded(page).nth(0).waitFor()
  await bring(page, 'paste', await colored('green'))
  await uploaded(page).nth(1).waitFor()
  await bring(page, 'drop', await colored('blue'))
  await uploaded(page).nth(2).waitFor()
  await page.getByText('3 of 4 for Sandbox').waitFor()

  for (const color of ['red', 'green', 'blue'])
    await page.getByLabel(`Alt text for ${color}.png`).fill(`It is ${color}`)
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Move blue.png earlier' }).click()
  await page.getByRole('button', { name: 'Move blue.png earlier' }).press('Enter')
  await page.getByRole('button', { name: 'Remove green.png' }).click()
  expect(await alts(page)).toEqual(['It is blue', 'It is red'])
  const preview = page.getByRole('complementary', { name: 'Preview' })
  expect(await preview.getByRole('img', { name: /^It is/ }).count()).toBe(2)

  await page.getByRole('radio', { name: 'Now' }).press('Space')
  await page.getByRole('button', { name: 'Publish now' }).click()
  await status(page, 'Published').waitFor()
  await main(page).getByRole('img', { name: 'It is blue' }).waitFor()
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Open on Sandbox' }).click()
  const timeline = await opened
  const shown = timeline.getByRole('main').getByRole('img', { name: /^It is/ })
  await shown.first().waitFor()
  expect(await shown.evaluateAll((images) => images.map((image) => image.getAttribute('alt')))).toEqual([
    'It is blue',
    'It is red',
  ])
  const width = () => shown.first().evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth)
  expect(await eventually(async () => (await width()) === 640)).toBe(true)
  expect(errors).toEqual([])
})

test('SOC-30 file that isn’t an image shows an error and blocks the post until it is removed', async () => {
  const { page, errors } = await ada.open(`/workspace/posts/new?brandId=${ada.brandId}`, { expected: [422] })
  await page.getByLabel('Text', { exact: true }).fill('No image')
  const words = { name: 'words.png', mimeType: 'image/png', buffer: Buffer.from('just words') }
  await page.getByLabel('Add files').last().setInputFiles(words)
  await tiles(page).getByText('words.png: Unsupported file type. Upload a JPEG, PNG, WebP or GIF image.').waitFor()
  expect(await page.getByText('1 of 4 for Sandbox').count()).toBe(0)
  await page.getByRole('button', { name: 'Save draft' }).click()
  expect(new URL(page.url()).pathname).toBe('/workspace/posts/new')
  await page.getByRole('button', { name: 'Remove words.png' }).click()
  await page.getByRole('button', { name: 'Save draft' }).click()
  await status(page, 'Draft').waitFor()
  expect(errors).toEqual([])
})

test('SOC-30 upload that lost its connection names the file and is retried with its alt text', async () => {
  const { page, errors } = await ada.open(`/workspace/posts/new?brandId=${ada.brandId}`)
  await page.getByLabel('Text', { exact: true }).fill('Second try')
  const held = Promise.withResolvers<Route>()
  await page.route('**/api/media', (route) => held.resolve(route), { times: 1 })
  await page
    .getByLabel('Add files')
    .last()
    .setInputFiles(await colored('violet'))
  await page.getByLabel('Alt text for violet.png').fill('It is violet')
  await (await held.promise).abort('connectionreset')
  await tiles(page).getByText('violet.png: The upload failed. Check your connection.').waitFor()
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Retry upload of violet.png' }).click()
  await uploaded(page).waitFor()
  expect(await alts(page)).toEqual(['It is violet'])
  await page.getByRole('button', { name: 'Save draft' }).click()
  await main(page).getByRole('img', { name: 'It is violet' }).waitFor()
  expect(errors.filter((error) => !error.includes('ERR_CONNECTION_RESET'))).toEqual([])
})

test('SOC-30 edited post shows its images and can be saved without them', async () => {
  const { buffer } = await colored('orange')
  const file = buffer.toString('base64')
  const media = await ada.fetchJson<{ id: string }>('POST /api/media', { brandId: ada.brandId, file, alt: 'Orange' })
  const post = { brandId: ada.brandId, provider: 'sandbox', text: 'One color', media: [{ mediaId: media.id }] }
  const { id } = await ada.fetchJson<{ id: string }>('POST /api/posts', post)
  const { page, errors } = await ada.open(`/workspace/posts/${id}/edit`)
  await uploaded(page).waitFor()
  expect(await alts(page)).toEqual(['Orange'])
  await page.getByLabel(/^Alt text for/).fill('Quite orange')
  await page.getByRole('button', { name: 'Save draft' }).last().click()
  await main(page).getByRole('img', { name: 'Quite orange' }).waitFor()
  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Save draft' }).last().click()
  await status(page, 'Draft').waitFor()
  expect(await main(page).getByRole('img', { name: 'orange' }).count()).toBe(0)
  expect(errors).toEqual([])
})

test('SOC-14 composer shows a network’s image limit, and the server rejects more', async () => {
  const { page } = await ada.open(`/workspace/posts/new?brandId=${ada.brandId}`, { expected: [422] })
  await page.getByLabel('Text', { exact: true }).fill('Five colors')
  const five = await Promise.all(['red', 'green', 'blue', 'black', 'white'].map((color) => colored(color)))
  await page.getByLabel('Add files').last().setInputFiles(five)
  await uploaded(page).nth(4).waitFor()
  await page.locator('[data-room][data-state="over"]', { hasText: '5 of 4 for Sandbox' }).waitFor()
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await page.getByText('Sandbox allows 4 images per post. Remove 1.').waitFor()
})

test('composer errors look like field errors, and date and time inputs are as tall as others', async () => {
  const { page, errors } = await ada.open('/workspace/posts/new', { expected: [422] })
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  const message = page.locator('.editor .error')
  await message.getByText('Enter some text.').waitFor()
  expect(await message.locator('svg use[href$="#circle-alert"]').count()).toBe(1)
  const colorOf = (selector: string, property: string) =>
    page.locator(selector).evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
  const red = await colorOf('.editor .error', 'color')
  expect(await colorOf('.editor', 'border-top-color')).toBe(red)
  await page.getByRole('textbox', { name: 'Text' }).fill('Hello')
  expect(await message.isVisible()).toBe(false)
  expect(await colorOf('.editor', 'border-top-color')).not.toBe(red)

  const heights = await page
    .locator('input.input:visible')
    .evaluateAll((inputs) => inputs.map((each) => each.clientHeight))
  expect(heights.length).toBeGreaterThan(2)
  expect(new Set(heights).size).toBe(1)
  expect(errors).toEqual([])
})

test('SOC-30 images are chosen from the library, and sorted by dragging', async () => {
  const stored = async (color: string) => {
    const { name, buffer } = await colored(color)
    const upload = { brandId: ada.brandId, name, alt: `All ${color}`, file: buffer.toString('base64') }
    await ada.fetchJson('POST /api/media', upload)
  }
  await stored('olive')
  await stored('navy')
  const { page, errors } = await ada.open(`/workspace/posts/new?brandId=${ada.brandId}`)
  await page.getByRole('button', { name: 'Choose from library' }).click()
  const dialog = page.getByRole('dialog', { name: 'Choose from library' })
  await dialog.getByLabel('Search the library').fill('olive')
  await dialog.getByLabel('Search the library').press('Enter')
  await dialog.getByText('navy.png').waitFor({ state: 'detached' })
  await dialog.getByText('olive.png').click()
  await dialog.getByLabel('Search the library').fill('')
  await dialog.getByText('navy.png').click()
  expect(await axe(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add 2' }).click()
  await uploaded(page).nth(1).waitFor()
  expect(await alts(page)).toEqual(['All olive', 'All navy'])
  await page
    .locator('li.attach img')
    .nth(1)
    .dragTo(page.locator('li.attach img').nth(0), { targetPosition: { x: 5, y: 20 } })
  expect(await alts(page)).toEqual(['All navy', 'All olive'])
  expect(errors).toEqual([])
})

test('SOC-45 SOC-30 each post of a thread has its own images, which are restored and published with it', async () => {
  const { page, errors } = await ada.open(`/workspace/posts/new?brandId=${ada.brandId}`)
  await page.getByLabel('Text', { exact: true }).fill('First of a thread')
  await page
    .getByLabel('Add files')
    .last()
    .setInputFiles(await colored('tan'))
  await uploaded(page).nth(0).waitFor()
  await page.getByRole('button', { name: 'Add to thread' }).click()
  await page.getByLabel('Post 2 of 2').fill('Second of a thread')
  for (const color of ['teal', 'plum']) {
    await page
      .getByLabel('Add files')
      .last()
      .setInputFiles(await colored(color))
    await page.getByLabel(`Alt text for ${color}.png`).fill(`It is ${color}`)
  }
  await uploaded(page).nth(2).waitFor()
  await page.getByText('2 of 4 for Sandbox, in post 2').waitFor()
  const choice = (color: string) => page.getByLabel(`Post of ${color}.png`)
  expect(await Promise.all(['tan', 'teal', 'plum'].map((color) => choice(color).inputValue()))).toEqual(['0', '1', '1'])
  await choice('plum').selectOption('In post 1')
  expect(await axe(page)).toEqual([])
  const preview = page.getByRole('complementary', { name: 'Preview' })
  const imagesIn = (post: number) =>
    preview.locator('[data-account]:not([hidden]) .thread > li').nth(post).locator('.shots img').count()
  expect(await Promise.all([0, 1].map(imagesIn))).toEqual([2, 1])
  await page.getByText('Saved', { exact: false }).first().waitFor()
  await page.waitForURL(/unsaved=/)
  await page.reload()
  await uploaded(page).nth(2).waitFor()
  expect(await Promise.all(['tan', 'teal', 'plum'].map((color) => choice(color).inputValue()))).toEqual(['0', '1', '0'])
  await page.getByRole('radio', { name: 'Now' }).press('Space')
  await page.getByRole('button', { name: 'Publish now' }).click()
  await status(page, 'Published').first().waitFor()
  const { items } = await ada.fetchJson<{ items: { text: string; media: unknown[] }[] }>(
    `GET /api/posts?brandId=${ada.brandId}&q=thread`,
  )
  expect(Object.fromEntries(items.map(({ text, media }) => [text, media.length]))).toEqual({
    'First of a thread': 2,
    'Second of a thread': 1,
  })
  expect(errors).toEqual([])
})

test('SOC-30 image is cropped by keyboard in the composer, and its copy is used with the alt text', async () => {
  const { page, errors } = await ada.open(`/workspace/posts/new?brandId=${ada.brandId}`)
  await page
    .getByLabel('Add files')
    .last()
    .setInputFiles(await colored('crimson'))
  await page.getByLabel('Alt text for crimson.png').fill('It is crimson')
  await page.getByRole('button', { name: 'Crop or rotate crimson.png' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Crop or rotate' })
  await dialog.getByRole('button', { name: 'Save copy' }).press('Enter')
  await dialog.getByText('Choose a format or a rotation.').waitFor()
  await dialog.getByLabel('Format').selectOption('1:1')
  expect(await axe(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save copy' }).press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Crop or rotate crimson 1:1.png' }).waitFor()
  expect(await alts(page)).toEqual(['It is crimson'])
  const [id = ''] = await tiles(page)
    .locator('[data-id]')
    .evaluateAll((fields) => fields.map((field) => (field instanceof HTMLInputElement ? field.value : '')))
  expect(await ada.fetchJson(`GET /api/media/${id}`)).toMatchObject({ width: 480, height: 480 })
  expect(errors).toEqual([expect.stringContaining('422')])
})
