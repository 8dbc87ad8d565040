import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { ownAccountOf, type OwnAccount } from '../movements/account.ts'
import { orderPayments, settlementItems } from '../schema.ts'
import { accountOf, payerFor } from '../webhooks/account.ts'
import type { PaymentsWork } from '../work.ts'

/** The account of the provider that an organization’s ledger is compared with. */
export interface ComparedAccount extends OwnAccount {
  scope: 'own' | 'shared'
  /** Its payments were never made at another one, so the ledger’s clearing account is this balance. */
  isOnly: boolean
}

/** @throws {Problem} of the gateway */
export async function comparedAccountOf(work: PaymentsWork, organizationId: string): Promise<ComparedAccount> {
  const own = await ownAccountOf(work, organizationId)
  const account = own ?? (await sharedAccountOf(work, organizationId))
  const used = await listUsedAccounts(work, organizationId)
  return { ...account, scope: own ? 'own' : 'shared', isOnly: [...used].every((key) => key === account.account) }
}

async function sharedAccountOf(work: PaymentsWork, organizationId: string): Promise<OwnAccount> {
  const used = await accountOf(work, organizationId)
  return { organizationId, account: used.accountKey, payer: payerFor(used, organizationId) }
}

async function listUsedAccounts({ db }: PaymentsWork, organizationId: string): Promise<Set<string>> {
  const found = await Promise.all(
    [orderPayments, settlementItems].map((table) =>
      db
        .selectDistinct({ account: sql<string>`${table.accountKey}` })
        .from(table)
        .where(and(eq(table.organizationId, organizationId), isNotNull(table.accountKey))),
    ),
  )
  return new Set(found.flat().map(({ account }) => account))
}
