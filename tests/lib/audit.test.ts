import { afterAll, beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { recordChange, auditedTransaction, changedFields } from '#lib/audit.ts'
import { eraseOrganizationValues, erasePersonalValues } from '#lib/audit/erase-values.ts'
import { objectOfPath } from '#lib/audit/object-of-path.ts'
import { conflict } from '#lib/errors.ts'
import { Id, newId } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { known, openKernel, type Kernel } from './kernel.tsx'

const write = (db: Parameters<typeof recordChange>[0], text: string) =>
  db.execute(sql`INSERT INTO notes VALUES (${text})`)
const input = z.object({ text: z.string() })
const output = z.object({})
const signedIn = { permission: 'signed-in', input, output, summary: 'Write a note' } as const

const writeNote = operation({
  ...signedIn,
  route: 'POST /api/notes',
  run: async ({ db, input: { text } }) => {
    await write(db, text)
    recordChange(db, { object: 'note', id: text, before: { text: 'old', kept: 1 }, after: { text, kept: 1 } })
    if (text === 'conflict') throw conflict('note_taken', 'This note is taken.')
    return {}
  },
})
const recordNothing = operation({
  ...signedIn,
  input: input.extend({ id: Id }),
  route: 'POST /api/notes/:id/copy',
  run: async ({ db, input: { text } }) => {
    await write(db, text)
    return {}
  },
})
const inSteps = operation({
  ...signedIn,
  route: 'POST /api/steps',
  transaction: false,
  run: async (call) => {
    const { text } = call.input
    await auditedTransaction(call, async (tx) => {
      await write(tx, text)
      recordChange(tx, { object: 'note', id: text })
    })
    if (text === 'broken step') throw conflict('note_taken', 'The second step failed.')
    return {}
  },
})
const ofStranger = operation({
  ...signedIn,
  permission: 'public',
  route: 'POST /api/strange',
  run: async () => ({}),
})

let kernel: Kernel
beforeAll(async () => {
  kernel = await openKernel({ operations: { writeNote, tellNothing: recordNothing, inSteps, ofStranger } })
})
afterAll(() => kernel.close())

const post = (path: string, text: string) =>
  kernel.fetch(`POST ${path}`, { ...known, 'content-type': 'application/json' }, JSON.stringify({ text }))

interface Row {
  object_id: string
  [column: string]: unknown
}

async function rowsOf(response: Response): Promise<Row[]> {
  const id = response.headers.get('x-request-id') ?? ''
  return [...(await kernel.database.sql<Row[]>`SELECT * FROM platform.audit_log WHERE request_id = ${id} ORDER BY id`)]
}

test('PLT-24 change is logged with actor, credential, object and changed fields', async () => {
  const [row, ...more] = await rowsOf(await post('/api/notes', 'new'))
  expect(more).toEqual([])
  expect(row).toMatchObject({
    operation: 'writeNote',
    outcome: 'done',
    principal_type: 'user',
    credential_kind: 'access',
    object_kind: 'note',
    object_id: 'new',
    before: { text: 'old' },
    after: { text: 'new' },
  })
  expect([row?.['principal_id'], row?.['credential_id']]).toEqual([expect.any(String), expect.any(String)])
})

test('PLT-24 rolled-back change leaves no row, and a failed audit row rolls back the change', async () => {
  const refused = await post('/api/notes', 'conflict')
  expect(refused.status).toBe(409)
  expect(await rowsOf(refused)).toEqual([])
  expect(await kernel.notes()).not.toContain('conflict')
  await kernel.database.sql`ALTER TABLE platform.audit_log ADD CONSTRAINT full_disk CHECK (object_id <> 'unlogged')`
  expect((await post('/api/notes', 'unlogged')).status).toBe(500)
  expect(await kernel.notes()).not.toContain('unlogged')
})

test('PLT-24 operation without audit details is logged with the object in its path', async () => {
  const id = newId()
  const [row] = await rowsOf(await post(`/api/notes/${id}/copy`, 'copied'))
  expect(row).toMatchObject({ operation: 'tellNothing', object_kind: 'note', object_id: id, before: null, after: null })
})

test('PLT-24 operation with several transactions is logged at each step, even when it fails later', async () => {
  expect((await rowsOf(await post('/api/steps', 'stepped'))).map((row) => row.object_id)).toEqual(['stepped'])
  const broken = await post('/api/steps', 'broken step')
  expect(broken.status).toBe(409)
  expect((await rowsOf(broken)).map((row) => row.object_id)).toEqual(['broken step'])
})

test('PLT-24 anonymous call that changes no tenant’s data adds no row', async () => {
  expect(await rowsOf(await post('/api/strange', 'hello'))).toEqual([])
})

test('PLT-24 audit details outside a recorded transaction throw', () => {
  expect(() => recordChange(kernel.database.db, { object: 'note', id: '1' })).toThrow('auditedTransaction')
})

test('PLT-24 audit rows can’t be updated, deleted or truncated', async () => {
  const { sql: raw } = kernel.database
  await post('/api/notes', 'kept')
  const count = async () => (await raw`SELECT count(*)::int AS n FROM platform.audit_log`)[0]?.['n']
  const before = await count()
  for (const statement of [
    `UPDATE platform.audit_log SET operation = 'other'`,
    'UPDATE platform.audit_log SET before = NULL, after = NULL',
    'DELETE FROM platform.audit_log',
    'TRUNCATE platform.audit_log',
    'TRUNCATE platform.audit_log CASCADE',
  ])
    await expect(raw.unsafe(statement).then(String, String)).resolves.toContain('append-only')
  expect(await count()).toBe(before)
})

test('PLT-24 PLT-39 only values in rows of the tenant that is being erased can be removed', async () => {
  const { database } = kernel
  const [own, other] = [newId(), newId()]
  const insert = (organizationId: string | null, principalId: string) => database.sql`
    INSERT INTO platform.audit_log (id, at, organization_id, principal_id, operation, outcome, after, request_id)
    VALUES (gen_random_uuid(), now(), ${organizationId}, ${principalId}, 'note', 'done', '{"text":"private"}', gen_random_uuid())`
  const person = newId()
  await insert(own, person)
  await insert(other, person)
  await insert(null, person)
  const erasing = (statement: string, tenant: string) =>
    database.sql.begin(async (tx) => {
      await tx`SELECT set_config('atrium.erased_tenant', ${tenant}, true)`
      await tx.unsafe(statement)
    })
  const refused = [
    `UPDATE platform.audit_log SET before = NULL, after = NULL WHERE organization_id = '${other}'`,
    `UPDATE platform.audit_log SET after = '{}' WHERE organization_id = '${own}'`,
    `UPDATE platform.audit_log SET after = NULL, operation = 'other' WHERE organization_id = '${own}'`,
    `DELETE FROM platform.audit_log WHERE organization_id = '${own}'`,
  ]
  for (const statement of refused)
    await expect(erasing(statement, own).then(String, String)).resolves.toContain('append-only')
  const values = () => database.sql`
    SELECT organization_id, after FROM platform.audit_log WHERE principal_id = ${person} ORDER BY after IS NULL, organization_id IS NULL`
  await eraseOrganizationValues({ database }, own)
  expect([...(await values())]).toEqual([
    { organization_id: other, after: { text: 'private' } },
    { organization_id: null, after: { text: 'private' } },
    { organization_id: own, after: null },
  ])
  await database.transaction((tx) => erasePersonalValues(tx, person))
  expect([...(await values())]).toEqual([
    { organization_id: other, after: { text: 'private' } },
    { organization_id: own, after: null },
    { organization_id: null, after: null },
  ])
})

test('PLT-24 secret fields are masked by name, encrypted columns omitted and long texts truncated', () => {
  const before = { passwordHash: 'a', name: 'Ada', updatedAt: new Date(0), settings: { webhookSecret: 'x', on: true } }
  const after = { passwordHash: 'b', name: 'Ada', updatedAt: new Date(1), settings: { webhookSecret: 'y', on: true } }
  expect(changedFields(before, after)).toEqual({
    before: { passwordHash: '[hidden]', settings: { webhookSecret: '[hidden]', on: true } },
    after: { passwordHash: '[hidden]', settings: { webhookSecret: '[hidden]', on: true } },
  })
  const made = { sealedTokens: 'v1.abc', accessToken: 't', apiKey: 'k', text: 'x'.repeat(3000), none: null }
  const { after: kept } = changedFields(undefined, made)
  expect(kept).toEqual({ accessToken: '[hidden]', apiKey: '[hidden]', text: `${'x'.repeat(2000)}…` })
  expect(changedFields({ until: null, at: new Date(0) }, { until: new Date(0), at: new Date(0) })).toEqual({
    before: {},
    after: { until: '1970-01-01T00:00:00.000Z' },
  })
})

test('PLT-24 object of a path is the last one in it', () => {
  const [one, other] = [newId(), newId()]
  expect(objectOfPath(`/api/organizations/${one}/members/${other}`)).toEqual({ object: 'member', id: other })
  expect(objectOfPath(`/api/brands/${one}`)).toEqual({ object: 'brand', id: one })
  expect(objectOfPath('/api/auth/logout')).toEqual({})
})

test('PLT-24 long text is not truncated inside a character', async () => {
  const response = await post('/api/notes', `${'a'.repeat(1999)}😀 and on`)
  expect(response.status).toBe(200)
  expect((await rowsOf(response))[0]).toMatchObject({ after: { text: `${'a'.repeat(1999)}…` } })
})
