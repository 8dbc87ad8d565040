import { afterAll, beforeAll, expect, test } from 'bun:test'
import { superAdminLink } from '#identity'
import { openDatabase } from '#lib/db.ts'
import { axe, openPage } from '../support/browser.ts'
import { enter, main, openStage, settle, type Stage } from './stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
}, 120_000)

afterAll(() => stage.close())

async function linkFor(email: string): Promise<string> {
  const database = openDatabase(stage.database.url, 1)
  const path = await superAdminLink(database.db, email, new Date())
  await database.close()
  return stage.server.url + path
}

test.each([
  [1440, 'light'],
  [360, 'dark'],
] as const)(
  'PLT-38 a super admin comes by the link, suspends an organization and lifts it, at %d px in %s',
  async (width, scheme) => {
    const owner = await settle(stage)
    const email = `root-${width}@example.com`
    const { page, errors } = await openPage(stage.browser, { url: await linkFor(email), width, scheme })
    expect(await axe(page)).toEqual([])
    await page.getByLabel('Your name').fill('Root')
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await page.getByRole('button', { name: 'Become a super admin' }).click()

    await main(page).getByRole('heading', { name: 'Organizations' }).waitFor()
    expect(await axe(page)).toEqual([])
    await main(page).getByLabel('Name or slug').fill(owner.person.workspace)
    await main(page).getByLabel('Name or slug').press('Enter')
    await main(page).getByRole('link', { name: owner.person.workspace }).click()
    await main(page).getByRole('button', { name: 'Suspend' }).click()
    const dialog = page.getByRole('dialog', { name: /^Suspend/ })
    await dialog.getByLabel('Reason').fill('Spam to thousands.')
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    await main(page).getByText('Suspended', { exact: true }).waitFor()
    expect(await axe(page)).toEqual([])

    const visited = await enter(stage, owner.person, '/workspace/posts', { width, scheme, expected: [403] })
    await visited.page.getByText('is suspended: Spam to thousands.').waitFor()
    expect(await axe(visited.page)).toEqual([])
    await visited.page.getByRole('link', { name: 'Your settings' }).click()
    await visited.page.getByRole('heading', { name: 'Settings' }).waitFor()

    await main(page).getByRole('button', { name: 'Lift suspension' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Lift suspension' }).click()
    await main(page).getByText('Active', { exact: true }).waitFor()
    await visited.page.goto(`${stage.server.url}/workspace/posts`)
    await visited.page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor()

    await main(page).getByRole('link', { name: 'Background work' }).click()
    await main(page).getByRole('heading', { name: 'Jobs given up' }).waitFor()
    expect(await axe(page)).toEqual([])
    expect([...errors, ...visited.errors]).toEqual([])
  },
  120_000,
)
