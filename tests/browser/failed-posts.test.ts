import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import type { Post } from '#social/types'
import { axe } from '../support/browser.ts'
import { openAs, main, openTestSite, createPublisher, status, type Publisher, type TestSite } from './test-site.ts'
import { newPerson } from './person.ts'

let stage: TestSite
let ada: Publisher
beforeAll(async () => {
  stage = await openTestSite()
  ada = await createPublisher(stage, { timeZone: 'Pacific/Auckland' })
})
afterAll(() => stage.close())

/** Creates a post and publishes it. */
async function send(owner: Publisher, text: string): Promise<Post> {
  const post = await owner.fetchJson<Post>('POST /api/posts', { brandId: owner.brandId, provider: 'sandbox', text })
  return owner.fetchJson<Post>(`POST /api/posts/${post.id}/publish-now`)
}

const shownIn = (owner: Publisher) => `/workspace/posts?brandId=${owner.brandId}`

test('SOC-23 PLT-41 failed post shows the reason, is first in the list, and Retry publishes it without a reload', async () => {
  await ada.setBehavior({ mode: 'fail', status: 400, times: 1 })
  const { id } = await send(ada, 'Refused at first')
  const { page, errors } = await ada.open(shownIn(ada))
  const row = page.getByRole('row', { name: 'Refused at first' })
  await row.getByText('Sandbox responded with 400').waitFor()
  await page.getByText('Needs attention').waitFor()
  await row.getByRole('link').click()
  await status(page, 'Failed').waitFor()
  await page.getByText('Nothing was published').waitFor()

  await main(page).getByRole('button', { name: 'Retry', exact: true }).click()
  await status(page, 'Published').waitFor()
  expect(new URL(page.url()).pathname).toEndWith(id)
  expect(errors).toEqual([])
})

test('SOC-24 person marks a post with an unknown outcome as published by entering its link', async () => {
  const owner = await createPublisher(stage)
  await owner.setBehavior({ mode: 'lose_answer', readBack: false, times: 1 })
  const { id } = await send(owner, 'Was it posted?')
  const { page, errors } = await owner.open(`/workspace/posts/${id}`)
  await status(page, 'Failed').waitFor()
  await page.getByText('We couldn’t confirm that this was published').waitFor()
  expect(await page.getByRole('link', { name: 'View account' }).getAttribute('href')).toBe(
    `/dev/sandbox/${owner.handle}`,
  )

  await page.getByRole('button', { name: 'Mark as published' }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark as published' })
  await dialog.getByLabel('Link to the post').fill(`${stage.server.url}/dev/sandbox/${owner.handle}`)
  await dialog.getByRole('button', { name: /published/i }).click()
  await status(page, 'Published').waitFor()
  expect(errors).toEqual([])
})

test('SOC-22 later parts of a failed thread wait, show which part failed and can be removed', async () => {
  const owner = await createPublisher(stage)
  await owner.setBehavior({ mode: 'fail', status: 400 })
  const thread = await owner.fetchJson<{ items: Post[] }>('POST /api/posts', {
    brandId: owner.brandId,
    provider: 'sandbox',
    status: 'scheduled',
    scheduledAt: new Date(Date.now() + 1500).toISOString(),
    thread: [{ text: 'The head' }, { text: 'The tail' }],
  })
  const { page, errors } = await owner.open(`/workspace/posts/${thread.items[1]?.id}`)
  await page.getByText('Waiting for post 1').first().waitFor()
  await page.getByText('Post 1 failed').waitFor()

  await owner.setBehavior({ mode: 'ok' })
  await main(page).getByRole('button', { name: 'Remove from thread' }).first().click()
  await status(page, 'Published').waitFor()
  expect(errors).toEqual([])
})

test('SOC-13 PLT-41 schedule uses the brand’s time zone, even if the browser’s differs', async () => {
  const { page, errors } = await ada.open(`/workspace/posts/new?brandId=${ada.brandId}`)
  const day = Temporal.Now.plainDateISO('Pacific/Auckland').add({ days: 3 })
  const due = day.toZonedDateTime({ timeZone: 'Pacific/Auckland', plainTime: '08:30' }).toInstant()
  const shown = day.toLocaleString('en-GB', { weekday: 'short', day: 'numeric', month: 'short' }).replace(',', '')

  await page.getByLabel('Text', { exact: true }).fill('Kia ora')
  await page.getByLabel('Date').fill(day.toString())
  await page.getByLabel('Time', { exact: true }).fill('08:30')
  await page.getByText(shown).waitFor()
  await page.getByRole('button', { name: 'Schedule', exact: true }).click()
  await status(page, 'Scheduled').waitFor()

  const time = main(page).locator('dl time').first()
  expect(await time.innerText()).toMatch(/08:30 NZ[DS]T$/)
  expect(new Date((await time.getAttribute('datetime')) ?? '').getTime()).toBe(due.epochMilliseconds)
  expect(errors).toEqual([])
})

test('SOC-13 PLT-41 “Now” publishes a post even if the page loaded long before', async () => {
  const { page, errors } = await ada.open('/settings/profile')
  await page.route('**/workspace/posts/new?*', async (route) => {
    const response = await route.fetch()
    const earlier = (at: string) => new Date(Date.parse(at) - 60_000).toISOString()
    await route.fulfill({ response, body: (await response.text()).replace(/(?<=data-now=")[^"]+/, earlier) })
  })
  await page.goto(`${stage.server.url}/workspace/posts/new?brandId=${ada.brandId}`)
  await page.getByLabel('Text', { exact: true }).fill('Better late')
  await page.getByRole('radio', { name: 'Now' }).press('Space')
  await page.getByRole('button', { name: 'Publish now' }).click()
  await status(page, 'Published').waitFor()
  expect(errors).toEqual([])
})

test('SOC-03 deactivated account is marked and reconnected on the same page', async () => {
  const owner = await createPublisher(stage)
  const { page, errors } = await owner.open(`/workspace/accounts?brandId=${owner.brandId}`)
  const card = page.getByRole('article', { name: 'Sandbox' })
  await card.getByRole('button', { name: `More about ${owner.handle}` }).click()
  await page.getByRole('button', { name: 'Deactivate' }).click()
  const question = page.getByRole('dialog', { name: `Deactivate @${owner.handle}?` })
  await question.getByText('No posts are scheduled for it.').waitFor()
  expect(await axe(page)).toEqual([])
  await question.getByRole('button', { name: 'Deactivate' }).click()
  await card.getByText('Deactivated', { exact: true }).waitFor()

  await page.getByRole('link', { name: 'New post' }).first().click()
  await page.getByText('connect an account later').waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Accounts' }).click()

  await card.getByRole('button', { name: `More about ${owner.handle}` }).click()
  await page.getByRole('button', { name: 'Reconnect' }).click()
  await card.getByText('Deactivated', { exact: true }).waitFor({ state: 'detached' })
  expect(errors).toEqual([])
})

test('SOC-03 page of an account shows what is known of it, and deactivates and reconnects it', async () => {
  const owner = await createPublisher(stage)
  const draft = {
    brandId: owner.brandId,
    provider: 'sandbox',
    status: 'scheduled',
    scheduledAt: '2099-07-01T10:20:00Z',
  }
  await owner.fetchJson('POST /api/posts', { ...draft, text: 'Due in 2099' })
  const { page, errors } = await owner.open(`/workspace/accounts?brandId=${owner.brandId}`)
  await main(page)
    .getByRole('link', { name: `@${owner.handle}` })
    .click()
  await page.getByRole('heading', { level: 1, name: `@${owner.handle}` }).waitFor()
  await main(page).getByRole('link', { name: 'Due in 2099' }).waitFor()
  for (const text of ['500 characters, 4 images', owner.person.name])
    await main(page).getByText(text).or(main(page).getByLabel(text)).first().waitFor()
  expect(await axe(page)).toEqual([])
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Deactivate' }).click()
  const question = page.getByRole('dialog', { name: `Deactivate @${owner.handle}?` })
  await question.getByText('1 scheduled post will fail').waitFor()
  await question.getByRole('button', { name: 'Deactivate' }).click()
  await page.getByText('This account is deactivated').waitFor()
  await page.getByRole('button', { name: 'Reconnect' }).click()
  await page.getByText('This account is deactivated').waitFor({ state: 'detached' })
  expect(errors).toEqual([])
})

test('SOC-40 read-only member sees every post and no control that would be rejected', async () => {
  const owner = await createPublisher(stage)
  await owner.fetchJson('POST /api/posts', { brandId: owner.brandId, provider: 'sandbox', text: 'To be read' })
  const reader = newPerson()
  const { user } = await signUp(reader)
  await join(user.id, owner.organizationId)

  const { page, errors } = await openAs(stage, reader, shownIn(owner), { expected: [403] })
  await page.getByRole('link', { name: 'To be read' }).waitFor()
  expect(await page.getByRole('link', { name: 'New post' }).count()).toBe(0)
  expect(await main(page).getByRole('table').getByRole('button').count()).toBe(0)
  await page.getByRole('link', { name: 'To be read' }).click()
  await status(page, 'Draft').waitFor()
  expect(await main(page).getByRole('button').count()).toBe(0)
  expect(await main(page).getByRole('link', { name: 'Edit' }).count()).toBe(0)

  await page.goto(`${stage.server.url}/workspace/accounts?brandId=${owner.brandId}`)
  await main(page)
    .getByRole('button', { name: `More about ${owner.handle}` })
    .click()
  await page.getByRole('link', { name: 'Open timeline' }).waitFor()
  expect(
    await main(page)
      .getByRole('button', { name: /connect|deactivate/i })
      .count(),
  ).toBe(0)

  await page.goto(`${stage.server.url}/workspace/posts/new?brandId=${owner.brandId}`)
  await page.getByRole('heading', { name: 'You don’t have access' }).waitFor()
  await page.getByText('posts:write').waitFor()
  expect(errors).toEqual([])
})

async function signUp(person: ReturnType<typeof newPerson>): Promise<{ user: { id: string } }> {
  const response = await fetch(`${stage.server.url}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: person.name, email: person.email, password: person.password }),
  })
  return response.json() as Promise<{ user: { id: string } }>
}

/** Inserts the membership directly; the next sign-in opens this organization. */
async function join(userId: string, organizationId: string): Promise<void> {
  const sql = postgres(stage.database.url, { max: 1 })
  await sql`INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    VALUES (${organizationId}, ${userId}, 'viewer', now())`
  await sql`UPDATE identity.users SET last_context = 'organization', last_organization_id = ${organizationId}
    WHERE id = ${userId}`
  await sql.end()
}
