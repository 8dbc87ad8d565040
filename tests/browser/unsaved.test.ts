import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { Post, UnsavedPostList } from '#social/types'
import { eventually } from '../boot/program.ts'
import { axe } from '../support/browser.ts'
import { signIn } from './person.ts'
import {
  createPublisher,
  holdScripts,
  main,
  openAs,
  openTestSite,
  status,
  type Publisher,
  type TestSite,
} from './test-site.ts'

// Every way to lose what was typed or planned in the composer, provoked.

let stage: TestSite
let ada: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage)
})

afterAll(() => stage.close())

const text = (page: Page) => page.getByLabel('Text', { exact: true })
const saved = (page: Page) => page.locator('#saved-state', { hasText: /^Saved \d\d:\d\d$/ })
const newPost = () => `/workspace/posts/new?brandId=${ada.brandId}`
const editOf = ({ id }: Post) => `/workspace/posts/${id}/edit`
const read = ({ id }: Post) => ada.fetchJson<Post>(`GET /api/posts/${id}`)
const stored = async () =>
  (await ada.fetchJson<UnsavedPostList>('GET /api/unsaved-posts')).items.map((each) => each.text)

/** Once the composer led to the page of the post. */
const leftComposer = (page: Page) => page.waitForURL(({ pathname }) => /^\/workspace\/posts\/[\w-]{36}$/.test(pathname))

const schedule = (content: string) =>
  ada.fetchJson<Post>('POST /api/posts', {
    brandId: ada.brandId,
    provider: 'sandbox',
    text: content,
    status: 'scheduled',
    scheduledAt: '2099-07-01T10:20:00Z',
  })

/** What this browser keeps of unsaved input. */
const kept = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('unsaved:')).length)

/** Accepts the question of a page that is left, and counts it. */
function countQuestions(page: Page): () => number {
  let questions = 0
  page.on('dialog', (dialog) => {
    questions += 1
    void dialog.accept()
  })
  return () => questions
}

test('SOC-12 Enter in a field never unschedules or saves a post; Ctrl-Enter saves it as scheduled', async () => {
  const post = await schedule('Planned')
  const { page, errors } = await ada.open(editOf(post))
  expect(await page.getByRole('button', { name: 'Save draft' }).count()).toBe(0)
  for (const label of ['Tags', 'Date', 'Time']) await page.getByLabel(label, { exact: true }).press('Enter')
  await page.getByLabel('Tags', { exact: true }).fill('winter')
  await page.getByLabel('Tags', { exact: true }).press('Enter')
  await saved(page).waitFor()
  expect(await read(post)).toMatchObject({ status: 'scheduled', scheduledAt: post.scheduledAt, tags: [], version: 1 })
  await text(page).press('Control+Enter')
  await leftComposer(page)
  expect(await read(post)).toMatchObject({ status: 'scheduled', tags: ['winter'], version: 2 })

  await page.getByRole('link', { name: 'Edit', exact: true }).click()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Unschedule' }).click()
  await status(page, 'Draft').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await status(page, 'Scheduled').waitFor()
  expect(await read(post)).toMatchObject({ status: 'scheduled', scheduledAt: post.scheduledAt })
  expect(errors).toEqual([])
})

test('SOC-12 new text survives a reload, and is no longer listed once it is scheduled', async () => {
  const { page, errors } = await ada.open(newPost())
  await text(page).fill('Typed "once" & <b>for all</b>')
  await page.getByRole('button', { name: 'Add to thread' }).click()
  await page.getByLabel('Post 2 of 2').fill('And its second post')
  await page.getByRole('combobox', { name: 'Time zone' }).fill('new york')
  await page.getByRole('combobox', { name: 'Time zone' }).press('Enter')
  await page.locator('#when-words', { hasText: 'GMT-5' }).waitFor()
  await page.getByRole('radio', { name: 'Publish now' }).press('Space')
  await saved(page).waitFor()
  await page.reload()
  await page.getByLabel('Post 2 of 2').waitFor()
  expect(
    await page
      .locator('textarea:not([name=firstComment])')
      .evaluateAll((all) => all.map((each) => 'value' in each && each.value)),
  ).toEqual(['Typed "once" & <b>for all</b>', 'And its second post'])
  expect(await page.getByRole('radio', { name: 'Publish now' }).isChecked()).toBe(true)
  expect(await page.locator('post-composer [name="timeZone"]').inputValue()).toBe('America/New_York')
  await page.goto(stage.server.url + newPost())
  await page.getByRole('link', { name: 'Typed "once" & <b>for all</b>' }).click()
  await page.getByRole('button', { name: 'Publish now' }).click()
  await leftComposer(page)
  expect([await stored(), await kept(page), errors]).toEqual([[], 0, []])
})

test('SOC-12 text typed before the scripts load is stored too', async () => {
  const { page, errors } = await ada.open('/settings/profile')
  const letGo = await holdScripts(page, /\/(htmx|app|post-composer)\.js$/)
  await page.goto(stage.server.url + newPost(), { waitUntil: 'commit' })
  await text(page).fill('Typed early')
  letGo()
  await saved(page).waitFor()
  expect(await stored()).toContain('Typed early')
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await page.getByText('Changes discarded').waitFor()
  expect([await stored(), errors]).toEqual([[], []])
})

test('SOC-12 text typed while the server is unreachable is kept in the browser, causes a warning on leaving, and is stored later', async () => {
  const { page } = await ada.open(newPost())
  const questions = countQuestions(page)
  await page.route('**/api/unsaved-posts/*', (route) => route.abort('connectionrefused'))
  await text(page).fill('Typed offline')
  await page.getByText('This browser keeps your text').waitFor()
  expect(await kept(page)).toBe(1)
  await page.reload()
  expect(await eventually(async () => (await text(page).inputValue()) === 'Typed offline')).toBe(true)
  expect(questions()).toBe(1)
  await page.goto(stage.server.url + newPost())
  await page.unroute('**/api/unsaved-posts/*')
  // The page reloads itself once it has sent the text, which can abort this one.
  await page.reload().catch((error: unknown) => {
    if (!String(error).includes('ERR_ABORTED')) throw error
  })
  await page.getByRole('link', { name: 'Typed offline' }).waitFor()
  // The page can still be reloading with the text that it has sent.
  expect(await eventually(async () => (await kept(page).catch(() => 1)) === 0)).toBe(true)
  expect(await stored()).toEqual(['Typed offline'])
})

test('SOC-12 sign-out asks before it deletes text that can’t be stored', async () => {
  const { page } = await openAs(stage, ada.person, newPost())
  const questions: string[] = []
  page.on('dialog', (dialog) => {
    questions.push(dialog.type())
    void (dialog.type() === 'confirm' ? dialog.dismiss() : dialog.accept())
  })
  await page.route('**/api/unsaved-posts/*', (route) => route.abort('connectionrefused'))
  await text(page).fill('Typed before signing out')
  await page.getByText('This browser keeps your text').waitFor()
  const signOut = async () => {
    await page.getByRole('button', { name: /^Account:/ }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
  }
  await signOut()
  expect(await eventually(() => Promise.resolve(questions.length > 0))).toBe(true)
  expect([questions, await kept(page)]).toEqual([['confirm'], 1])
  await page.keyboard.press('Escape')
  await page.unroute('**/api/unsaved-posts/*')
  await signOut()
  await page.getByLabel('Email').waitFor()
  expect([questions.filter((type) => type === 'confirm').length, await kept(page)]).toEqual([1, 0])
  expect(await stored()).toContain('Typed before signing out')
})

test('SOC-12 sign-out in another tab loses nothing, and leaves nothing in the browser', async () => {
  const { page } = await openAs(stage, ada.person, newPost(), { expected: [401] })
  countQuestions(page)
  await text(page).fill('Before the sign-out')
  await saved(page).waitFor()
  const other = await page.context().newPage()
  await other.goto(`${stage.server.url}/workspace/posts`)
  await other.getByRole('button', { name: /^Account:/ }).click()
  await text(page).fill('Before the sign-out, and more')
  await other.getByRole('button', { name: 'Sign out' }).click()
  await other.getByLabel('Email').waitFor()
  expect(await kept(other)).toBe(0)
  await text(page).fill('Typed after the sign-out')
  await page.getByText('you were signed out').waitFor()
  expect(await kept(page)).toBe(0)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('you were signed out').waitFor()
  expect(await text(page).inputValue()).toBe('Typed after the sign-out')
  await signIn(other, ada.person)
  await main(other).getByRole('heading', { level: 1 }).waitFor()
  await text(page).press('End')
  await text(page).pressSequentially('!')
  await saved(page).waitFor()
  expect(await stored()).toContain('Typed after the sign-out!')
})

test('SOC-12 conflict shows both texts; either one can be kept, and the choice can be undone', async () => {
  const post = await schedule('As it was')
  const { page } = await ada.open(editOf(post), { expected: [409] })
  await text(page).fill('Mine')
  await saved(page).waitFor()
  // Another time isn't a conflict with a text, and stays.
  await ada.fetchJson(`PUT /api/posts/${post.id}`, { scheduledAt: '2099-08-01T10:20:00Z' })
  await page.reload()
  await saved(page).waitFor()
  expect([await text(page).inputValue(), await page.getByLabel('Date', { exact: true }).inputValue()]).toEqual([
    'Mine',
    '2099-08-01',
  ])
  await ada.fetchJson(`PUT /api/posts/${post.id}`, { text: 'Theirs' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const notice = page.getByRole('alert')
  await notice.getByText('Theirs', { exact: true }).waitFor()
  expect(await notice.getByText('Mine', { exact: true }).count()).toBe(1)
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await leftComposer(page)
  expect(await read(post)).toMatchObject({
    text: 'Mine',
    status: 'scheduled',
    scheduledAt: '2099-08-01T10:20:00.000Z',
    version: 4,
  })

  await page.goto(stage.server.url + editOf(post))
  await text(page).fill('Mine again')
  await saved(page).waitFor()
  await ada.fetchJson(`PUT /api/posts/${post.id}`, { text: 'Theirs again' })
  await page.reload()
  await page.getByRole('button', { name: 'Use theirs' }).click()
  expect(await eventually(async () => (await text(page).inputValue()) === 'Theirs again')).toBe(true)
  await page.getByRole('button', { name: 'Undo' }).click()
  expect(await eventually(async () => (await text(page).inputValue()) === 'Mine again')).toBe(true)
})

test('SOC-12 text typed for a post that was deleted in the meantime becomes a new post’s text, even from a second tab', async () => {
  const post = await schedule('Deleted while edited')
  const { page } = await ada.open(editOf(post), { expected: [404] })
  const other = await page.context().newPage()
  await other.goto(stage.server.url + editOf(post))
  await text(other).fill('In the second tab')
  await saved(other).waitFor()
  await ada.fetchJson(`DELETE /api/posts/${post.id}`)
  await text(page).fill('In the first tab')
  await saved(page).waitFor()
  await page.goto(stage.server.url + newPost())
  for (const name of ['In the first tab', 'In the second tab']) await page.getByRole('link', { name }).waitFor()
})

test('SOC-12 two tabs with the same unsaved text keep both texts when it is edited in each', async () => {
  const grace = await createPublisher(stage)
  const { page } = await grace.open(`/workspace/posts/new?brandId=${grace.brandId}`, { expected: [409] })
  await text(page).fill('Before')
  await saved(page).waitFor()
  const other = await page.context().newPage()
  await other.goto(page.url())
  await text(other).fill('In the second tab')
  await saved(other).waitFor()
  await text(page).fill('In the first tab')
  await page.getByText('also open in another tab').waitFor()
  await saved(page).waitFor()
  await text(other).fill('In the second tab, and more')
  await saved(other).waitFor()
  const texts = async () => {
    const { items } = await grace.fetchJson<UnsavedPostList>('GET /api/unsaved-posts')
    return items.map((each) => each.text).sort()
  }
  const both = ['In the first tab', 'In the second tab, and more']
  expect(await eventually(async () => String(await texts()) === String(both))).toBe(true)
  await page.reload()
  expect(await text(page).inputValue()).toBe('In the first tab')
})

test('SOC-12 leaving settings with unsaved changes asks; after they are saved or discarded it doesn’t', async () => {
  const { page, errors } = await ada.open('/settings/organization')
  const questions = countQuestions(page)
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('Not saved')
  await page.reload()
  expect(questions()).toBe(1)
  await name.fill('Saved')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Organization updated').waitFor()
  await page.reload()
  expect(await name.inputValue()).toBe('Saved')
  await name.fill('Discarded')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.reload()
  expect([questions(), errors]).toEqual([1, []])

  const cookies = await page.context().cookies()
  await name.fill('Typed before the sign-out')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Not saved: you were signed out.').waitFor()
  await page.context().addCookies(cookies)
  // The toast of the first time can still be there.
  const [saving] = await Promise.all([
    page.waitForResponse((response) => response.request().method() !== 'GET' && /organizations/.test(response.url())),
    page.getByRole('button', { name: 'Save', exact: true }).click(),
  ])
  expect(saving.ok()).toBe(true)
  await page.getByText('Organization updated').last().waitFor()
  expect(await name.inputValue()).toBe('Typed before the sign-out')
})

test('SOC-10 schedule hint shows the reader’s time, and warns about local times that don’t exist or occur twice', async () => {
  const { page, errors } = await ada.open(newPost(), { expected: [422] })
  const hint = page.locator('#when-words')
  const choose = async (date: string, time: string) => {
    await page.getByLabel('Date', { exact: true }).fill(date)
    await page.getByLabel('Time', { exact: true }).fill(time)
    return hint.innerText()
  }
  expect(await choose('2099-01-02', '10:00')).toBe('Fri 2 Jan 2099 10:00 CET · 09:00 your time')
  expect(await choose('2099-10-25', '02:30')).toContain('occurs twice')
  expect(await choose('2099-03-29', '02:30')).toContain('02:30 doesn’t exist on this day')
  await text(page).fill('At no time')
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await page.locator('#date-error', { hasText: 'Choose another time, such as 03:30.' }).waitFor()
  await page.getByRole('alert').waitFor({ state: 'hidden' })

  await page.goto(`${stage.server.url}/workspace/posts/${(await schedule('Planned for July')).id}`)
  await page.getByRole('button', { name: 'Reschedule' }).click()
  const dialog = page.getByRole('dialog', { name: 'Reschedule' })
  await dialog.getByText('Wed 1 Jul 2099 12:20 CEST · 11:20 your time').waitFor()
  await dialog.getByLabel('Date').fill('2099-10-25')
  await dialog.getByLabel('Time', { exact: true }).fill('02:30')
  await dialog.getByText('This time occurs twice on this day: the first one is used.').waitFor()
  expect(errors).toEqual([])
})

test('SOC-30 draft can be written without an account, and gets one that is connected in another tab', async () => {
  const grace = await createPublisher(stage, { connected: false })
  const { page, errors } = await grace.open(`/workspace/posts/new?brandId=${grace.brandId}`)
  await text(page).fill('Before any account')
  await saved(page).waitFor()
  expect(await page.getByRole('button', { name: 'Schedule', exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await page.getByText('Draft kept.').waitFor()
  await page.getByRole('link', { name: 'Before any account' }).click()
  await grace.fetchJson('POST /api/integrations/sandbox/connect', { brandId: grace.brandId, handle: grace.handle })
  const account = page.getByRole('checkbox', { name: `Sandbox: @${grace.handle}` })
  // The page can still be loading its scripts.
  const isFound = async () => {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))).catch(() => {})
    return (await account.count()) > 0
  }
  expect(await eventually(isFound)).toBe(true)
  await account.check({ force: true })
  expect(await text(page).inputValue()).toBe('Before any account')
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await status(page, 'Scheduled').waitFor()
  expect(errors).toEqual([])
})
