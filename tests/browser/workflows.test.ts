import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase } from '#lib/db.ts'
import { eventually } from '../boot/program.ts'
import { axe, openPage } from '../support/browser.ts'
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
  await main(page).getByRole('button', { name: 'New on a schedule' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Wochenrückblick Veröffentlichungsplanung')
  await dialog.getByLabel('Repeats').selectOption('cron')
  await dialog.getByLabel('Cron fields').fill('* * * * *')
  await dialog.getByLabel('Title').fill('Review last week')
  await dialog.getByLabel('Reason').fill('It is Monday.')
  await dialog.getByRole('button', { name: 'Create workflow' }).click()
  await dialog.getByText('Must run at most every 5 minutes.').first().waitFor()
  expect(await dialog.getByLabel('Title').inputValue()).toBe('Review last week')
  await dialog.getByLabel('Repeats').selectOption('weekly')
  await dialog.getByText('Every Monday at 09:00').waitFor()
  await dialog.getByRole('button', { name: 'Create workflow' }).click()
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

  const focused = page.locator(':focus')
  await main(page).getByRole('button', { name: 'Pause', exact: true }).focus()
  for (const name of ['Enable', 'Pause', 'Enable']) {
    await page.keyboard.press('Enter')
    await main(page).getByRole('button', { name, exact: true }).waitFor()
    expect(await focused.textContent()).toBe(name)
  }
  await main(page)
    .getByRole('button', { name: /^More about Wochen/ })
    .click()
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
  await main(page).getByRole('heading', { name: 'Failed posts of the team' }).waitFor()
  await main(page).getByText('Created by').waitFor()

  await main(page).getByRole('button', { name: 'Edit step 1' }).focus()
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Title').and(page.locator(':focus')).fill('Look at {{data.unknown}}')
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
  await main(page).getByText('A post failed, or we couldn’t confirm that it was published (1 condition)').waitFor()

  await main(page).getByRole('button', { name: 'Remove step 2' }).click()
  await main(page).getByText('2. Repair the failed post').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await main(page).getByText('2. Repair the failed post').waitFor()
  // The unknown field.
  expect(errors).toEqual([expect.stringContaining('422')])
  await page.close()
})

test('DSH-38 signing secret is shown and rotated only for a workflow that calls a webhook, and events are named in words', async () => {
  const { page, errors } = await ada.open('/settings/workflows')
  const dialog = page.getByRole('dialog')
  await main(page).getByRole('button', { name: 'Use the template New API keys' }).click()
  await dialog.getByRole('button', { name: 'Create workflow' }).click()
  await main(page).getByRole('heading', { name: 'New API keys', exact: true }).waitFor()
  await main(page).getByText('An API key was created').first().waitFor()
  await main(page).getByRole('button', { name: 'More about New API keys' }).click()
  await main(page).getByRole('button', { name: 'Rename' }).waitFor()
  expect(await main(page).getByRole('button', { name: 'Rotate secret' }).count()).toBe(0)

  await page.goto(`${stage.server.url}/settings/workflows`)
  await main(page).getByRole('listitem').filter({ hasText: 'An API key was created' }).waitFor()
  await main(page).getByRole('button', { name: 'Use the template New disputes' }).click()
  await dialog.getByLabel('URL').fill('https://hooks.example.com/atrium')
  await dialog.getByRole('button', { name: 'Create workflow' }).click()
  await dialog.getByText('whsec_').first().waitFor()
  expect(await axe(page)).toEqual([])
  await dialog
    .getByRole('link')
    .or(dialog.getByRole('button', { name: 'Done' }))
    .last()
    .click()
  await main(page).getByRole('button', { name: 'More about New disputes' }).click()
  await main(page).getByRole('button', { name: 'Rotate secret' }).click()
  await dialog.getByRole('button', { name: 'Rotate' }).click()
  await dialog.getByText('whsec_').first().waitFor()
  expect(errors).toEqual([])
  await page.close()
})

test('DSH-38 owner retries a failed run, and a change after another one is refused without losing the text', async () => {
  let status = 500
  const receiver = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('', { status }) })
  const database = openDatabase(stage.database.url, 1)
  try {
    const { id } = await ada.fetchJson<{ id: string }>('POST /api/workflows', {
      name: 'Announce posts',
      trigger: { type: 'event', event: 'post.published', filter: [{ field: 'provider', value: 'bluesky' }] },
      steps: [
        { type: 'notify', title: 'Published', reason: 'See it.', role: 'admin' },
        { type: 'webhook', url: `http://127.0.0.1:${receiver.port}/hook` },
      ],
    })
    const run = await ada.fetchJson<{ id: string }>(`POST /api/workflows/${id}/run`, {})
    const failOnce = async () =>
      (
        await database.sql`
          UPDATE dashboard.workflow_runs SET state = 'failed', settled_at = now(), next_attempt_at = NULL
          WHERE id = ${run.id} AND state = 'waiting' AND attempts = 1 RETURNING id`
      ).length === 1
    expect(await eventually(failOnce)).toBe(true)
    status = 200

    const { page, errors } = await ada.open(`/settings/workflows/${id}?run=${run.id}`)
    const dialog = page.getByRole('dialog')
    await main(page).getByText('Notify people: Admins and owners').waitFor()
    await main(page).getByText('If provider is bluesky').waitFor()
    await main(page).getByText('The response has the status 500.').waitFor()
    await main(page).getByRole('button', { name: 'Retry' }).click()
    await main(page).locator('#opened-run').getByText('Succeeded').waitFor()
    expect(await main(page).getByRole('button', { name: 'Retry' }).count()).toBe(0)

    await main(page).getByRole('button', { name: 'Edit step 1' }).click()
    await dialog.getByLabel('Title').fill('A post is published')
    await ada.fetchJson(`PUT /api/workflows/${id}`, { name: 'Announce all posts' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Someone changed this workflow in the meantime.').waitFor()
    expect(await dialog.getByLabel('Title').inputValue()).toBe('A post is published')
    expect(await axe(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await main(page).getByRole('heading', { name: 'Announce all posts' }).waitFor()
    await main(page).getByRole('button', { name: 'Edit step 1' }).click()
    // Members that were chosen don't count with a role.
    await dialog.getByLabel('Who').selectOption('')
    await dialog.getByRole('checkbox').first().check()
    await dialog.getByLabel('Who').selectOption('owner')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await main(page).getByText('Notify people: Owners').waitFor()
    for (const [opener, title] of dialogOpeners) {
      await main(page).getByRole('button', { name: opener, exact: true }).click()
      await dialog.getByRole('heading', { name: title }).waitFor()
      expect([title, await axe(page)]).toEqual([title, []])
      await dialog.getByRole('button', { name: 'Cancel' }).click()
    }
    // The version.
    expect(errors).toEqual([expect.stringContaining('409')])
    await page.close()
  } finally {
    await database.close()
    await receiver.stop(true)
  }
})

const dialogOpeners: readonly [string, string][] = [
  ['Edit trigger', 'Run on an event'],
  ['Edit step 2', 'Edit step 2'],
  ['Raise an action', 'Raise an action'],
  ['Notify people', 'Notify people'],
  ['Call a webhook', 'Call a webhook'],
]

test('DSH-38 owner creates, pauses, enables and tests a workflow without scripts, and reads what was refused', async () => {
  const context = await ada.open('/settings/workflows')
  const storageState = await context.page.context().storageState()
  await context.page.context().close()
  const plain = { javaScriptEnabled: false, storageState }
  const { page, errors } = await openPage(stage.browser, {
    url: `${stage.server.url}/settings/workflows`,
    expected: [422],
    context: plain,
  })
  const dialog = page.getByRole('dialog')
  const create = async (title: string) => {
    await main(page).getByRole('button', { name: 'New on a schedule' }).click()
    await dialog.getByLabel('Name').fill('Without scripts')
    await dialog.getByLabel('Title').fill(title)
    await dialog.getByLabel('Reason').fill('It is Monday.')
    await dialog.getByRole('button', { name: 'Create workflow' }).click()
  }
  await create('{{data.nowhere}}')
  await page.getByRole('heading', { name: 'Nothing was saved' }).waitFor()
  await page.getByText('steps.0.title: Unknown field').waitFor()
  await page.goBack()
  await create('Review last week')
  await main(page).getByRole('heading', { name: 'Without scripts' }).waitFor()
  await main(page).getByRole('button', { name: 'Pause', exact: true }).click()
  await main(page).getByRole('button', { name: 'Enable' }).click()
  await main(page).getByText('Enabled').waitFor()
  await main(page).getByRole('button', { name: 'Run a test' }).click()
  await main(page).getByRole('heading', { name: 'Run of' }).waitFor()
  expect(errors).toEqual([])
  await page.close()
})
