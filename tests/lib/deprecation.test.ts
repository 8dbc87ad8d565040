import { afterAll, beforeAll, expect, test } from 'bun:test'
import { z } from 'zod'
import { operation } from '#lib/operation.ts'
import { openApiDocument } from '#lib/openapi.ts'
import { contextOf, kernelOf, openKernel, type Kernel } from './kernel.tsx'

const one = { permission: 'public', input: z.object({ id: z.string() }), output: z.object({}) } as const
const readNote = operation({
  ...one,
  route: 'GET /api/notes/:id',
  summary: 'Read a note',
  deprecated: { since: '2026-11-01', sunset: '2027-05-01', instead: 'readPage' },
  run: async () => ({}),
})
const readPage = operation({ ...one, route: 'GET /api/pages/:id', summary: 'Read a page', run: async () => ({}) })
const makeNote = operation({
  route: 'POST /api/notes',
  summary: 'Create a note',
  permission: 'signed-in',
  input: z.object({}),
  output: z.object({}),
  deprecated: { since: '2026-11-01', sunset: '2027-04-30' },
  run: async () => ({}),
})
const context = contextOf({ operations: { readNote, readPage, makeNote } })

let kernel: Kernel
beforeAll(async () => {
  kernel = await openKernel(context)
})
afterAll(() => kernel.close())

test('PLT-19 deprecated operation sends its deprecation date, sunset and successor', async () => {
  const { headers } = await kernel.fetch('GET /api/notes/a%2Fb')
  expect(headers.get('deprecation')).toBe('@1793491200')
  expect(new Date(1793491200 * 1000).toISOString()).toBe('2026-11-01T00:00:00.000Z')
  expect(headers.get('sunset')).toBe('Sat, 01 May 2027 00:00:00 GMT')
  expect(headers.get('link')).toBe(
    '</openapi/notes#readNote>; rel="deprecation"; type="text/html", </api/pages/a%2Fb>; rel="successor-version"',
  )
})

test('PLT-19 deprecation headers are also sent with refusals, without a successor when there is none', async () => {
  const refused = await kernel.fetch('POST /api/notes')
  expect(refused.status).toBe(401)
  expect(refused.headers.get('deprecation')).toBe('@1793491200')
  expect(refused.headers.get('link')).not.toContain('successor')
  const { headers } = await kernel.fetch('GET /api/pages/1')
  expect([headers.get('deprecation'), headers.get('sunset'), headers.get('link')]).toEqual([null, null, null])
})

test('PLT-19 API description marks the operation as deprecated', () => {
  const { paths } = openApiDocument([context], {
    info: { title: 'Test', version: '1' },
    url: '/',
    sessionCookie: 'session',
  })
  expect(paths['/api/notes/{id}']?.['get']).toMatchObject({
    deprecated: true,
    description: 'Deprecated since 2026-11-01. It will be removed on 2027-05-01. Use `readPage` instead.',
  })
  expect(paths['/api/pages/{id}']?.['get']).not.toHaveProperty('deprecated')
})

test('PLT-19 startup fails if a sunset is less than 180 days after the deprecation', () => {
  const soon = { ...readNote, deprecated: { since: '2026-11-01', sunset: '2027-04-29' } } as const
  expect(() => kernelOf([contextOf({ operations: { soon } })])).toThrow('can’t be removed within 180 days')
  expect(() => kernelOf([context])).not.toThrow()
})
