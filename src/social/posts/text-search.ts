import { createTurns } from '#lib/turns.ts'

/**
 * Posts that one request searches for a text. A search reads each text: an index of all words would make writing a post
 * several times as expensive. A page that isn't full then ends after these posts, and the next page continues.
 */
export const maxSearched = 2_000

/** Milliseconds for which a search waits for its turn. */
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
  /** Milliseconds for which it waits for its turn; 10 s when not set. */
  waitMs?: number
  /** Ends the wait when the client has gone. */
  signal?: AbortSignal
}

/**
 * Runs a search when it is the organization's turn: one of an organization and two of a server run at the same time, so
 * that they leave the database to others.
 * @throws {Problem} 429 when too many of the organization wait, 503 when too many wait in all or its turn doesn't come in
 * time
 */
export const inSearchTurn = <Result>(
  { organizationId, waitMs = maxWaitMs, signal }: Searcher,
  search: () => Promise<Result>,
): Promise<Result> => turns.take({ tenant: organizationId, bytes: 1, waitMs, signal }, search)
