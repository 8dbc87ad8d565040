import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { afterCommit, type Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { operation } from '#lib/operation.ts'
import { openKernel, type Kernel } from './kernel.tsx'

const write = (db: Database, text: string) => db.execute(sql`INSERT INTO notes VALUES (${text})`)
const making = {
  permission: 'public',
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
} as const

const makeBadlyShown = operation({
  ...making,
  route: 'POST /api/badly-shown',
  summary: 'A note whose view fails',
  run: async ({ db, input: { text } }) => {
    await write(db, text)
    return { text }
  },
  view: () => {
    throw new Error('Nothing to draw with')
  },
})
const makeInSteps = operation({
  ...making,
  route: 'POST /api/steps',
  summary: 'A note in a transaction of its own',
  transaction: false,
  run: async ({ db, input: { text } }) => {
    await write(db, text)
    if (text === 'crash') throw new Error('Broke off')
    if (text === 'refused elsewhere') throw new Problem(502, 'provider_failed', 'The provider said no.')
    return { text }
  },
  view: () => {
    throw new Error('Nothing to draw with')
  },
})
const makeWithNews = operation({
  ...making,
  route: 'POST /api/news',
  summary: 'A note of which others are told',
  run: async ({ db, input: { text } }) => {
    await write(db, text)
    afterCommit(db, () => Promise.reject(new Error('No listener')))
    return { text }
  },
})
const makeLate = operation({
  ...making,
  route: 'POST /api/late',
  summary: 'A note that the commit itself refuses',
  run: async ({ db, input: { text } }) => {
    await write(db, text)
    await db.execute(sql`INSERT INTO late_notes VALUES (${text}), (${text})`)
    return { text }
  },
})

let kernel: Kernel
beforeAll(async () => {
  kernel = await openKernel({ operations: { makeBadlyShown, makeInSteps, makeWithNews, makeLate } })
  await kernel.database.sql`CREATE TABLE late_notes (text text UNIQUE DEFERRABLE INITIALLY DEFERRED)`
})
afterAll(() => kernel.close())
beforeEach(async () => void (await kernel.database.sql`DELETE FROM notes`))

const asJson = { 'content-type': 'application/json' }
const htmx = { 'hx-request': 'true' }
const send = async (path: string, text: string, headers: Record<string, string> = {}) => {
  const answer = await kernel.fetch(`POST ${path}`, { ...asJson, ...headers }, JSON.stringify({ text }))
  return { status: answer.status, text: await answer.text() }
}

test.each([
  ['/api/badly-shown', htmx],
  ['/api/steps', htmx],
  ['/api/news', {}],
] as const)(
  '%s: saved change that can’t be rendered is reported as saved, without the advice to try again',
  async (path, headers) => {
    const { status, text } = await send(path, 'Tea', headers)
    expect(status).toBe(500)
    expect(text).toContain('Your changes were saved, but the page couldn’t be displayed. Reload it.')
    expect(text).not.toMatch(/try again|Nothing was changed/i)
    expect(await kernel.notes()).toEqual(['Tea'])
  },
)

test('PLT-10 saved change that can’t be rendered has its own problem code', async () => {
  const { text } = await send('/api/news', 'Tea')
  expect(JSON.parse(text)).toMatchObject({ status: 500, code: 'saved_not_shown' })
})

test('failure between an operation’s own transactions, or at commit, is reported as possibly processed', async () => {
  for (const path of ['/api/steps', '/api/late']) {
    const { status, text } = await send(path, 'crash')
    expect([path, status, JSON.parse(text).detail]).toEqual([
      path,
      500,
      'Something went wrong on our side. Part of the request may have been processed, so check before you retry.',
    ])
  }
  expect(await send('/api/steps', 'refused elsewhere')).toMatchObject({
    status: 502,
    text: expect.stringContaining('The provider said no.'),
  })
})

test('failure before anything is saved is reported as not processed', async () => {
  const { status, text } = await send('/api/news', 'refused')
  expect([status, JSON.parse(text).detail]).toEqual([500, expect.stringContaining('Nothing was changed. Try again.')])
  expect(await kernel.notes()).toEqual([])
})
