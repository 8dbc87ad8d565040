import { createTurns } from '#lib/turns.ts'

/** A search reads each text, since an index of all words would make writing several times as expensive. */
export const maxSearched = 2_000

const maxWaitMs = 10_000

const turns = createTurns({
  lanes: 2,
  waiting: 20,
  bytes: 1_000,
  tenantBytes: 20,
  refusals: {
    tooMany: {
      code: 'too_many_searches',
      detail: 'Your organization already has too many searches waiting. Try again in 5 s.',
    },
    busy: { code: 'search_busy', detail: 'Too many searches are running. Try again in 5 s.' },
  },
})

interface Searcher {
  organizationId: string
  /** 10 s by default. */
  waitMs?: number
  signal?: AbortSignal
}

/** One search of an organization and two of a server run at a time. @throws {Problem} 429, 503 */
export const inSearchTurn = <Result>(
  { organizationId, waitMs = maxWaitMs, signal }: Searcher,
  search: () => Promise<Result>,
): Promise<Result> => turns.take({ tenant: organizationId, bytes: 1, waitMs, signal }, search)
