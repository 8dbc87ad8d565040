import { collectChanges, auditOperation, resetAudit } from '../audit.ts'
import type { Call } from '../call.ts'
import { afterCommit, type Database } from '../db.ts'
import { Problem, retryLater } from '../errors.ts'
import { runOnceInTransaction, readIdempotencyKey, runOnceWithReservation } from '../idempotency.ts'
import type { Operation } from '../operation.ts'
import { Stream, type CheckedReply } from '../reply.ts'
import { unpackReply } from '../response/respond.ts'
import { Interrupted, type Effect } from './answer.ts'
import { checkResult } from './create-call.ts'
import type { HttpDependencies } from './dependencies.ts'
import { sendStream } from './streams/send.ts'

interface Invocation {
  method: string
  given: unknown
  check(): Promise<void>
}

/** In one transaction with its audit row and idempotency key, unless it opens its own. */
export async function perform(
  http: HttpDependencies,
  operation: Operation,
  call: Call,
  invocation: Invocation,
): Promise<CheckedReply | Response> {
  const deadline = startDeadline(operation, call)
  try {
    if (operation.transaction !== false && invocation.method !== 'GET')
      return await performInTransaction(http, operation, call, invocation, deadline)
    // A stopped operation runs until it checks its signal, and then still settles its idempotency key.
    return await deadline.within(async () => {
      const done = await performWithoutTransaction(operation, call, invocation)
      return done instanceof Stream ? sendStream(http, done, call.context, invocation.check) : done
    })
  } finally {
    deadline.clear()
  }
}

const runWith = async (operation: Operation, call: Call, db: Database): Promise<CheckedReply | Stream> =>
  checkReply(operation, await operation.run(db === call.db ? call : { ...call, db }))

async function performWithoutTransaction(
  operation: Operation,
  call: Call,
  { method, given }: Invocation,
): Promise<CheckedReply | Stream> {
  const run = () => runWith(operation, call, call.db)
  if (method === 'GET') return run()
  const idempotent = await readIdempotencyKey(operation, call, method, given)
  const runWithAudit = () => runAudited(operation, call.db, call, run)
  return (idempotent ? runOnceWithReservation(call.db, idempotent, runWithAudit) : runWithAudit()).catch(
    (error: unknown) => {
      throw error instanceof Problem ? error : new Interrupted('unknown', error)
    },
  )
}

async function performInTransaction(
  http: HttpDependencies,
  operation: Operation,
  call: Call,
  { method, given }: Invocation,
  deadline: Deadline,
): Promise<CheckedReply> {
  const idempotent = await readIdempotencyKey(operation, call, method, given)
  let effect: Effect = 'none'
  const work = () =>
    http.database.transaction(async (tx) => {
      effect = 'none'
      resetAudit(call)
      afterCommit(tx, async () => void (effect = 'saved'))
      const runWithAudit = () =>
        runAudited(operation, tx, call, () =>
          collectChanges(tx, call, () => requireNoStream(operation, runWith(operation, withoutAsk(call), tx))),
        )
      const done = await deadline.within(() =>
        idempotent ? runOnceInTransaction(tx, idempotent, runWithAudit) : runWithAudit(),
      )
      // When the commit fails, it is unknown whether it took effect.
      effect = 'unknown'
      return done
    })
  return deadline.within(work).catch((error: unknown) => {
    throw effect === 'none' ? error : new Interrupted(effect, error)
  })
}

/** `ask` reads with another connection, which doesn't see the transaction's changes and can wait for one forever. */
const withoutAsk = (call: Call): Call => ({
  ...call,
  ask: async ({ route }) => {
    throw new Error(`${route} can’t run inside the transaction of ${call.operation}: call it in the view instead`)
  },
})

/** A stream would keep reading after its transaction. */
async function requireNoStream(operation: Operation, running: Promise<CheckedReply | Stream>): Promise<CheckedReply> {
  const done = await running
  if (done instanceof Stream) throw new Error(`${operation.route} streams, so it has to declare "transaction: false"`)
  return done
}

async function runAudited<Result>(
  operation: Operation,
  db: Database,
  call: Call,
  run: () => Promise<Result>,
): Promise<Result> {
  const done = await run()
  if (operation.audit !== false) await auditOperation(db, call)
  return done
}

function checkReply(operation: Operation, returned: unknown): CheckedReply | Stream {
  if (returned instanceof Stream) return returned
  const { status, data, options } = unpackReply(returned, operation.creates === true)
  return { status, result: checkResult(operation, data), options }
}

const defaultTimeoutMs = 30_000
/** Less than the minute after which the listener closes an idle connection. */
const silentMs = 50_000

interface Deadline {
  /** Returns the result of `run`. After the timeout throws its problem, without starting `run`. */
  within<Result>(run: () => Promise<Result>): Promise<Result>
  clear(): void
}

/** When it passes, the request's signal aborts. */
export function startDeadline({ timeout: declared, body, transaction }: Operation, call: Call): Deadline {
  // Reading a streamed body takes as long as the client's network.
  const fallbackMs = body?.as === 'stream' ? null : defaultTimeoutMs
  const timeoutMs = typeof declared === 'function' ? declared(call) : (declared ?? fallbackMs)
  const { context } = call
  if (timeoutMs === null) return { within: (run) => run(), clear: () => {} }
  if (timeoutMs > silentMs) context.keepOpen?.()
  const late = Promise.withResolvers<never>()
  // Avoids an unhandled rejection while nothing waits for it.
  late.promise.catch(() => {})
  let passed: Problem | undefined
  const timer = setTimeout(() => {
    passed =
      transaction === false && context.request.method !== 'GET' ? partlyDone(timeoutMs) : nothingChanged(timeoutMs)
    context.abort(passed)
    late.reject(passed)
  }, timeoutMs)
  return {
    within: (run) => (passed ? late.promise : Promise.race([run(), late.promise])),
    clear: () => clearTimeout(timer),
  }
}

const nothingChanged = (timeout: number) =>
  retryLater(503, 'operation_timed_out', `${stopped(timeout)} Nothing was changed. Try again.`, {
    nothingDone: true,
  })

/** Calls to other servers and transactions of its own can already have had their effect. */
const partlyDone = (timeout: number) =>
  new Problem(
    504,
    'operation_timed_out',
    `${stopped(timeout)} Part of it may have been processed, so check before you retry.`,
  )

const stopped = (timeout: number): string => `The request took longer than ${timeout / 1000} s and was stopped.`
