import type { Database } from './database.ts'

type Hook = () => Promise<void>

const hooks = new WeakMap<Database, Hook[]>()

/** Runs `hook` after `db`'s transaction commits, which waits for it. Doesn't run after a rollback or for a retried attempt. */
export function afterCommit(db: Database, hook: Hook): void {
  hooks.set(db, [...(hooks.get(db) ?? []), hook])
}

export async function runHooks(tx: Database): Promise<void> {
  const pending = hooks.get(tx) ?? []
  hooks.delete(tx)
  await Promise.all(pending.map((hook) => hook()))
}

/** Hooks of a savepoint wait for the commit of the outer transaction. */
export function passHooks(savepoint: Database, around: Database): void {
  for (const hook of hooks.get(savepoint) ?? []) afterCommit(around, hook)
  hooks.delete(savepoint)
}
