import { and, eq, gt, lte, sql } from 'drizzle-orm'
import type { Actor } from './actor.ts'
import type { Call } from './call.ts'
import type { Database } from './db.ts'
import { conflict, invalid, Problem } from './errors.ts'
import type { Finished } from './http/perform.ts'
import { fingerprint } from './idempotency/fingerprint.ts'
import type { Operation } from './operation.ts'
import { Stream } from './reply.ts'
import { idempotencyKeys } from './schema.ts'

/** A request that is to be done once, however often it is sent (PLT-13). */
export interface Once {
  scope: string
  key: string
  fingerprint: string
  /** Names of fields whose values are not kept. */
  secrets: readonly string[]
  now: Date
}

type Outcome = Finished | Stream

/** Milliseconds for which an answer is kept. */
const life = 24 * 60 * 60 * 1000

/**
 * What the `Idempotency-Key` of a creating request asks for; null without one. Throws 422 for a malformed key.
 * A key is of the caller's in one organization; those of strangers share one space.
 */
export async function onceOf(operation: Operation, call: Call, method: string, input: unknown): Promise<Once | null> {
  const key = operation.creates ? call.request.headers.get('idempotency-key') : null
  if (key === null) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalid([{ path: 'Idempotency-Key', message: 'Must be 1 to 255 visible ASCII characters, such as a UUID.' }])
  return {
    scope: [call.actor ? scopeOf(call.actor) : 'anonymous', ...persons(operation, call)].join(' '),
    key,
    fingerprint: await fingerprint(call.secrets, method, call.request.url.pathname, input),
    secrets: operation.secrets ?? [],
    now: call.now(),
  }
}

/** For whom a service acts, by its signed request. */
const persons = ({ signed = {} }: Operation, { request }: Call): string[] =>
  Object.keys(signed).map((header) => request.headers.get(header) ?? '')

/** A person's sessions share theirs; an API key, which may reach less than its maker, has its own. */
const scopeOf = ({ organization, tokenType, principal, credential }: Actor): string =>
  `${organization?.id ?? 'personal'} ${tokenType === 'api_key' ? credential.id : principal.id}`

/** Runs inside the transaction of the effect: the answer is kept if, and only if, the effect is. Throws 409 and 422. */
export async function onceInside(tx: Database, once: Once, run: () => Promise<Outcome>): Promise<Outcome> {
  const name = `idempotency ${once.scope} ${once.key}`
  const [lock] = await tx.execute(sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS held`)
  if (!lock?.['held']) throw inProgress()
  const known = await find(tx, once)
  if (known) return replayed(known, once)
  const outcome = await run()
  if (!(outcome instanceof Stream)) await reserve(tx, once, keptOf(once, outcome))
  return outcome
}

/**
 * For an effect with transactions of its own: the key is taken first. A refusal gives it back; what breaks off
 * otherwise keeps it, since something may have been done. Throws 409 and 422.
 */
export async function onceOutside(db: Database, once: Once, run: () => Promise<Outcome>): Promise<Outcome> {
  if (!(await reserve(db, once, { state: 'running' }))) {
    const known = await find(db, once)
    if (!known) throw inProgress()
    return replayed(known, once)
  }
  const outcome = await run().catch(async (error: unknown) => {
    if (error instanceof Problem) await release(db, once)
    throw error
  })
  if (outcome instanceof Stream) await release(db, once)
  else await db.update(idempotencyKeys).set(keptOf(once, outcome)).where(own(once))
  return outcome
}

/** Forgets the answers whose time is over. */
export async function forgetIdempotencyKeys(db: Database, now: Date): Promise<void> {
  await db.delete(idempotencyKeys).where(lte(idempotencyKeys.expiresAt, now))
}

type Row = typeof idempotencyKeys.$inferSelect
type Kept = Pick<Row, 'state'> & Partial<Pick<Row, 'status' | 'answer' | 'options'>>

const own = ({ scope, key }: Once) => and(eq(idempotencyKeys.scope, scope), eq(idempotencyKeys.key, key))

async function find(db: Database, once: Once): Promise<Row | undefined> {
  const [row] = await db
    .select()
    .from(idempotencyKeys)
    .where(and(own(once), gt(idempotencyKeys.expiresAt, once.now)))
  return row
}

/** Whether the key was free, or its time over. */
async function reserve(db: Database, { scope, key, now, ...once }: Once, kept: Kept): Promise<boolean> {
  const fresh = { status: null, answer: null, options: null, ...kept, fingerprint: once.fingerprint }
  const values = { ...fresh, createdAt: now, expiresAt: new Date(now.getTime() + life) }
  const rows = await db
    .insert(idempotencyKeys)
    .values({ scope, key, ...values })
    .onConflictDoUpdate({
      target: [idempotencyKeys.scope, idempotencyKeys.key],
      set: values,
      setWhere: lte(idempotencyKeys.expiresAt, now),
    })
    .returning({ key: idempotencyKeys.key })
  return rows.length > 0
}

const release = async (db: Database, once: Once): Promise<void> => {
  await db.delete(idempotencyKeys).where(own(once))
}

function keptOf({ secrets }: Once, { status, result, options }: Finished): Kept {
  const { headers, next, toast } = options
  const answer: unknown = JSON.parse(
    JSON.stringify(result, (name, value: unknown) => (secrets.includes(name) ? undefined : value)),
  )
  return { state: 'done', status, answer, options: { headers, next, toast } }
}

function replayed(row: Row, once: Once): Finished {
  if (row.fingerprint !== once.fingerprint) throw reused()
  if (row.state !== 'done' || row.status === null) throw inProgress()
  const { headers, ...options } = row.options ?? {}
  return {
    status: row.status,
    result: row.answer,
    options: { ...options, headers: { ...headers, 'Idempotency-Replayed': 'true' } },
  }
}

const inProgress = () =>
  conflict(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key is still running, or broke off without an answer. Send it again in a moment; if this stays, look whether it was done before you send another key.',
  )

const reused = () =>
  new Problem(
    422,
    'idempotency_key_reused',
    'This Idempotency-Key was used for another request. Send a new key with a new request.',
  )
