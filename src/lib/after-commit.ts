import type { Database } from './database.ts'

type Hook = () => Promise<void>

const hooks = new WeakMap<Database, Hook[]>()

/** Runs once `db`'s transaction is committed; its caller waits. Nothing runs when it is rolled back or run again. */
export function afterCommit(db: Database, hook: Hook): void {
  hooks.set(db, [...(hooks.get(db) ?? []), hook])
}

/** Runs what was asked for on a transaction that is committed. */
export async function runHooks(tx: Database): Promise<void> {
  const pending = hooks.get(tx) ?? []
  hooks.delete(tx)
  await Promise.all(pending.map((hook) => hook()))
}

/** What was asked for on a savepoint waits for the commit of the transaction around it. */
export function passHooks(savepoint: Database, around: Database): void {
  for (const hook of hooks.get(savepoint) ?? []) afterCommit(around, hook)
  hooks.delete(savepoint)
}
