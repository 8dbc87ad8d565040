import { afterAll, beforeAll, expect, test } from 'bun:test'
import { flawsOf } from './payments-site.ts'
import { createPublisher, main, openTestSite, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { connected: false })
})
afterAll(() => stage.close())

test('DSH-38 owner creates a workflow, adds a step, runs it, pauses it and deletes it', async () => {
  const { page, errors } = await ada.open('/settings/organization')
  await page.getByRole('link', { name: 'Workflows' }).click()
  await main(page).getByText('No workflows yet').waitFor()
  expect(await flawsOf(page)).toEqual({})
  await page.setViewportSize({ width: 1280, height: 900 })
  await main(page).getByRole('button', { name: 'Add by schedule' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Wochenrückblick Veröffentlichungsplanung')
  await dialog.getByLabel('Repeats').selectOption('cron')
  await dialog.getByLabel('Cron fields').fill('* * * * *')
  await dialog.getByLabel('Title').fill('Review last week')
  await dialog.getByLabel('Reason').fill('It is Monday.')
  await dialog.getByRole('button', { name: 'Add workflow' }).click()
  await dialog.getByText('Must run at most every 5 minutes.').first().waitFor()
  expect(await dialog.getByLabel('Title').inputValue()).toBe('Review last week')
  await dialog.getByLabel('Repeats').selectOption('weekly')
  await dialog.getByText('Every Monday at 09:00').waitFor()
  await dialog.getByRole('button', { name: 'Add workflow' }).click()
  await dialog.getByText('whsec_').first().waitFor()
  await dialog
    .getByRole('link')
    .or(dialog.getByRole('button', { name: 'Done' }))
    .last()
    .click()

  await main(page).getByRole('heading', { name: 'Wochenrückblick' }).waitFor()
  await main(page).getByRole('button', { name: 'Notify people' }).click()
  await dialog.getByLabel('Title').fill('A week has passed')
  await dialog.getByLabel('Reason').fill('Look at its posts.')
  await dialog.getByRole('button', { name: 'Add step' }).click()
  await main(page).getByText('2. A week has passed').waitFor()
  await main(page).getByRole('button', { name: 'Run a test' }).click()
  await main(page).getByText('Test, 2 of 2 steps done').waitFor()
  await main(page).getByRole('list', { name: 'Runs, newest first' }).getByRole('link').click()
  await main(page).getByRole('heading', { name: 'Run of' }).waitFor()
  expect(await flawsOf(page)).toEqual({})
  await page.setViewportSize({ width: 1280, height: 900 })

  const more = main(page).getByRole('button', { name: /^More about Wochen/ })
  await more.click()
  await main(page).getByRole('button', { name: 'Pause', exact: true }).click()
  await main(page).getByRole('button', { name: 'Enable', exact: true }).waitFor()
  await more.click()
  await main(page).getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await main(page).getByText('No workflows yet').waitFor()
  const { items } = await ada.fetchJson<{ items: { title: string }[] }>('GET /api/notifications')
  expect(items.map(({ title }) => title)).toContain('Review last week')
  // The schedule that was refused.
  expect(errors).toEqual([expect.stringContaining('422')])
  await page.close()
})

test('DSH-38 owner starts from a template, edits its steps, trigger and members by keyboard, and undoes a removal', async () => {
  const { page, errors } = await ada.open('/settings/workflows')
  const dialog = page.getByRole('dialog')
  await main(page).getByRole('button', { name: 'Use the template Failed posts' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Name').fill('Failed posts of the team')
  await page.keyboard.press('Enter')
  await dialog.getByText('whsec_').first().waitFor()
  await dialog
    .getByRole('link')
    .or(dialog.getByRole('button', { name: 'Done' }))
    .last()
    .click()
  await main(page).getByRole('heading', { name: 'Failed posts of the team' }).waitFor()
  await main(page).getByText('Created by').waitFor()

  await main(page).getByRole('button', { name: 'Edit step 1' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Title').fill('Look at {{data.unknown}}')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Unknown field {{data.unknown}}').first().waitFor()
  await dialog.getByLabel('Title').fill('Look at {{data.provider}}')
  await dialog.getByLabel('Who').selectOption('')
  await dialog.getByRole('checkbox').first().check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await main(page).getByText('1. Look at {{data.provider}}').waitFor()

  await main(page).getByRole('button', { name: 'Edit trigger' }).click()
  await dialog.getByLabel('Field of condition 1').selectOption('provider')
  await dialog.getByLabel('Value of condition 1').fill('bluesky')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await main(page).getByText('post.failed, 1 condition').waitFor()

  await main(page).getByRole('button', { name: 'Remove step 2' }).click()
  await main(page).getByText('2. Repair the failed post').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await main(page).getByText('2. Repair the failed post').waitFor()
  // The unknown field.
  expect(errors).toEqual([expect.stringContaining('422')])
  await page.close()
})
