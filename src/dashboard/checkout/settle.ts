import { and, eq, inArray, ne } from 'drizzle-orm'
import { auditedJobTransaction, recordChange } from '#lib/audit.ts'
import { transact, type Database } from '#lib/db.ts'
import { Problem } from '#lib/errors.ts'
import { publicUrlOfJob } from '#lib/public-url.ts'
import type { Letter } from '#lib/mail.ts'
import {
  checkoutDuplicateLetter,
  checkoutEndedLetter,
  checkoutRefusedLetter,
  checkoutUnclaimedLetter,
  checkoutWaitingLetter,
} from '#views/emails/checkout.tsx'
import { checkouts, freeWorkspaces, platformSubscriptions } from '../schema.ts'
import { applyAccess } from './apply.ts'
import { installApps } from './apps.ts'
import { provision } from './provision.ts'
import type { CheckoutRow } from './rows.ts'
import type { CheckoutWork } from './work.ts'

type Changes = Partial<typeof checkouts.$inferInsert>

/** Makes what a paid checkout bought, once. Every step can be repeated, so a restart in between loses nothing. */
export async function settleCheckout(work: CheckoutWork, row: CheckoutRow): Promise<void> {
  const { db, now } = work
  if (row.state === 'open') await db.update(checkouts).set({ state: 'paid', paidAt: now() }).where(unsettled(row))
  const made = await provision(work, row)
  if (made.outcome === 'refused') return refuse(work, row, made.problem)
  if (made.outcome === 'account_exists') {
    if (await wasBoughtBefore(db, row)) return giveBack(work, row)
    const letter = checkoutWaitingLetter({ name: row.organizationName, href: hrefOf(work, row) })
    await save(work, row, { state: 'waiting' }, letter)
    return
  }
  await complete(work, row, made)
}

interface Target {
  organizationId: string
  personId: string
}

/** @param madeAccount Whether the account is the checkout’s own */
export async function complete(
  work: CheckoutWork,
  row: CheckoutRow,
  { organizationId, personId }: Target,
  madeAccount = true,
): Promise<void> {
  const { db, subscriptions, now } = work
  if (row.subscriptionId === null) throw new Error('A paid checkout has no subscription')
  try {
    await subscriptions.assign({ id: row.subscriptionId, organizationId })
  } catch (error) {
    if (error instanceof Problem && error.code === 'already_subscribed') return giveBack(work, row)
    throw error
  }
  const owner = { ownerType: 'organization', holderId: organizationId }
  for (const table of [platformSubscriptions, freeWorkspaces])
    await db.update(table).set(owner).where(eq(table.id, row.subscriptionId))
  await applyAccess(work, organizationId)
  const apps = await installApps(work, organizationId, personId)
  await save(work, row, { state: 'ready', readyAt: now(), organizationId, personId, madeAccount, apps })
}

/** The owner of the account chose no organization in time. */
export const refuseUnclaimed = (work: CheckoutWork, row: CheckoutRow): Promise<void> =>
  refuse(work, row, 'order_unclaimed', checkoutUnclaimedLetter)

/** It ended before it was used. */
export const refuseEnded = (work: CheckoutWork, row: CheckoutRow): Promise<void> =>
  refuse(work, row, 'order_ended', checkoutEndedLetter)

type RefusalLetter = (order: { name: string; href: string; problem: string }) => Letter

/** It can’t be used, so it is ended and refunded. */
async function refuse(
  work: CheckoutWork,
  row: CheckoutRow,
  problem: string,
  letterOf: RefusalLetter = checkoutRefusedLetter,
): Promise<void> {
  if (row.subscriptionId !== null) await work.subscriptions.end(row.subscriptionId)
  const letter = letterOf({ name: row.organizationName, href: publicUrlOfJob('/checkout', work.config), problem })
  await save(work, row, { state: 'refused', problem }, letter)
}

/** The organization has a subscription already. */
async function giveBack(work: CheckoutWork, row: CheckoutRow): Promise<void> {
  if (row.subscriptionId !== null) await work.subscriptions.end(row.subscriptionId)
  await save(
    work,
    row,
    { state: 'duplicate' },
    checkoutDuplicateLetter({ name: row.organizationName, href: publicUrlOfJob('/settings/billing', work.config) }),
  )
}

/** Whether the account is of another checkout of the same purchase, which was paid twice. */
async function wasBoughtBefore(db: Database, { id, email, organizationName }: CheckoutRow): Promise<boolean> {
  const [found] = await db
    .select({ id: checkouts.id })
    .from(checkouts)
    .where(
      and(
        eq(checkouts.email, email),
        eq(checkouts.organizationName, organizationName),
        eq(checkouts.madeAccount, true),
        ne(checkouts.id, id),
      ),
    )
    .limit(1)
  return found !== undefined
}

const unsettled = ({ id }: CheckoutRow) =>
  and(eq(checkouts.id, id), inArray(checkouts.state, ['open', 'paid', 'waiting']))

const hrefOf = ({ config }: CheckoutWork, { id }: CheckoutRow): string => publicUrlOfJob(`/checkout/${id}`, config)

/** With the mail that explains it, both once. */
const save = (work: CheckoutWork, row: CheckoutRow, changes: Changes, letter?: Letter): Promise<void> =>
  auditedJobTransaction(
    { transaction: (inside) => transact(work.db, inside) },
    { operation: 'settleCheckout', now: work.now, service: 'platform-dashboard-website' },
    async (tx) => {
      const [after] = await tx
        .update(checkouts)
        .set(changes)
        .where(and(unsettled(row), ne(checkouts.state, changes.state ?? 'open')))
        .returning()
      if (!after) return
      recordChange(tx, {
        object: 'checkout',
        id: row.id,
        before: { state: row.state },
        after: { state: after.state },
        ...(after.organizationId !== null && { organizationId: after.organizationId }),
      })
      if (letter) await work.mail.send(tx, row.email, letter, work.now())
    },
  )
