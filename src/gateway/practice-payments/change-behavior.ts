import { transact, type Database } from '#lib/db.ts'
import { resumePayouts } from './balance/payouts.ts'
import { setBehavior } from './behavior.ts'
import type { PracticePaymentsBehavior } from './contract.ts'

/** `account` is empty for every account. */
export const changeBehavior = (db: Database, account: string, behavior: PracticePaymentsBehavior) =>
  transact(db, async (tx) => {
    await resumePayouts(tx, account, behavior.payouts)
    return setBehavior(tx, account, behavior)
  })
