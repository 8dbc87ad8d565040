import { expect, test } from 'bun:test'
import { z } from 'zod'
import { foldOperations } from '#lib/fold-operations.ts'
import { operation } from '#lib/operation.ts'
import { readConfig } from '#config'
import { describeApi } from '../../src/platform/reference/describe-api.ts'
import { chosenContexts } from '../../src/contexts.ts'

const telling = (route: 'GET /api/notes' | 'GET /api/other') =>
  operation({
    route,
    summary: 'Tell',
    permission: 'public',
    input: z.object({}),
    output: z.object({}),
    run: async () => ({}),
  })

test('two operations with the same name fail the start with both names', () => {
  const notes = { listNotes: telling('GET /api/notes') }
  expect(Object.keys(foldOperations([notes, { listOther: telling('GET /api/other') }]))).toEqual([
    'listNotes',
    'listOther',
  ])
  expect(() => foldOperations([notes, { listNotes: telling('GET /api/other') }])).toThrow(
    'Two operations have the name listNotes: GET /api/notes, and GET /api/other.',
  )
})

test('PLT-15 API description is built once for /openapi.json and /openapi', () => {
  const config = readConfig({ ATRIUM_ENV: 'test' })
  const contexts = chosenContexts(config)
  expect(describeApi(contexts, config)).toBe(describeApi(contexts, config))
})
