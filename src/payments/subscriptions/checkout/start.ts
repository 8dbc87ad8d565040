import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { conflict, invalid } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import type { SubscriptionCheckout } from '../../contract/subscriptions.ts'
import { isKeyKnown } from '../../provider-keys.ts'
import { subscriptions } from '../../schema.ts'
import { ensureEndpoint } from '../../webhooks/ensure-endpoint.ts'
import { nextCheckOf } from '../../work.ts'
import { currentPrice } from '../prices.ts'
import { findOpen, type PriceRow, type SubscriptionRow } from '../rows.ts'
import { requireAllowed } from './allowed.ts'
import { closeCheckout } from './close.ts'
import { createAtProvider } from './create-at-provider.ts'
import { checkoutBusy } from './sending.ts'

type CheckoutCall = Call<unknown, Actor>

interface Started {
  row: SubscriptionRow
  isNew: boolean
}

const maxAttempts = 3

/**
 * One open subscription per owner: the same request again returns its page, another one replaces it until it is paid.
 * @throws {Problem} 409 `already_subscribed`, `subscription_busy`, those of `requireAllowed`, 422, and what the provider refused
 */
export async function startCheckout(call: CheckoutCall, draft: SubscriptionCheckout): Promise<Started> {
  const { db, gateway, now } = call
  if (draft.ownerType === 'organization') await requireOwner(call, draft.ownerId)
  const price = await currentPrice(db, draft, now())
  const payer = draft.ownerType === 'organization' ? draft.ownerId : undefined
  const { accountKey } = await gateway.payments.getAccount({ organizationId: payer, accountKey: 'platform' })
  await ensureEndpoint(call, payer, accountKey)
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const open = await findOpen(db, draft)
    if (!open) await requireAllowed(call, draft)
    const row = open ?? (await insert(call, draft, price, accountKey))
    if (!row) continue
    if (!open) return { row: await createAtProvider(call, row), isNew: true }
    if (row.status !== 'incomplete') throw alreadySubscribed(row)
    if (isSame(row, draft, price) && canContinue(row, now())) {
      const isOpen = row.checkoutSessionId !== null
      return { row: isOpen ? row : await createAtProvider(call, row), isNew: false }
    }
    await closeCheckout(call, row)
  }
  throw checkoutBusy()
}

async function requireOwner({ identity }: CheckoutCall, ownerId: string): Promise<void> {
  const { exists, suspended } = await identity.organizationState(ownerId)
  if (!exists) throw invalid([{ path: 'ownerId', message: 'This organization doesn’t exist.' }])
  if (suspended) throw conflict('organization_suspended', 'This organization is suspended, so it can’t subscribe.')
}

const alreadySubscribed = ({ id }: SubscriptionRow) =>
  conflict('already_subscribed', 'This organization has a subscription already. Change it instead.', {
    subscriptionId: id,
  })

/** Undefined when another request was first. */
const insert = (
  call: CheckoutCall,
  { ownerType, ownerId, package: name, seats, email, name: ownerName, trialDays, ...urls }: SubscriptionCheckout,
  price: PriceRow,
  accountKey: string,
): Promise<SubscriptionRow | undefined> =>
  auditedTransaction(call, async (tx) => {
    const { successUrl, cancelUrl } = urls
    const [row] = await tx
      .insert(subscriptions)
      .values({
        id: newId(),
        ownerType,
        organizationId: ownerId,
        package: name,
        seats,
        email,
        name: ownerName,
        trialDays: trialDays ?? null,
        successUrl,
        cancelUrl,
        priceId: price.id,
        accountKey,
        createdAt: call.now(),
        nextCheckAt: nextCheckOf(call, 0),
      })
      .onConflictDoNothing()
      .returning()
    if (row)
      recordChange(tx, {
        object: 'subscription',
        id: row.id,
        organizationId: ownerId,
        after: { package: name, seats, status: row.status },
      })
    return row
  })

const isSame = (row: SubscriptionRow, draft: SubscriptionCheckout, price: PriceRow): boolean =>
  row.priceId === price.id &&
  row.seats === draft.seats &&
  row.email === draft.email &&
  row.name === draft.name &&
  row.trialDays === (draft.trialDays ?? null) &&
  row.successUrl === draft.successUrl &&
  row.cancelUrl === draft.cancelUrl

/** Its page can still be paid, or its creation be repeated. */
const canContinue = ({ checkoutSessionId, checkoutExpiresAt, createdAt }: SubscriptionRow, now: Date): boolean =>
  checkoutSessionId === null ? isKeyKnown(createdAt, now) : checkoutExpiresAt !== null && checkoutExpiresAt > now
