import { AsyncLocalStorage } from 'node:async_hooks'

interface Scope {
  open: boolean
}

const scope = new AsyncLocalStorage<Scope | null>()

/** Marks `run` as a transaction: until it is over, what it does is inside. */
export async function markTransaction<Result>(run: () => Promise<Result>): Promise<Result> {
  const own: Scope = { open: true }
  try {
    return await scope.run(own, run)
  } finally {
    own.open = false
  }
}

/** Runs what a transaction sets off and doesn't wait for: it is outside. */
export const detach = <Result>(run: () => Result): Result => scope.run(null, run)

/**
 * Called before anything that leaves this process: a provider that is slow must not hold a connection and locks of the
 * database meanwhile.
 * @throws while a transaction is open, unless `reportOutsideCalls` said otherwise
 */
export function requireNoTransaction(call: string): void {
  if (scope.getStore()?.open) report(call)
}

let report = (call: string): void => {
  throw new Error(`${call} was called while a transaction is open: commit first, or use afterCommit()`)
}

/** Calls `tell` instead of throwing, and lets the call go on: for production. Returns what was called before. */
export function reportOutsideCalls(reporter: (call: string) => void): (call: string) => void {
  const before = report
  report = reporter
  return before
}
