import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import type { OpenApiDocument } from '#lib/openapi.ts'
import { operations, shadowed, webhookRoutes } from '../operations/every.ts'
import { readConfig } from '#config'
import { describeApi, describeApiInSlices } from '../../src/platform/reference/describe-api.ts'
import { chosenContexts } from '../../src/contexts.ts'
import { contextOf } from '../lib/kernel.tsx'
import { openWorld, type World } from '../support/world.ts'

let world: World
let document: OpenApiDocument

beforeAll(async () => {
  world = await openWorld()
  document = await world.stranger.fetchJson('GET /openapi.json')
})
afterAll(() => world.close())

test('PLT-15 every request for a description that can’t be built returns the reason', async () => {
  const broken = contextOf({
    operations: {
      get broken(): never {
        throw new Error('No such schema')
      },
    },
  })
  const contexts = [broken]
  for (const _ of [1, 2])
    expect(() => describeApi(contexts, readConfig({ ATRIUM_ENV: 'test' }))).toThrow('No such schema')
  for (const _ of [1, 2])
    await expect(describeApiInSlices(contexts, readConfig({ ATRIUM_ENV: 'test' }))).rejects.toThrow('No such schema')
})

test('PLT-15 other requests are served while the description is being built', async () => {
  const config = readConfig({ ATRIUM_ENV: 'test' })
  const contexts = chosenContexts(config)
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  const [one, other] = await Promise.all([1, 2].map(() => describeApiInSlices(contexts, config)))
  clearInterval(timer)
  expect(one).toBe(other)
  expect(turns).toBeGreaterThan(3)
})

const endpoints = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, endpoint]) => ({ route: `${method.toUpperCase()} ${path}`, ...endpoint })),
  )

test('PLT-15 Redocly’s linter reports nothing in /openapi.json', async () => {
  const rules = {
    'info-license': 'off', // No license is chosen yet.
    'no-ambiguous-paths': 'off', // `/api/services/by-slug/{slug}` next to `/{id}/scopes`: literal segments take precedence.
  } as const
  const config = await createConfig({ extends: ['recommended'], rules })
  const source = await (await world.stranger.fetch('GET /openapi.json')).text()
  const found = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  // The linter doesn't know x-itemSchema, by which streamed responses refer to their schema.
  const unknownToLinter = found.filter(
    ({ ruleId, location }) =>
      ruleId === 'no-unused-components' && source.includes(`"x-itemSchema":{"$ref":"${location[0]?.pointer ?? ''}"}`),
  )
  expect(
    found
      .filter((each) => !unknownToLinter.includes(each))
      .map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
  ).toEqual([])
})

test('PLT-15 description includes every operation with its name, summary, tag, permission, response and problems, and every webhook', () => {
  const reported = endpoints()
  const described = operations.filter(({ name }) => !shadowed.has(name))
  expect(reported.map(({ route }) => route.replaceAll(/\{(\w+)\}/g, ':$1')).sort()).toEqual(
    [...described.map(({ route }) => route), ...webhookRoutes].sort(),
  )
  for (const { name, route, summary, permission } of described) {
    const endpoint = reported.find(({ operationId }) => operationId === name)
    expect(endpoint, name).toMatchObject({
      route: route.replaceAll(/:(\w+)/g, '{$1}'),
      summary,
      'x-permission': permission,
    })
    expect(endpoint?.tags, name).toHaveLength(1)
    const statuses = Object.keys(endpoint?.responses ?? {})
    expect(statuses.filter((status) => status < '300').length, name).toBeGreaterThan(0)
    expect(statuses, name).toContain('503')
  }
})

test('PLT-15 path parameters, query and body are described where they are sent', () => {
  const { get, put, delete: remove } = document.paths['/api/posts/{id}'] ?? {}
  expect(get?.parameters).toMatchObject([{ name: 'id', in: 'path', required: true, schema: { format: 'uuid' } }])
  expect(get?.requestBody).toBeUndefined()
  expect(put?.requestBody?.content['application/json']?.schema.properties).not.toHaveProperty('id')
  expect(put?.requestBody?.content['application/json']?.schema.properties).toHaveProperty('text')
  expect(remove?.responses).toHaveProperty('204')
  for (const endpoint of [put, remove])
    expect(endpoint?.parameters).toContainEqual(expect.objectContaining({ name: 'If-Match', in: 'header' }))
  const list = document.paths['/api/posts']?.['get']
  expect(list?.parameters).toContainEqual({
    name: 'limit',
    in: 'query',
    required: false,
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  })
  expect(document.paths['/api/posts']?.['post']).toMatchObject({
    security: [{ bearer: ['posts:write'] }, { session: ['posts:write'] }],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/PostDraft' } } },
    },
    responses: { 201: {}, 422: { 'x-codes': ['validation_failed', 'idempotency_key_reused'] } },
  })
  expect(document.paths['/api/audit/export']?.['get']?.responses['200']?.content).toEqual({
    'application/x-ndjson': { schema: {}, 'x-itemSchema': { $ref: '#/components/schemas/AuditEntry' } },
  })
})

test('PLT-15 SOC-14 problems of link previews list those of reading the page and its image', () => {
  const responses = document.paths['/api/link-previews']?.['post']?.responses ?? {}
  const codes = (status: number) => responses[status]?.['x-codes']
  expect(codes(404)).toContain('not_found')
  expect(codes(422)).toContain('validation_failed')
  expect(codes(429)).toContain('too_many_uploads')
  expect(codes(503)).toEqual(expect.arrayContaining(['uploads_busy', 'upload_interrupted']))
  expect(codes(504)).toContain('operation_timed_out')
})

test('PLT-42 PLT-15 kinds of search results declared by services are listed', () => {
  const described = JSON.stringify(document.paths['/api/search'])
  expect(described).toContain(
    '"enum":["page","action","person","brand","post","media","model","limit","sender","domain","email","suppression","account","order","invoice","customer","merchant","task","app","workflow"]',
  )
})

test('PLT-15 PLT-19 dates are described as they are sent, and response schemas allow new fields', () => {
  const { Post } = document.components.schemas
  expect(Post?.properties?.['createdAt']).toEqual({ type: 'string', format: 'date-time' })
  expect(Post).not.toHaveProperty('additionalProperties')
})

test('PLT-15 unchanged description returns 304 for its ETag', async () => {
  const first = await world.stranger.fetch('GET /openapi.json')
  const etag = first.headers.get('etag') ?? ''
  const again = await world.stranger.fetch('GET /openapi.json', undefined, { 'if-none-match': `"x", ${etag}` })
  expect([first.status, again.status, await again.text()]).toEqual([200, 304, ''])
  expect(again.headers.get('etag')).toBe(etag)
  const packed = await world.stranger.fetch('GET /openapi.json', undefined, { 'accept-encoding': 'gzip' })
  expect(packed.headers.get('content-encoding')).toBe('gzip')
  const text = new TextDecoder().decode(Bun.gunzipSync(await packed.arrayBuffer()))
  expect(JSON.parse(text)).toEqual(document)
})
