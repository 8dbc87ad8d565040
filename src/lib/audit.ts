import type { Actor } from './actor.ts'
import { objectOfPath } from './audit/object-of-path.ts'
import type { Delegation } from './audit/state.ts'
import type { Call, RequestFacts } from './call.ts'
import { transact, type Database, type DatabaseHandle } from './db.ts'
import { newId } from './ids.ts'
import type { RequestContext } from './request/context.ts'
import { auditLog, type Fields } from './schema.ts'
import { truncate } from './text.ts'

interface Change {
  object: string
  /** Unset when the requested object doesn't exist. */
  id?: string
  before?: object
  after?: object
  by?: Pick<Actor['principal'], 'id' | 'principalType'>
  /** The organization whose log it belongs in, when that isn't the caller's. */
  organizationId?: string | null
  onBehalfOf?: string
  refused?: true
}

type Source = Pick<Call, 'actor' | 'operation' | 'now'> & {
  request: Pick<RequestFacts, 'id' | 'address'>
  context?: RequestContext
  /** The slug of the one whose job it is. */
  service?: string
}

const recordings = new WeakMap<Database, Change[]>()

/** Written before `db`'s transaction commits (PLT-24). @throws outside an operation or `auditedTransaction` */
export function recordChange(db: Database, change: Change): void {
  const changes = recordings.get(db)
  if (!changes) throw new Error('recordChange() needs the transaction of an operation or of auditedTransaction()')
  changes.push(change)
}

export function recordDelegation({ audit: state }: RequestContext, delegation: Delegation): void {
  state.delegation = delegation
}

/** For operations that open their own transaction. */
export const auditedTransaction = <Result>(
  call: Source & Pick<Call, 'db'>,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> => transact(call.db, (tx) => collectChanges(tx, call, () => work(tx)))

export const auditedJobTransaction = <Result>(
  { transaction }: Pick<DatabaseHandle, 'transaction'>,
  { operation, now, service }: Pick<Source, 'operation' | 'now' | 'service'>,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> => {
  const source = { operation, now, actor: null, request: { id: newId(), address: null }, ...(service && { service }) }
  return transaction((tx) => collectChanges(tx, source, () => work(tx)))
}

export async function collectChanges<Result>(
  tx: Database,
  source: Source,
  work: () => Promise<Result>,
): Promise<Result> {
  const changes: Change[] = []
  recordings.set(tx, changes)
  const result = await work()
  if (changes.length > 0) await insertRows(tx, source, changes)
  return result
}

/** For a transaction that is retried: its rows were rolled back. */
export const resetAudit = ({ context }: Pick<Call, 'context'>): void => void (context.audit.written = false)

/** Writes a row for an operation that recorded no change itself. Call it at the end of the transaction. */
export async function auditOperation(db: Database, source: Source & Pick<Call, 'request' | 'context'>): Promise<void> {
  if (source.actor && !source.context.audit.written)
    await insertRows(db, source, [objectOfPath(source.request.url.pathname)])
}

async function insertRows(db: Database, source: Source, changes: Partial<Change>[]): Promise<void> {
  const state = source.context?.audit
  await db.insert(auditLog).values(changes.map((change) => rowOf(source, { ...state?.delegation, ...change })))
  if (state) state.written = true
}

function rowOf(
  { actor, operation, now, request, context, service = context?.route?.context.slug }: Source,
  change: Partial<Change>,
): typeof auditLog.$inferInsert {
  const principal = change.by ?? actor?.principal
  return {
    id: newId(),
    at: now(),
    organizationId: change.organizationId === undefined ? actor?.organization?.id : change.organizationId,
    principalId: principal?.id,
    principalType: principal?.principalType,
    credentialKind: actor?.credential.kind,
    credentialId: actor?.credential.id,
    onBehalfOf: change.onBehalfOf,
    service,
    operation,
    outcome: change.refused ? 'refused' : 'done',
    objectKind: change.object,
    objectId: change.id,
    ...changedFields(change.before, change.after),
    address: request.address,
    requestId: request.id,
  }
}

const secret = /password|secret|token|hash|credential|private|cookie|authorization|apikey/i
/** Sealed columns, and fields that change with every update. */
const omitted = /^sealed|^(updatedAt|version)$/
const masked = '[hidden]'
/** UTF-16 units. */
const maxTextLength = 2000

/** The fields that differ, or all fields of a created or deleted object; secrets are masked (PLT-24). */
export function changedFields(before?: object, after?: object): { before: Fields | null; after: Fields | null } {
  const [was, is] = [toPlainFields(before), toPlainFields(after)]
  const names = Object.keys({ ...was, ...is }).filter((name) => !Bun.deepEquals(was?.[name], is?.[name]))
  return { before: was && maskFields(was, names), after: is && maskFields(is, names) }
}

const toPlainFields = (fields: object | undefined): Fields | null =>
  fields ? JSON.parse(JSON.stringify(fields, (_, value: unknown) => value ?? undefined)) : null

const maskFields = (fields: Fields, names: string[]): Fields =>
  Object.fromEntries(
    names.filter((name) => name in fields && !omitted.test(name)).map((name) => [name, maskValue(name, fields[name])]),
  )

function maskValue(name: string, value: unknown): unknown {
  if (secret.test(name)) return masked
  if (typeof value === 'string') return value.length > maxTextLength ? `${truncate(value, maxTextLength)}…` : value
  if (Array.isArray(value)) return value.map((item) => maskValue('', item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([inner, own]) => [inner, maskValue(inner, own)]))
}
