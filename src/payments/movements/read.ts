import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Provided } from '#lib/call.ts'
import { executePrepared, type Database } from '#lib/db.ts'
import type { PaymentsWork } from '../work.ts'
import type { OwnAccount } from './account.ts'

type Client = Provided['gateway']['payments']

/** A movement of the provider’s balance, in the provider’s units (`fromProviderUnits`). */
export type Movement = Awaited<ReturnType<Client['getBalanceTransaction']>>

export interface MovementPage {
  items: readonly Movement[]
  nextCursor: string | null
}

interface Range {
  from: Date
  before?: Date
  cursor?: string | null
}

const pageSize = 100

/** Movements from a time on, the newest first, from whole seconds. @throws {Problem} of the gateway */
export const readPage = (
  { gateway }: Pick<PaymentsWork, 'gateway'>,
  { payer }: Pick<OwnAccount, 'payer'>,
  { from, before, cursor }: Range,
): Promise<MovementPage> =>
  gateway.payments.listBalanceTransactions({
    ...payer,
    limit: pageSize,
    createdFrom: from.toISOString(),
    ...(before && { createdBefore: before.toISOString() }),
    ...(cursor && { cursor }),
  })

/** All pages of a range. @throws {Problem} of the gateway */
export async function* readMovements(
  work: Pick<PaymentsWork, 'gateway'>,
  account: Pick<OwnAccount, 'payer'>,
  range: Omit<Range, 'cursor'>,
): AsyncGenerator<readonly Movement[]> {
  let cursor: string | null = null
  do {
    const page: MovementPage = await readPage(work, account, { ...range, cursor })
    yield page.items
    cursor = page.nextCursor
  } while (cursor !== null)
}

const Ids = z.array(z.object({ id: z.string() }))

/** Which of the provider’s balance transactions are in an organization’s ledger, as any kind. */
export async function findBooked(db: Database, organizationId: string, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  // With OFFSET it uses the index by provider transaction, however few rows the statistics know.
  const rows = await executePrepared(
    db,
    sql`SELECT id FROM json_array_elements_text(${JSON.stringify(ids)}::json) AS given(id) WHERE EXISTS (
      SELECT FROM (
        SELECT organization_id FROM payments.ledger_transactions WHERE provider_transaction_id = given.id OFFSET 0
      ) AS posted WHERE posted.organization_id = ${organizationId}::uuid)`,
  )
  return new Set(Ids.parse(rows).map(({ id }) => id))
}
