import { afterAll, beforeAll, expect, test } from 'bun:test'
import { axe } from '../support/browser.ts'
import { createPublisher, main, openTestSite, type TestSite } from './test-site.ts'

let stage: TestSite
beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

test.each([1440, 360])(
  'SOC-01 voice, colors and hashtags of a brand are saved on its page, at %d px',
  async (width) => {
    const ada = await createPublisher(stage)
    const { page, errors } = await ada.open(`/workspace/brands/${ada.brandId}`, { width })
    const voice = main(page).getByRole('region', { name: 'Voice' })
    await voice.getByLabel('How Acme Coffee sounds').fill('Warm, short, concrete.')
    await voice.getByLabel('Words to avoid').fill('indulge, elevate')
    await voice.getByLabel('German').check()
    await voice.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: true }).waitFor()

    const colors = main(page).getByRole('region', { name: 'Colors' })
    await colors.getByLabel('New color').fill('#f4ecdd')
    await colors.getByRole('button', { name: 'Add' }).click()
    await colors.getByText('1.1:1 on white, too light for text').waitFor()
    expect(await axe(page)).toEqual([])
    await colors.getByRole('button', { name: 'Remove #f4ecdd' }).click()
    await colors.getByText('No colors yet.').waitFor()

    const hashtags = main(page).getByRole('region', { name: 'Hashtags' })
    await hashtags.getByRole('textbox', { name: 'Hashtags' }).fill('#oat latte 2026')
    await hashtags.getByRole('button', { name: 'Save' }).click()
    await hashtags.getByText('Must be a hashtag such as #coffee').first().waitFor()
    await hashtags.getByRole('textbox', { name: 'Hashtags' }).fill('#oatlatte coffee')
    await hashtags.getByLabel('Instagram').selectOption('In the first comment')
    await hashtags.getByRole('button', { name: 'Save' }).click()
    await hashtags.getByText('Unsaved changes').waitFor({ state: 'hidden' })
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)

    await page.goto(new URL(`/workspace/posts/new?brandId=${ada.brandId}`, page.url()).href)
    const text = main(page).getByLabel('Text', { exact: true })
    await text.fill('New today #Coffee')
    await main(page).getByRole('button', { name: 'Add to the text' }).click()
    expect(await text.inputValue()).toBe('New today #Coffee\n\n#oatlatte')
    await main(page).getByRole('button', { name: 'Add to the text' }).click()
    expect(await text.inputValue()).toBe('New today #Coffee\n\n#oatlatte')
    expect(await axe(page)).toEqual([])
    expect(errors.filter((error) => !error.includes('422'))).toEqual([])
  },
)
