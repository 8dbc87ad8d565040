import type { z } from 'zod'
import { collectChanges, auditOperation, resetAudit } from '../audit.ts'
import type { Call } from '../call.ts'
import { afterCommit } from '../db/after-commit.ts'
import type { Database } from '../db.ts'
import { Problem } from '../errors.ts'
import { runOnceInTransaction, readIdempotencyKey, runOnceWithReservation } from '../idempotency.ts'
import type { Operation } from '../operation.ts'
import { Stream } from '../reply.ts'
import { unpackReply } from '../response/respond.ts'
import type { CheckedReply } from './checked-reply.ts'
import { Interrupted, type Effect } from './failure.ts'
import { sendStream } from './send-stream.ts'
import { startDeadline, type Deadline } from './deadline.ts'
import type { HttpDependencies } from './dependencies.ts'

interface Invocation {
  method: string
  given: unknown
  /** Throws once the caller is no longer allowed to read. */
  check(): Promise<void>
}

/**
 * Runs an operation, in one transaction with its audit row and idempotency key unless it opens its own. A stream is
 * returned as the response.
 */
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
  checkReply(operation, await operation.run({ ...call, db }))

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
      // Throws on a timeout, which rolls the transaction back.
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
    throw new Error(`${route} can’t run inside the transaction of ${call.operation}: ask in its view instead`)
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

/** Checks what a handler returned, while its transaction can still be rolled back. */
function checkReply(operation: Operation, returned: unknown): CheckedReply | Stream {
  if (returned instanceof Stream) return returned
  const { status, data, options } = unpackReply(returned, operation.creates === true)
  return { status, result: checkResult(operation, data), options }
}

/** Returns the result without fields that `output` doesn't name. @throws when it violates the contract */
export function checkResult<Result>(
  { route, output }: { route: string; output: z.ZodType<Result> },
  data: unknown,
): Result {
  const { data: result, error: cause } = output.safeParse(data)
  if (cause) throw new Error(`The result of ${route} violates its contract`, { cause })
  return result
}
