import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openDatabase } from '#lib/db.ts'
import { axe } from '../support/browser.ts'
import { layoutFaults } from '../support/layout.ts'
import { main, openTestSite, createPublisher, type Publisher, type TestSite } from './test-site.ts'

let stage: TestSite
beforeAll(async () => {
  stage = await openTestSite()
})
afterAll(() => stage.close())

test('IDN-44 owner sees the seats of the plan', async () => {
  const ada = await createPublisher(stage)
  const { page, errors } = await ada.open('/settings/organization', { width: 360 })
  await main(page).getByText('1 used').waitFor()
  expect(await axe(page)).toEqual([])
  expect(errors).toEqual([])
})

/** Moved into the organization directly: the test is about what members see. */
async function addMember({ organizationId, person }: Publisher, role: string): Promise<Publisher> {
  const member = await createPublisher(stage, { connected: false })
  const { sql, close } = openDatabase(stage.database.url, 1)
  // Every organization keeps an owner.
  await sql`INSERT INTO identity.memberships (organization_id, user_id, role, created_at)
    SELECT ${member.organizationId}, id, 'owner', now() FROM identity.users WHERE email = ${person.email}`
  await sql`UPDATE identity.memberships SET organization_id = ${organizationId}, role = ${role}
    WHERE organization_id = ${member.organizationId}
      AND user_id = (SELECT id FROM identity.users WHERE email = ${member.person.email})`
  await close()
  return member
}

/** As the dashboard does when payments forwards the change. */
async function setEntitlement({ organizationId }: Publisher, entitlement: object): Promise<void> {
  const { sql, close } = openDatabase(stage.database.url, 1)
  await sql`UPDATE identity.organizations
    SET settings = settings || jsonb_build_object('appEntitlement', ${JSON.stringify(entitlement)}::text::jsonb)
    WHERE id = ${organizationId}`
  await close()
}

async function suspendApps({ fetchJson }: Publisher): Promise<void> {
  const { items } = await fetchJson<{ items: { id: string; paid: boolean; installed: boolean }[] }>('GET /api/catalog')
  for (const { id } of items.filter(({ paid, installed }) => paid && installed))
    await fetchJson(`DELETE /api/catalog/${id}/install`)
}

test.each(['editor', 'admin'])(
  'DSH-32 %s sees why apps can’t be installed while an invoice isn’t paid, and where an app is after the subscription ended',
  async (role) => {
    const ada = await createPublisher(stage)
    const member = await addMember(ada, role)
    await setEntitlement(ada, { mode: 'count', paidAppCount: 0, seats: 2, standing: 'unpaid' })
    const { page, errors } = await member.open('/dashboard', { expected: [403] })
    const visit = (path: string) => page.goto(stage.server.url + path)
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
    for (const path of ['/apps', '/settings/organization']) {
      await visit(path)
      await main(page).getByText('An invoice isn’t paid', { exact: true }).waitFor()
      await main(page).getByText('An owner of the organization can pay it.').waitFor()
      expect(await main(page).getByRole('link', { name: 'Open billing' }).count()).toBe(0)
      expect({ path, axe: await axe(page), layout: await layoutFaults(page) }).toEqual({ path, axe: [], layout: [] })
    }
    await visit('/workspace/posts')
    await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor()

    await suspendApps(ada)
    await setEntitlement(ada, { mode: 'free', seats: 2, standing: 'ended' })
    await visit('/workspace/posts')
    await page.getByRole('heading', { level: 1, name: 'Social isn’t installed' }).waitFor()
    await main(page).getByText('back when an owner of the organization subscribes again').waitFor()
    expect({ axe: await axe(page), layout: await layoutFaults(page) }).toEqual({ axe: [], layout: [] })
    await main(page).getByRole('link', { name: 'Open Apps' }).click()
    await main(page).getByText('The subscription has ended', { exact: true }).waitFor()
    expect(await main(page).getByRole('button', { name: 'Install Social' }).count()).toBe(0)
    await visit('/dashboard')
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor()
    expect(errors).toEqual([])
  },
)

test('DSH-32 owner is led to billing while an invoice isn’t paid', async () => {
  const ada = await createPublisher(stage)
  await setEntitlement(ada, { mode: 'count', paidAppCount: 0, seats: 1, standing: 'unpaid' })
  const { page, errors } = await ada.open('/apps')
  await main(page).getByRole('link', { name: 'Open billing' }).click()
  await page.getByRole('heading', { level: 1, name: 'Billing' }).waitFor()
  expect(errors).toEqual([])
})
