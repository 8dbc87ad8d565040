import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { Problem } from '#lib/errors.ts'
import { operation } from '#lib/operation.ts'
import { page } from '#lib/page.ts'
import { redirect, reply, stream } from '#lib/reply.ts'
import { known, openKernel, type Kernel } from './kernel.tsx'

const Note = z.object({ id: z.string(), text: z.string() })
const note = { id: '7', text: 'Tea & <b>toast</b>' }

const readNote = operation({
  route: 'GET /api/notes/:id',
  summary: 'One note',
  permission: 'public',
  input: z.object({ id: z.string(), shout: z.stringbool().optional() }),
  output: Note,
  // A row can have more fields than the contract.
  run: async ({ input }) => ({ ...note, id: input.id, passwordHash: 'argon2id$secret' }),
  view: ({ text }) => (
    <article hx-get="/api/notes/7" safe>
      {text}
    </article>
  ),
})
const makeNote = operation({
  route: 'POST /api/notes',
  summary: 'Create a note',
  permission: 'public',
  input: z.object({ text: z.string() }),
  output: Note,
  creates: true,
  run: async ({ input }) => ({ id: '8', text: input.text }),
})
const sendNote = operation({
  route: 'POST /api/notes/:id/send',
  summary: 'Send a note',
  permission: 'public',
  input: z.object({ id: z.string() }),
  output: Note,
  run: async ({ input }) =>
    reply(
      202,
      { ...note, id: input.id },
      {
        headers: { Location: `/notes/${input.id}` },
        cookies: [{ name: 'sent', value: 'a;b', maxAge: 60 }],
        next: `/notes/${input.id}`,
        toast: 'Sent – ünderway',
      },
    ),
})
const fileNote = operation({
  route: 'POST /api/notes/:id/file',
  summary: 'File a note',
  permission: 'public',
  input: z.object({ id: z.string() }),
  output: z.object({ id: z.string() }),
  run: async ({ input }) => reply(200, input, { next: '/notes', leavesPage: input.id === 'last', toast: 'Filed' }),
  view: async ({ id }) => {
    if (id === 'unreadable') throw new Problem(403, 'permission_missing', 'You can’t read notes.')
    return <p>Filed</p>
  },
})
const deleteNote = operation({
  route: 'DELETE /api/notes/:id',
  summary: 'Forget a note',
  permission: 'public',
  input: z.object({ id: z.string() }),
  output: z.null(),
  run: async () => reply(204, null),
})
const exportNotes = operation({
  route: 'GET /api/notes.csv',
  summary: 'Every note as a file',
  permission: 'public',
  input: z.object({}),
  output: z.unknown(),
  run: async () =>
    stream(new Blob(['id,text\n7,Tea\n']), 'text/csv; charset=utf-8', { headers: { 'Content-Language': 'en' } }),
})
const notePage = page({
  path: '/notes/:id',
  permission: 'public',
  query: z.object({ id: z.string() }),
  title: ({ text }: { text: string }) => text,
  load: async () => note,
  view: ({ text }) => <main hx-get="/notes/7">{text.length}</main>,
})
const oldPage = page({
  path: '/old-notes',
  permission: 'public',
  query: z.object({}),
  title: 'Moved',
  load: async () => redirect('/notes/7'),
  view: () => <main>moved</main>,
})
const privatePage = page({
  path: '/desk',
  permission: 'signed-in',
  query: z.object({}),
  title: 'Desk',
  load: async () => null,
  view: () => <main>desk</main>,
})

let kernel: Kernel
beforeAll(async () => {
  kernel = await openKernel({
    operations: { readNote, makeNote, sendNote, fileNote, forgetNote: deleteNote, exportNotes },
    pages: [notePage, oldPage, privatePage],
  })
})
afterAll(() => kernel.close())

const navigation = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const htmx = { 'hx-request': 'true', accept: 'text/html' }
const asJson = { 'content-type': 'application/json' }

test('PLT-06 one handler returns JSON to programs and its view’s fragment to browsers and htmx', async () => {
  const programs: Record<string, string>[] = [{}, { accept: '*/*' }, { accept: 'application/json' }]
  for (const headers of programs) {
    const program = await kernel.fetch('GET /api/notes/7', headers)
    expect(program.headers.get('content-type')).toBe('application/json')
    expect(await program.json()).toEqual(note)
  }
  const browsers: Record<string, string>[] = [navigation, htmx, { 'hx-request': 'true' }]
  for (const headers of browsers) {
    const browser = await kernel.fetch('GET /api/notes/7', headers)
    expect(browser.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await browser.text()).toMatch(/^<article .*>Tea &amp; &lt;b&gt;toast&lt;\/b&gt;<\/article>$/)
  }
})

test('PLT-06 operation without a view responds with JSON to every client', async () => {
  const made = await kernel.fetch('POST /api/notes', { ...asJson, ...htmx }, '{"text":"Milk"}')
  expect([made.status, await made.json()]).toEqual([201, { id: '8', text: 'Milk' }])
})

test('PLT-06 Accept is evaluated by weight and specificity, and JSON wins a tie', async () => {
  const isHtml = async (accept: string) =>
    (await kernel.fetch('GET /api/notes/7', { accept })).headers.get('content-type')?.startsWith('text/html')
  for (const accept of [
    'text/html;q=0.9, application/json;q=0.8',
    'text/html; charset=utf-8',
    'application/json;q=0.1, */*',
    'application/json;q=0, */*',
    'text/*, application/json;q=0.9',
    'TEXT/HTML',
  ])
    expect([accept, await isHtml(accept)]).toEqual([accept, true])
  for (const accept of [
    'application/json, text/html;q=0.9',
    'text/html;q=0, */*',
    'text/html;q=0',
    'text/html;q=0.5, */*',
    'application/json, text/plain, */*',
    'application/json; charset=utf-8, text/html;q=0.5',
    'application/*, text/*;q=0.1',
    'image/png',
    'text/htmlx',
    '',
  ])
    expect([accept, await isHtml(accept)]).toEqual([accept, false])
  const refused = await kernel.fetch('GET /nowhere', { accept: 'application/json, text/html;q=0.9' })
  expect(refused.headers.get('content-type')).toBe('application/problem+json')
})

test('PLT-06 page is complete for a navigation, but has no layout for a partial request', async () => {
  expect(await (await kernel.fetch('GET /notes/7', navigation)).text()).toMatch(
    /^<html lang="en"><title>Tea &amp; &lt;b/,
  )
  const part = await kernel.fetch('GET /notes/7', { ...htmx, 'hx-request-type': 'partial' })
  expect(await part.text()).toMatch(/^<main [^>]*>18<\/main>$/)
})

test('PLT-06 Vary lists what the representation depends on, in every response', async () => {
  for (const route of [
    'GET /api/notes/7',
    'GET /notes/7',
    'GET /nowhere',
    'OPTIONS /api/notes',
    'GET /api/notes.csv',
  ]) {
    const vary = (await kernel.fetch(route)).headers.get('vary')?.split(/, */)
    expect(vary).toEqual(
      expect.arrayContaining(['Accept', 'Accept-Encoding', 'HX-Request', 'HX-Request-Type', 'Origin']),
    )
  }
})

test('PLT-21 each HTML response has a policy with a new nonce, which its elements use', async () => {
  const nonces = new Set<string>()
  for (const [route, headers] of [
    ['GET /notes/7', navigation],
    ['GET /notes/7', htmx],
    ['GET /api/notes/7', htmx],
  ] as const) {
    const answer = await kernel.fetch(route, headers)
    const policy = answer.headers.get('content-security-policy') ?? ''
    const [, nonce = 'none'] = /script-src 'self' 'nonce-([\w+/=]+)'/.exec(policy) ?? []
    expect(await answer.text()).toContain(`hx-nonce="${nonce}"`)
    expect(policy).not.toMatch(/(script-src|style-src|default-src) [^;]*unsafe-/)
    for (const rule of ["frame-ancestors 'none'", "require-trusted-types-for 'script'"]) expect(policy).toContain(rule)
    nonces.add(nonce)
  }
  expect(nonces.size).toBe(3)
  for (const route of ['GET /nowhere', 'PUT /notes/7'])
    expect((await kernel.fetch(route, navigation)).headers.get('content-security-policy')).toContain("'nonce-")
})

test('PLT-21 HTML pages, fragments and problems have Cross-Origin-Opener-Policy same-origin', async () => {
  for (const [route, headers] of [
    ['GET /notes/7', navigation],
    ['GET /api/notes/7', htmx],
    ['GET /nowhere', navigation],
  ] as const)
    expect((await kernel.fetch(route, headers)).headers.get('cross-origin-opener-policy')).toBe('same-origin')
})

test('fields outside the output schema are not sent', async () => {
  expect(await (await kernel.fetch('GET /api/notes/7')).text()).not.toContain('argon2id')
})

test('reply has its status, headers, cookies and toast; browsers are redirected, programs are not', async () => {
  const program = await kernel.fetch('POST /api/notes/7/send')
  expect([program.status, await program.json()]).toEqual([202, note])
  expect(program.headers.get('location')).toBe('/notes/7')
  expect(program.headers.getSetCookie()).toEqual(['sent=a%3Bb; Path=/; Max-Age=60; SameSite=Lax; HttpOnly'])
  const navigated = await kernel.fetch('POST /api/notes/7/send', navigation)
  expect([navigated.status, navigated.headers.get('location')]).toEqual([303, '/notes/7'])
  const swapped = await kernel.fetch('POST /api/notes/7/send', htmx)
  expect([swapped.status, swapped.headers.get('hx-redirect')]).toEqual([200, '/notes/7'])
  const said = swapped.headers.get('hx-trigger') ?? ''
  expect(said).toMatch(/^[ -~]+$/)
  expect(JSON.stringify(JSON.parse(said))).toContain('Sent – ünderway')
})

test('PLT-06 htmx gets the view and a plain form is redirected to next; a reply that leaves the page redirects both', async () => {
  const stayed = await kernel.fetch('POST /api/notes/7/file', htmx)
  expect([stayed.status, await stayed.text()]).toEqual([200, '<p>Filed</p>'])
  expect([stayed.headers.get('hx-redirect'), stayed.headers.has('hx-trigger')]).toEqual([null, true])
  const form = await kernel.fetch('POST /api/notes/7/file', navigation)
  expect([form.status, form.headers.get('location')]).toEqual([303, '/notes'])
  const left = await kernel.fetch('POST /api/notes/last/file', htmx)
  expect([left.headers.get('hx-redirect'), await left.text()]).toEqual(['/notes', ''])
  expect(await (await kernel.fetch('POST /api/notes/7/file')).json()).toEqual({ id: '7' })
})

test('PLT-06 change by a caller who can’t read its view redirects to next, because the change is saved', async () => {
  const saved = await kernel.fetch('POST /api/notes/unreadable/file', htmx)
  expect([saved.status, saved.headers.get('hx-redirect'), await saved.text()]).toEqual([200, '/notes', ''])
  expect(saved.headers.has('hx-trigger')).toBe(true)
})

test('204 has no body', async () => {
  const answer = await kernel.fetch('DELETE /api/notes/7')
  expect([answer.status, await answer.text()]).toEqual([204, ''])
})

test('moved page returns a 303 redirect, or HX-Redirect to htmx', async () => {
  const navigated = await kernel.fetch('GET /old-notes', navigation)
  expect([navigated.status, navigated.headers.get('location')]).toEqual([303, '/notes/7'])
  expect((await kernel.fetch('GET /old-notes', htmx)).headers.get('hx-redirect')).toBe('/notes/7')
})

test('stream is sent with its own media type', async () => {
  const answer = await kernel.fetch('GET /api/notes.csv', navigation)
  expect(await answer.text()).toBe('id,text\n7,Tea\n')
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.headers.get('content-language')).toBe('en')
})

test('HEAD returns the headers of GET without the body', async () => {
  const get = await kernel.fetch('GET /api/notes/7')
  const head = await kernel.fetch('HEAD /api/notes/7')
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(head.headers.get('content-type')).toBe(get.headers.get('content-type'))
  expect((await kernel.fetch('HEAD /nowhere')).status).toBe(404)
  expect((await kernel.fetch('HEAD /desk')).status).toBe(401)
})

test('signed-out browser is redirected to sign in and back, a fragment request back to its page', async () => {
  const navigated = await kernel.fetch('GET /desk?tab=2', navigation)
  expect([navigated.status, navigated.headers.get('location')]).toEqual([303, '/login?next=%2Fdesk%3Ftab%3D2'])
  const swapped = await kernel.fetch('GET /desk', { ...htmx, 'hx-current-url': 'http://localhost/notes/7' })
  expect(swapped.headers.get('hx-redirect')).toBe('/login?next=%2Fnotes%2F7')
  expect((await kernel.fetch('GET /desk', known)).status).toBe(200)
})
