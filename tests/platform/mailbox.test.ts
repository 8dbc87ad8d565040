import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readConfig } from '#config'
import { chosenContexts } from '../../src/contexts.ts'
import { secretsKey, stagingNetworks } from '../support/served.ts'
import { openWorld, type World } from '../support/world.ts'

let world: World

beforeAll(async () => {
  world = await openWorld()
})

afterAll(() => world.close())

const deployed = {
  DATABASE_URL: 'postgres://a/b',
  SECRETS_KEY: secretsKey,
  PUBLIC_URL: 'https://atrium.example',
  SMTP_URL: 'smtp://mail.example',
}

test.each([
  ['development', {}, true],
  ['test', {}, true],
  ['development', { SMTP_URL: 'smtp://mail.example' }, false],
  ['staging', { ...deployed, ...stagingNetworks }, false],
  ['production', deployed, false],
] as const)('PLT-26 mailbox in %s with %p exists: %p', (ATRIUM_ENV, env, expected) => {
  const contexts = chosenContexts(readConfig({ ATRIUM_ENV, ...env }))
  const paths = contexts.flatMap(({ pages }) => pages.map(({ path }) => path))
  const names = contexts.flatMap(({ operations }) => Object.keys(operations))
  expect(names.includes('listKeptMails')).toBe(expected)
  expect(paths.includes('/dev/mailbox')).toBe(expected)
  expect(paths.includes('/dev/mailbox/:id')).toBe(expected)
})

test('PLT-21 displayed email can’t access the page that contains it', async () => {
  const name = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
  await world.mallory.fetchJson(`PUT /api/organizations/${world.mallory.things.organizations}`, { name })
  const invitation = { email: 'target@example.com', role: 'viewer' }
  await world.mallory.fetchJson(
    `POST /api/organizations/${world.mallory.things.organizations}/invitations`,
    invitation,
    201,
  )
  const [letter] = await world.letters('target@example.com')
  expect(letter?.html).not.toContain('<script>')
  for (const path of [
    '/dev/mailbox',
    `/dev/mailbox/${letter?.id}`,
    `/invitations/${/invitations\/(\S+)/.exec(letter?.text ?? '')?.[1]}`,
  ]) {
    const response = await world.stranger.fetch(`GET ${path}`, undefined, { accept: 'text/html' })
    const text = await response.text()
    expect([path, response.status]).toEqual([path, 200])
    expect(injected(text)).toBe(0)
  }
  expect(await world.stranger.fetchJson(`GET /dev/mailbox/api/mails/${letter?.id}`)).toMatchObject({
    recipient: 'target@example.com',
    html: letter?.html,
  })
  const shown = await world.stranger.fetch(`GET /dev/mailbox/${letter?.id}`, undefined, { accept: 'text/html' })
  const sandboxes: (string | null)[] = []
  const rewriter = new HTMLRewriter().on('iframe', {
    element: (frame) => void sandboxes.push(frame.getAttribute('sandbox')),
  })
  rewriter.transform(await shown.text())
  expect(sandboxes).toEqual(['allow-popups allow-popups-to-escape-sandbox'])
})

test('PLT-26 emails of the mailbox are found by subject or address, and deleted', async () => {
  const organization = `/api/organizations/${world.ada.things.organizations}`
  for (const email of ['one@example.com', 'two_2@example.com'])
    await world.ada.fetchJson(`POST ${organization}/invitations`, { email, role: 'viewer' }, 201)
  const recipients = async (q: string) => {
    const answer = await world.stranger.fetchJson<{ items: { recipient: string }[] }>(
      `GET /dev/mailbox/api/mails?${new URLSearchParams({ q })}`,
    )
    return answer.items.map(({ recipient }) => recipient)
  }
  expect(await recipients('TWO_')).toEqual(['two_2@example.com'])
  expect(await recipients('invitation')).toContain('one@example.com')
  const page = async (q: string) =>
    (await world.stranger.fetch(`GET /dev/mailbox?q=${q}`, undefined, { accept: 'text/html' })).text()
  expect(await page('one@')).not.toContain('two_2@')
  expect(await page('unknown')).toContain('No results')

  expect((await world.stranger.fetch('DELETE /dev/mailbox/api/mails?q=two_2')).status).toBe(204)
  expect(await recipients('two_2')).toEqual([])
  expect(await recipients('one@')).toEqual(['one@example.com'])
  expect((await world.stranger.fetch('DELETE /dev/mailbox/api/mails')).status).toBe(204)
  expect(await recipients('')).toEqual([])
})

/** Elements that only an attack would add to the page. */
function injected(html: string): number {
  let count = 0
  new HTMLRewriter().on('script:not([nonce]), img, [onerror]', { element: () => void count++ }).transform(html)
  return count
}
