import type { Database } from '#lib/db.ts'
import { Currency, displayMoney } from '#lib/money.ts'
import { raiseAction, resolveAction } from '#lib/raised-actions.ts'
import type { ActionButton } from '#lib/schema.ts'
import { counted } from '#lib/text.ts'
import { settlementApprovalKind, unpaidRecipientKind } from '../notification-kinds.ts'
import type { BatchRow } from './rows.ts'
import type { ItemCounts } from './totals.ts'

const hrefOf = ({ batchId }: BatchRow): string => `/pay/settlements/${batchId}`

const moneyOf = (minor: bigint, currency: string): string => displayMoney({ minor, currency: Currency.parse(currency) })

const causeOf = (kind: 'approval' | 'unknown' | 'returned' | 'start', { id }: BatchRow): string =>
  `settlement-${kind}:${id}`

const checkButton = ({ batchId }: BatchRow): ActionButton => ({
  label: 'Check now',
  method: 'POST',
  href: `/api/settlements/${batchId}/check`,
  style: 'primary',
})

const seeButton = (batch: BatchRow): ActionButton => ({ label: 'See the batch', method: 'GET', href: hrefOf(batch) })

/** On the transaction that stores the batch. */
export const askForApproval = (tx: Database, batch: BatchRow): Promise<void> =>
  raiseAction(tx, {
    kind: settlementApprovalKind,
    organizationId: batch.organizationId,
    cause: causeOf('approval', batch),
    title: `Batch ${batch.batchId} pays out ${moneyOf(batch.controlSum, batch.currency)}`,
    reason: `More than ${moneyOf(batch.ceiling ?? 0n, batch.currency)} of one requester within 24 hours needs a second person.`,
    href: hrefOf(batch),
    actions: [
      {
        label: `Approve ${moneyOf(batch.controlSum, batch.currency)}`,
        method: 'POST',
        href: `/api/settlements/${batch.batchId}/approve`,
        style: 'primary',
        confirm: `Pay out batch ${batch.batchId}? This can’t be undone.`,
      },
      { label: 'Decline', method: 'POST', href: `/api/settlements/${batch.batchId}/decline` },
      { label: 'Review', method: 'GET', href: hrefOf(batch) },
    ],
  })

export const endApproval = (tx: Database, batch: BatchRow): Promise<void> =>
  resolveAction(tx, causeOf('approval', batch))

export const askAboutStart = (tx: Database, batch: BatchRow, detail: string): Promise<void> =>
  raiseAction(tx, {
    kind: unpaidRecipientKind,
    organizationId: batch.organizationId,
    cause: causeOf('start', batch),
    title: `Batch ${batch.batchId} can’t be started`,
    reason: `${detail} We try again by ourselves.`,
    href: hrefOf(batch),
    actions: [checkButton(batch), seeButton(batch)],
  })

export const endStart = (tx: Database, batch: BatchRow): Promise<void> => resolveAction(tx, causeOf('start', batch))

/** Raises what people have to look at, and resolves it when it is over. */
export async function updateActions(
  tx: Database,
  batch: BatchRow,
  { items, stuck, reversing, blocked }: ItemCounts,
): Promise<void> {
  if (stuck > 0)
    await raiseAction(tx, {
      kind: unpaidRecipientKind,
      organizationId: batch.organizationId,
      cause: causeOf('unknown', batch),
      title: `Batch ${batch.batchId}: the outcome of ${counted(stuck, 'item')} is unknown`,
      reason:
        'All checks with the payment provider are done. To avoid paying twice, nothing is sent again after 23 hours: look it up at the provider.',
      href: `${hrefOf(batch)}?status=unknown`,
      actions: [checkButton(batch), seeButton(batch)],
    })
  else await resolveAction(tx, causeOf('unknown', batch))
  const unpaid = items.returned + items.failed
  if (blocked > 0 || (reversing > 0 && items.returned > 0))
    await raiseAction(tx, {
      kind: unpaidRecipientKind,
      organizationId: batch.organizationId,
      cause: causeOf('returned', batch),
      title: `Batch ${batch.batchId}: ${counted(unpaid, 'payout')} not paid`,
      reason:
        blocked > 0
          ? 'The money is in the recipient’s account at the provider: the transfer can’t be reversed.'
          : 'The bank returned the money. Its transfer to the recipient’s account is being reversed.',
      href: hrefOf(batch),
      actions: [checkButton(batch), seeButton(batch)],
    })
  else await resolveAction(tx, causeOf('returned', batch))
}
