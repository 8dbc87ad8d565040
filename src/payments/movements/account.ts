import { asc, ne } from 'drizzle-orm'
import { ledgerHeads } from '../schema.ts'
import type { PaymentsWork } from '../work.ts'
import { accountOf, payerFor, type Payer } from '../webhooks/account.ts'

/** An account at the provider whose whole balance is one organization’s. */
export interface OwnAccount {
  organizationId: string
  /** As the gateway names it. */
  account: string
  /** For requests to the gateway. */
  payer: Payer
}

/**
 * The account that an organization’s payments are made with, if no other uses it: movements of the platform’s could be
 * anyone’s. @throws {Problem} of the gateway
 */
export async function ownAccountOf(work: PaymentsWork, organizationId: string): Promise<OwnAccount | null> {
  const used = await accountOf(work, organizationId)
  const isOwn = used.organizationId !== null || (used.provider === 'practice' && (await isOnly(work, organizationId)))
  if (!isOwn) return null
  return { organizationId, account: used.accountKey, payer: payerFor(used, organizationId) }
}

const maxOthers = 100

/** Of the organizations without an account of their own, which share one of the practice provider. */
async function isOnly(work: PaymentsWork, organizationId: string): Promise<boolean> {
  const others = await work.db
    .selectDistinct({ id: ledgerHeads.organizationId })
    .from(ledgerHeads)
    .where(ne(ledgerHeads.organizationId, organizationId))
    .orderBy(asc(ledgerHeads.organizationId))
    .limit(maxOthers)
  for (const { id } of others) {
    const used = await accountOf(work, id).catch(() => null)
    if (used?.provider === 'practice' && used.organizationId === null) return false
  }
  return true
}
