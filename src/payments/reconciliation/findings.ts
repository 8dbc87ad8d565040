import type { DifferenceKind } from '../contract/reconciliation.ts'
import type { Database } from '#lib/db.ts'
import type { PaymentsWork } from '../work.ts'
import type { StoredCorrection, Unbooked } from '../schema/reconciliation.ts'
import type { ComparedAccount } from './account.ts'

/** A difference as a comparison found it. */
export interface Finding {
  /** Names it in later runs. */
  cause: string
  kind: DifferenceKind
  currency?: string
  ledgerAmount?: bigint
  providerAmount?: bigint
  ledgerFee?: bigint
  providerFee?: bigint
  ledgerState?: string
  providerState?: string
  providerReference?: string
  sourceReference?: string | null
  transactionId?: string | null
  merchantId?: string | null
  orderId?: string | null
  paymentId?: string | null
  refundId?: string | null
  itemId?: string | null
  occurredAt?: Date
  proposal?: readonly StoredCorrection[]
  detail?: string | null
}

/** What a part of a run found. */
export interface Compared {
  compared: number
  inTransit: number
  findings: readonly Finding[]
  unbooked?: readonly Unbooked[]
}

/** What a run compares: times are whole seconds of the provider. */
export interface Comparison {
  work: PaymentsWork
  db: Database
  account: ComparedAccount
  from: Date
  until: Date
}

const graceMs = 15 * 60_000

/** Its event can still be on its way. */
export const isFresh = ({ work }: Pick<Comparison, 'work'>, at: Date): boolean =>
  at.getTime() > work.now().getTime() - graceMs

const settledMs = 24 * 60 * 60_000

/** What is looked at by itself; after a day, people have to look. */
export const isRecent = ({ work }: Pick<Comparison, 'work'>, at: Date): boolean =>
  at.getTime() > work.now().getTime() - settledMs
