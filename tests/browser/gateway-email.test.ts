import { afterAll, beforeAll, expect, test } from 'bun:test'
import { axe } from '../support/browser.ts'
import { startDnsServer, type DnsServer } from '../support/dns-server.ts'
import { createPublisher, main, openTestSite, type TestSite } from './test-site.ts'

let dns: DnsServer
let stage: TestSite
beforeAll(async () => {
  dns = await startDnsServer()
  stage = await openTestSite({ DNS_RESOLVER: dns.address })
})
afterAll(async () => {
  await stage.close()
  dns.stop()
})

interface Domains {
  items: { domain: string; records: { name: string; value: string }[] }[]
}

test('GTW-40 admin adds a domain, learns which DNS record is wrong, fixes it, and sends a test from it', async () => {
  const ada = await createPublisher(stage, { connected: false })
  const { page, errors } = await ada.open('/gateway/senders')
  const domain = 'news.acme.example'
  await page.getByRole('button', { name: 'Add domain' }).first().click()
  await page.getByLabel('Domain', { exact: true }).fill(domain)
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
  const card = main(page).getByRole('region', { name: domain })
  await card.getByText('records need attention').waitFor()
  await card.getByText(`_atrium.${domain}`).first().waitFor()

  const { items } = await ada.fetchJson<Domains>('GET /api/sender-domains')
  for (const { name, value } of items.find((item) => item.domain === domain)?.records ?? [])
    dns.records.set(name, [value])
  dns.records.set(domain, ['v=spf1 include:_spf.oldmail.example -all'])
  const check = card.getByRole('button', { name: `Check now: ${domain}` })
  await check.click()
  await card.getByText('1 of 5 records needs attention').waitFor()
  await card.getByText('Found v=spf1 include:_spf.oldmail.example -all').waitFor()
  const advice = await card.getByText('Keep a single SPF record').textContent()
  expect(await axe(page)).toEqual([])

  const record = /v=spf1 .*-all$/.exec(advice?.trim() ?? '')?.[0] ?? ''
  dns.records.set(domain, [record])
  await check.click()
  await card.getByText('Verified').waitFor()

  await page.getByRole('button', { name: 'New sender' }).click()
  const form = page.getByRole('dialog', { name: 'New sender' })
  await form.getByLabel('Address').fill(`hello@${domain}`)
  await form.getByLabel('Name').fill('Acme Coffee')
  await form.getByRole('button', { name: 'Create sender' }).click()
  await main(page)
    .getByRole('row', { name: `hello@${domain}` })
    .getByText('Ready')
    .waitFor()
  await page.getByRole('button', { name: `Actions for hello@${domain}` }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  const to = `reader-${Bun.randomUUIDv7('hex').slice(-8)}@example.com`
  await page.getByRole('dialog', { name: 'Send a test' }).getByLabel('To').fill(to)
  await page.getByRole('dialog', { name: 'Send a test' }).getByRole('button', { name: 'Send' }).click()
  await main(page).getByText(`Test email to ${to} queued`).waitFor()
  await page.getByRole('link', { name: 'Show in the email log' }).click()
  await page.waitForURL('**/gateway/mail/*')
  await main(page).getByText('This is a test email').waitFor()

  await page.goto(`${stage.server.url}/dev/mailbox?q=${to}`)
  await main(page).getByText('Test email').first().waitFor()
  await page.goto(`${stage.server.url}/gateway/mail?q=${to}`)
  await main(page).getByText(to).first().waitFor()
  expect(errors).toEqual([])
})
