import { AsyncLocalStorage } from 'node:async_hooks'

interface Scope {
  open: boolean
}

const scope = new AsyncLocalStorage<Scope | null>()

export async function markTransaction<Result>(run: () => Promise<Result>): Promise<Result> {
  const own: Scope = { open: true }
  try {
    return await scope.run(own, run)
  } finally {
    own.open = false
  }
}

/** Runs work that a transaction starts but doesn't wait for, as outside of it. */
export const detach = <Result>(run: () => Result): Result => scope.run(null, run)

/**
 * A slow call would hold a connection and locks. @throws in a transaction, unless `reportOutsideCalls` replaced that
 */
export function requireNoTransaction(call: string): void {
  if (scope.getStore()?.open) report(call)
}

export const refuseOutsideCall = (call: string): void => {
  throw new Error(`${call} was called while a transaction was open: commit first, or use afterCommit()`)
}

let report = refuseOutsideCall

export function reportOutsideCalls(reporter: (call: string) => void): (call: string) => void {
  const before = report
  report = reporter
  return before
}
