import { expect, test } from 'bun:test'
import { pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import { job } from '#lib/job.ts'
import { foldModules } from '#lib/module.ts'
import { operation } from '#lib/operation.ts'
import { page } from '#lib/page.ts'
import { readConfig } from '#config'
import { describeApi } from '../../src/platform/reference/describe-api.ts'
import { chosenContexts } from '../../src/contexts.ts'

const reading = (route: 'GET /api/notes' | 'GET /api/other') =>
  operation({
    route,
    summary: 'List notes',
    permission: 'public',
    input: z.object({}),
    output: z.object({}),
    run: async () => ({}),
  })

const notesPage = page({
  path: '/notes',
  permission: 'public',
  query: z.object({}),
  title: 'Notes',
  load: async () => null,
  view: () => '',
})

const sweep = () => job({ name: 'notes.sweep', input: z.object({}), run: async () => {} })

const notesTable = pgTable('notes', { id: uuid(), sealedText: text('sealed_text') })

const Note = z.object({ text: z.string() })

const notes = {
  operations: [{ listNotes: reading('GET /api/notes') }],
  pages: [{ notesPage }],
  contracts: [{ Note }],
  jobs: [sweep()],
  schedules: [{ cron: '0 0 4 * * *', job: sweep() }],
  sealed: [notesTable.sealedText],
}

test('modules are merged into one list of their declarations', () => {
  const folded = foldModules([notes, { operations: [{ listOther: reading('GET /api/other') }], contracts: [{ Note }] }])
  expect(Object.keys(folded.operations)).toEqual(['listNotes', 'listOther'])
  expect(folded.pages).toEqual([notesPage])
  expect(folded.contract).toEqual({ Note })
  expect(folded.jobs.map(({ name }) => name)).toEqual(['notes.sweep'])
  expect(folded.schedules.map(({ job: { name } }) => name)).toEqual(['notes.sweep'])
  expect(folded.sealed).toEqual([notesTable.sealedText])
})

test.each([
  [
    'operation',
    { operations: [{ listNotes: reading('GET /api/other') }] },
    'Two operations have the name listNotes: GET /api/notes and GET /api/other.',
  ],
  ['page', { pages: [{ otherPage: notesPage }] }, 'Two pages have the name /notes.'],
  ['contract', { contracts: [{ Note: z.string() }] }, 'Two contracts have the name Note.'],
  ['job', { jobs: [sweep()] }, 'Two jobs have the name notes.sweep.'],
  ['schedule', { schedules: [{ cron: '0 0 5 * * *', job: sweep() }] }, 'Two schedules have the name notes.sweep.'],
  ['sealed column', { sealed: [notesTable.sealedText] }, 'Two sealed columns have the name notes.sealed_text.'],
])('startup fails with the name when two modules have the same %s', (_, other, message) => {
  expect(() => foldModules([notes, other])).toThrow(message)
})

test('PLT-15 API description is built once for /openapi.json and /openapi', () => {
  const config = readConfig({ ATRIUM_ENV: 'test' })
  const contexts = chosenContexts(config)
  expect(describeApi(contexts, config)).toBe(describeApi(contexts, config))
})
