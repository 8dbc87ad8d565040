import { audit, auditAct } from '../audit.ts'
import type { Call } from '../call.ts'
import type { Database } from '../db.ts'
import type { Operation } from '../operation.ts'
import { Stream, type ReplyOptions } from '../reply.ts'
import { parts } from '../respond.ts'
import type { HttpParts } from './parts.ts'

/** A result that keeps its contract, and what goes with it. */
export interface Finished {
  status: number
  result: unknown
  options: ReplyOptions
}

/** Runs an operation: what it changes is one transaction with its audit, unless it opens its own. */
export async function perform(
  http: HttpParts,
  operation: Operation,
  call: Call,
  method: string,
): Promise<Finished | Stream> {
  const run = async (db: Database) => finished(operation, await operation.run({ ...call, db }))
  if (method === 'GET') return run(call.db)
  const act = async (db: Database, within: () => Promise<Finished | Stream>) => {
    const done = await within()
    await auditAct(db, call)
    return done
  }
  if (operation.transaction === false) return act(call.db, () => run(call.db))
  return http.database.transaction((tx) => act(tx, () => audit(tx, call, () => run(tx))))
}

/** What a handler returned, held to its contract while its transaction can still be undone. */
function finished(operation: Operation, returned: unknown): Finished | Stream {
  if (returned instanceof Stream) return returned
  const { status, data, options } = parts(returned, operation.creates === true)
  const { data: result, error: cause } = operation.output.safeParse(data)
  if (cause) throw new Error(`What ${operation.route} answers is outside its contract`, { cause })
  return { status, result, options }
}
