import { and, eq, getTableColumns, gt, lte, sql } from 'drizzle-orm'
import type { Actor } from './actor.ts'
import type { Call } from './call.ts'
import type { Database } from './db.ts'
import { conflict, invalid, Problem } from './errors.ts'
import { type CheckedReply, Stream } from './reply.ts'
import { fingerprint } from './idempotency/fingerprint.ts'
import { digest, newId } from './ids.ts'
import type { Operation } from './operation.ts'
import { idempotencyKeys } from './schema.ts'

export interface IdempotentRequest {
  scope: string
  key: string
  fingerprint: string
  secrets: readonly string[]
  now: Date
  leaseMs?: number
}

type Outcome = CheckedReply | Stream

const lifetimeMs = 24 * 60 * 60 * 1000
/** Much longer than any pause of a live process. */
const defaultLeaseMs = 5 * 60 * 1000

/** Scoped to the caller and organization; without a credential to the token in the URL, if any. @throws {Problem} 422 for a malformed key */
export async function readIdempotencyKey(
  operation: Operation,
  call: Call,
  method: string,
  input: unknown,
): Promise<IdempotentRequest | null> {
  const sent = call.request.headers.get('idempotency-key')
  if (sent !== null && (operation.streams || operation.streamsOnRequest)) throw notRepeatable()
  const key = operation.creates ? sent : null
  if (key === null) return null
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalid([{ path: 'Idempotency-Key', message: 'Must be 1 to 255 visible ASCII characters, such as a UUID.' }])
  return {
    scope: [call.actor ? scopeOf(call.actor) : anonymousScope(operation, call), ...namedPersons(operation, call)].join(
      ' ',
    ),
    key,
    fingerprint: await fingerprint(call.secrets, method, call.request.url.pathname, input),
    secrets: operation.secrets ?? [],
    now: call.now(),
  }
}

/** Ignoring the key would repeat work that the caller expects to be done once. */
const notRepeatable = (): Problem =>
  invalid([
    {
      path: 'Idempotency-Key',
      message: 'A streamed response can’t be repeated. Send the request without an Idempotency-Key.',
    },
  ])

const namedPersons = ({ signed = {} }: Operation, { request }: Call): string[] =>
  Object.keys(signed).map((header) => request.headers.get(header) ?? '')

/** One for all, except on routes with a token, such as that of a guest's link: each token has its own. */
function anonymousScope({ route }: Operation, { request }: Call): string {
  const at = route.split('/').indexOf(':token')
  const token = at < 0 ? undefined : request.url.pathname.split('/')[at]
  return token ? `anonymous ${digest(token)}` : 'anonymous'
}

/** Sessions of a person share a scope. API keys have their own, since they can have fewer permissions than their creator. */
const scopeOf = ({ organization, tokenType, principal, credential }: Actor): string =>
  `${organization?.id ?? 'personal'} ${tokenType === 'api_key' ? credential.id : principal.id}`

/** Stores the response in the transaction of its effect. @throws {Problem} 409 and 422 */
export async function runOnceInTransaction(
  tx: Database,
  request: IdempotentRequest,
  run: () => Promise<CheckedReply>,
): Promise<CheckedReply> {
  const name = `idempotency ${request.scope} ${request.key}`
  const [lock] = await tx.execute(sql`SELECT pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) AS held`)
  if (!lock?.['held']) throw inProgress()
  const known = await findKey(tx, request)
  if (known) return replay(known, request)
  const outcome = await run()
  await reserve(tx, request, toSavedOutcome(request, outcome))
  return outcome
}

/**
 * A refusal, or a failure without an effect, releases the key. After any other failure it stays reserved, since part of
 * the work can be done. @throws {Problem} 409 and 422
 */
export async function runOnceWithReservation(
  db: Database,
  request: IdempotentRequest,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  const owner = newId()
  if (!(await reserve(db, request, { state: 'running', owner }))) {
    const known = await findKey(db, request)
    if (!known) throw inProgress()
    return replay(known, request)
  }
  const { leaseMs = defaultLeaseMs } = request
  // The next renewal makes up for a failed one.
  const renewal = setInterval(() => void renew(db, request, owner).catch(() => {}), leaseMs / 5)
  try {
    const outcome = await run()
    if (outcome instanceof Stream) await release(db, request, owner)
    else await settle(db, request, owner, toSavedOutcome(request, outcome))
    return outcome
  } catch (error) {
    await (isUndone(error) ? release(db, request, owner) : settle(db, request, owner, { state: 'broken_off' }))
    throw error
  } finally {
    clearInterval(renewal)
  }
}

const isUndone = (error: unknown): boolean =>
  error instanceof Problem && (error.status < 500 || error.options.nothingDone === true)

type Row = typeof idempotencyKeys.$inferSelect
type KnownKey = Row & { lapsed: boolean }
type SavedOutcome = Pick<Row, 'state'> & Partial<Pick<Row, 'owner' | 'status' | 'answer' | 'options'>>

const sameKey = ({ scope, key }: IdempotentRequest) =>
  and(eq(idempotencyKeys.scope, scope), eq(idempotencyKeys.key, key))

const ownedBy = (request: IdempotentRequest, owner: string) =>
  and(sameKey(request), eq(idempotencyKeys.state, 'running'), eq(idempotencyKeys.owner, owner))

const leaseEnd = ({ leaseMs = defaultLeaseMs }: IdempotentRequest) =>
  sql`clock_timestamp() + ${leaseMs} * interval '1 millisecond'`

const lapsed = sql<boolean>`coalesce(${idempotencyKeys.leaseUntil} <= clock_timestamp(), false)`

async function findKey(db: Database, request: IdempotentRequest): Promise<KnownKey | undefined> {
  const [row] = await db
    .select({ ...getTableColumns(idempotencyKeys), lapsed })
    .from(idempotencyKeys)
    .where(and(sameKey(request), gt(idempotencyKeys.expiresAt, request.now)))
  return row
}

/** False when the key is in use. A lapsed lease doesn't free it, since the effect can have happened. */
async function reserve(db: Database, request: IdempotentRequest, outcome: SavedOutcome): Promise<boolean> {
  const { scope, key, now, fingerprint: print } = request
  const leaseUntil = outcome.state === 'running' ? leaseEnd(request) : null
  const fresh = { owner: null, status: null, answer: null, options: null, ...outcome, leaseUntil, fingerprint: print }
  const values = { ...fresh, createdAt: now, expiresAt: new Date(now.getTime() + lifetimeMs) }
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

const renew = async (db: Database, request: IdempotentRequest, owner: string): Promise<void> => {
  await db
    .update(idempotencyKeys)
    .set({ leaseUntil: leaseEnd(request) })
    .where(ownedBy(request, owner))
}

const settle = async (
  db: Database,
  request: IdempotentRequest,
  owner: string,
  outcome: SavedOutcome,
): Promise<void> => {
  await db
    .update(idempotencyKeys)
    .set({ ...outcome, owner: null, leaseUntil: null })
    .where(ownedBy(request, owner))
}

const release = async (db: Database, request: IdempotentRequest, owner: string): Promise<void> => {
  await db.delete(idempotencyKeys).where(ownedBy(request, owner))
}

function toSavedOutcome({ secrets }: IdempotentRequest, { status, result, options }: CheckedReply): SavedOutcome {
  const { headers, next, toast } = options
  const answer: unknown = JSON.parse(
    JSON.stringify(result, (name, value: unknown) => (secrets.includes(name) ? undefined : value)),
  )
  return { state: 'done', status, answer, options: { headers, next, toast } }
}

function replay(row: KnownKey, request: IdempotentRequest): CheckedReply {
  if (row.fingerprint !== request.fingerprint) throw keyReused()
  if (row.state === 'broken_off' || row.lapsed) throw brokenOff()
  if (row.state !== 'done' || row.status === null) throw inProgress()
  const { headers, ...options } = row.options ?? {}
  return {
    status: row.status,
    result: row.answer,
    options: { ...options, headers: { ...headers, 'Idempotency-Replayed': 'true' } },
  }
}

const inProgress = () =>
  conflict('idempotency_in_progress', 'A request with this Idempotency-Key is still in progress. Retry in a moment.')

const brokenOff = () =>
  conflict(
    'idempotency_in_progress',
    'The first request with this Idempotency-Key was interrupted and may have been partly processed. Check its result before you retry with a new key.',
    { interrupted: true },
  )

const keyReused = () =>
  new Problem(
    422,
    'idempotency_key_reused',
    'This Idempotency-Key was already used with a different request. Use a new key for a new request.',
  )
