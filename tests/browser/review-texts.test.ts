import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import type { PostCommentList } from '#social/types'
import { axe, openPage } from '../support/browser.ts'
import { signIn } from './person.ts'
import { createPublisher, joinOrganization, main, openAs, openTestSite, type Publisher } from './test-site.ts'

// Every way to lose a comment or a reason that isn't sent yet, provoked.

let stage: Awaited<ReturnType<typeof openTestSite>>
let ada: Publisher
let ben: Publisher
let eve: Publisher

beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { name: 'Ada Okafor' })
  ben = await createPublisher(stage, { name: 'Ben Hart', connected: false })
  eve = await createPublisher(stage, { name: 'Eve Stone', connected: false })
  await joinOrganization(stage, ben, ada, 'reviewer')
  await joinOrganization(stage, eve, ada, 'reviewer')
})
afterAll(() => stage.close())

async function requestReview(text: string): Promise<string> {
  const post = { brandId: ada.brandId, provider: 'sandbox', text }
  const { id } = await ada.fetchJson<{ id: string }>('POST /api/posts', post)
  await ada.fetchJson(`POST /api/posts/${id}/review-requests`, {})
  return id
}

const commentsOn = async (id: string) =>
  (await ada.fetchJson<PostCommentList>(`GET /api/posts/${id}/comments`)).items.map(({ text }) => text)

const feed = () => `/workspace/feed?brandId=${ada.brandId}`
const pageOf = (id: string) => `/workspace/posts/${id}`
const comment = (page: Page) => main(page).getByRole('textbox', { name: 'Comment', exact: true })
const reason = (page: Page) => main(page).getByRole('textbox', { name: /^(Why \(optional\)|What should change)$/ })
const send = (page: Page) => main(page).getByRole('button', { name: 'Comment', exact: true })
const typed = async (page: Page) => [await comment(page).inputValue(), await reason(page).inputValue()]

/** What this tab keeps. */
const kept = (page: Page) =>
  page.evaluate(() => Object.entries(sessionStorage).filter(([key]) => key.startsWith('unsaved-text:')))

async function type(page: Page, words: string): Promise<void> {
  await comment(page).fill(`${words}?`)
  await reason(page).fill(`${words}!`)
}

const openMenu = (page: Page) => page.getByRole('button', { name: /^Account:/ }).click()

async function signOutElsewhere(page: Page): Promise<void> {
  const other = await page.context().newPage()
  await other.goto(`${stage.server.url}/workspace/posts`)
  await openMenu(other)
  await other.getByRole('button', { name: 'Sign out' }).click()
  await other.getByLabel('Email').waitFor()
  await other.close()
}

async function inviteGuest(postIds: string[]): Promise<string> {
  const link = { brandId: ada.brandId, postIds, canDecide: true, guestName: 'Petra' }
  return (await ada.fetchJson<{ url: string }>('POST /api/review-links', link)).url
}

test('SOC-32 comment and reason survive a reload of the feed and of the post, and are gone once they are sent', async () => {
  const id = await requestReview('Reloaded while it is reviewed')
  const { page, errors } = await openAs(stage, ben.person, pageOf(id))
  await type(page, 'Half')
  await page.reload()
  expect(await typed(page)).toEqual(['Half?', 'Half!'])
  expect(await axe(page)).toEqual([])
  await page.goto(stage.server.url + feed())
  expect(await typed(page)).toEqual(['Half?', 'Half!'])
  await send(page).click()
  await main(page).getByText('Half?').waitFor()
  await page.reload()
  expect(await typed(page)).toEqual(['', 'Half!'])
  await main(page).getByRole('button', { name: 'Request changes' }).click()
  await comment(page).waitFor({ state: 'detached' })
  await page.goto(stage.server.url + pageOf(id))
  await main(page).getByText('Half!').waitFor()
  expect([await typed(page), await kept(page), errors]).toEqual([['', ''], [], []])
})

test('SOC-32 comment of a guest survives a reload, is not shown on the page of another link, and is gone once it is sent', async () => {
  const id = await requestReview('Reviewed by guests')
  const [url, other] = await Promise.all([inviteGuest([id]), inviteGuest([id])])
  const { page, errors } = await openPage(stage.browser, { url })
  await type(page, 'From a guest')
  await page.reload()
  expect(await typed(page)).toEqual(['From a guest?', 'From a guest!'])
  await page.goto(other)
  expect(await typed(page)).toEqual(['', ''])
  await page.goto(url)
  await send(page).click()
  await main(page).getByText('From a guest?').waitFor()
  await main(page).getByRole('button', { name: 'Request changes' }).click()
  await main(page).getByText('You requested changes', { exact: true }).waitFor()
  await page.reload()
  expect([await kept(page), errors]).toEqual([[], []])
})

test('SOC-32 comment typed before a sign-out in another tab is there after the same person signs in again', async () => {
  const id = await requestReview('Signed out elsewhere')
  const { page } = await openAs(stage, ben.person, pageOf(id), { expected: [401] })
  await type(page, 'Mine')
  await signOutElsewhere(page)
  await send(page).click()
  await page.getByLabel('Email').waitFor()
  await signIn(page, ben.person)
  await comment(page).waitFor()
  expect([await typed(page), await commentsOn(id)]).toEqual([['Mine?', 'Mine!'], []])
  await send(page).click()
  await main(page).getByText('Mine?').waitFor()
  expect(await commentsOn(id)).toEqual(['Mine?'])
})

test('SOC-32 comment typed by one person is neither shown to another one in the same tab nor kept there', async () => {
  const id = await requestReview('Two people at one desk')
  const { page } = await openAs(stage, ben.person, pageOf(id), { expected: [401] })
  await type(page, 'Not for Eve')
  await signOutElsewhere(page)
  await send(page).click()
  await page.getByLabel('Email').waitFor()
  await signIn(page, eve.person)
  await comment(page).waitFor()
  expect([await typed(page), await kept(page)]).toEqual([['', ''], []])
})

test('SOC-32 sign-out asks before it deletes a comment that wasn’t sent', async () => {
  const { page } = await openAs(stage, ben.person, pageOf(await requestReview('Signed out right here')))
  await type(page, 'Unsent')
  const questions: string[] = []
  page.on('dialog', (dialog) => {
    questions.push(dialog.type())
    void (questions.length === 1 ? dialog.dismiss() : dialog.accept())
  })
  await openMenu(page)
  await page.getByRole('button', { name: 'Sign out' }).click()
  expect([questions, await typed(page)]).toEqual([['confirm'], ['Unsent?', 'Unsent!']])
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Email').waitFor()
  expect([questions.length, await kept(page)]).toEqual([2, []])
})

test('SOC-32 comment typed before a restart of the server is sent after it', async () => {
  const id = await requestReview('Restarted while it is reviewed')
  const url = await inviteGuest([id])
  const { page } = await openAs(stage, ben.person, pageOf(id), { expected: [401, 502, 503] })
  const { page: guest } = await openPage(stage.browser, { url, expected: [502, 503] })
  await type(page, 'From a member')
  await type(guest, 'From a guest')
  await stage.restart()
  for (const each of [page, guest]) await send(each).click()
  await main(page).getByText('From a member?').waitFor()
  await main(guest).getByText('From a guest?').waitFor()
  expect((await commentsOn(id)).toSorted()).toEqual(['From a guest?', 'From a member?'])
  expect([await reason(page).inputValue(), await reason(guest).inputValue()]).toEqual([
    'From a member!',
    'From a guest!',
  ])
})

test.each(['member', 'guest'])(
  'SOC-32 comment of a %s stays in its field without network, and says so',
  async (who) => {
    const id = await requestReview(`Offline for a ${who}`)
    const { page } =
      who === 'guest'
        ? await openPage(stage.browser, { url: await inviteGuest([id]) })
        : await openAs(stage, ben.person, pageOf(id))
    await type(page, 'Offline')
    await page.context().setOffline(true)
    await send(page).click()
    await main(page).getByText('Your text stays here until it is sent.').waitFor()
    expect([await typed(page), await commentsOn(id), await axe(page)]).toEqual([['Offline?', 'Offline!'], [], []])
    await page.context().setOffline(false)
    await page.reload()
    expect(await typed(page)).toEqual(['Offline?', 'Offline!'])
    await send(page).click()
    await main(page).getByText('Offline?').waitFor()
    expect([await commentsOn(id), await typed(page)]).toEqual([['Offline?'], ['', 'Offline!']])
  },
)

test.each(['member', 'guest'])(
  'SOC-32 comment of a %s whose response was lost is added once when it is sent again',
  async (who) => {
    const id = await requestReview(`Lost for a ${who}`)
    const { page } =
      who === 'guest'
        ? await openPage(stage.browser, { url: await inviteGuest([id]) })
        : await openAs(stage, ben.person, pageOf(id))
    await page.route(
      /\/comments$/,
      async (route) => {
        await route.fetch()
        await route.abort('connectionreset')
      },
      { times: 1 },
    )
    await comment(page).fill('Only once')
    await send(page).click()
    await main(page).getByText('Your text stays here until it is sent.').waitFor()
    expect(await commentsOn(id)).toEqual(['Only once'])
    await send(page).click()
    await page.waitForFunction(() => Object.keys(sessionStorage).every((key) => !key.startsWith('unsaved-text:')))
    expect([await commentsOn(id), await comment(page).inputValue()]).toEqual([['Only once'], ''])
  },
)
