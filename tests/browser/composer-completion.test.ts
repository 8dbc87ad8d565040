import { afterAll, beforeAll, expect, test } from 'bun:test'
import { axe } from '../support/browser.ts'
import { createPublisher, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage)
  for (const text of ['#wintermenu #latte with @tremblay', '#latte'])
    await ada.fetchJson('POST /api/posts', { brandId: ada.brandId, provider: 'sandbox', text })
})
afterAll(() => stage.close())

test('SOC-14 hashtags and mentions of the brand are completed with the keyboard and with the mouse', async () => {
  const { page, errors } = await ada.open(`/workspace/posts/new?brandId=${ada.brandId}`, { width: 360 })
  const text = page.getByLabel('Text', { exact: true })
  const list = page.getByRole('listbox', { name: 'Suggestions' })
  await text.pressSequentially('Now #')
  await list.waitFor()
  expect(await list.evaluate((shown) => getComputedStyle(shown).position)).toBe('absolute')
  expect(await list.getByRole('option').allInnerTexts()).toEqual([
    '#latte\n2 posts: Sandbox',
    '#wintermenu\n1 post: Sandbox',
  ])
  expect(await axe(page)).toEqual([])
  await text.press('ArrowDown')
  expect(await text.getAttribute('aria-activedescendant')).toBe(
    await list.getByRole('option').nth(1).getAttribute('id'),
  )
  await text.press('Enter')
  expect(await text.inputValue()).toBe('Now #wintermenu ')
  expect(await list.isVisible()).toBe(false)
  await text.pressSequentially('by @tr')
  await list.getByText('@tremblay').click()
  expect(await text.inputValue()).toBe('Now #wintermenu by @tremblay ')
  await text.pressSequentially('#lat')
  await list.waitFor()
  await text.press('Escape')
  expect(await list.isVisible()).toBe(false)
  await text.press('Enter')
  expect(await text.inputValue()).toBe('Now #wintermenu by @tremblay #lat\n')
  await page.locator('#saved-state', { hasText: /^Saved/ }).waitFor()
  await page.reload()
  expect(await text.inputValue()).toBe('Now #wintermenu by @tremblay #lat\n')
  expect(errors).toEqual([])
})
