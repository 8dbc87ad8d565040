import { eq } from 'drizzle-orm'
import { presentedBy } from '#identity'
import { networkOf } from '#lib/address.ts'
import type { Call } from '#lib/call.ts'
import { Problem, retryLater } from '#lib/errors.ts'
import { newId, randomToken, digest } from '#lib/ids.ts'
import { countWithinQuota } from '#lib/limits.ts'
import { publicUrl } from '#lib/public-url.ts'
import { countForm } from '../marketing/quota.ts'
import { checkouts } from '../schema.ts'
import type { CheckoutDraft } from './contract.ts'

const hourMs = 60 * 60_000
/** Of one email address from one network in an hour. */
const maxPerHour = 20

interface Started {
  id: string
  checkoutUrl: string
  secret: string
}

/** Creates a page to pay on; nothing else exists before it is paid. @throws {Problem} 422, 429, 502, 503 */
export async function startCheckout(call: Call, draft: CheckoutDraft): Promise<Started> {
  const { db, now } = call
  await requireFew(call, draft.email)
  await countForm(call, db, 'checkout')
  const { package: name, email, organizationName } = draft
  const seats = name === 'free' ? 1 : draft.seats
  const id = newId()
  const secret = randomToken()
  await db.insert(checkouts).values({
    id,
    package: name,
    seats,
    email,
    organizationName,
    secretHash: digest(secret),
    personId: newId(),
    createdAt: now(),
    checkedAt: now(),
  })
  const href = publicUrl(`/checkout/${id}`, call.config, call.request)
  const { subscription, checkoutUrl, expiresAt } = await call.subscriptions
    .checkout(
      {
        package: name,
        seats,
        ownerType: 'checkout',
        ownerId: id,
        ...(name === 'free' && { currency: 'USD' }),
        email,
        name: organizationName,
        successUrl: href,
        cancelUrl: publicUrl(`/checkout?${new URLSearchParams({ left: id })}`, call.config, call.request),
      },
      id,
      call.config.PUBLIC_URL === undefined ? call.request.url.origin : null,
    )
    .catch(async (error: unknown) => {
      await db.update(checkouts).set({ state: 'abandoned', problem: 'not_started' }).where(eq(checkouts.id, id))
      throw error
    })
  if (checkoutUrl === null) throw new Error('A checkout has no page to pay on')
  await db
    .update(checkouts)
    .set({ subscriptionId: subscription.id, checkoutUrl, expiresAt: expiresAt === null ? null : new Date(expiresAt) })
    .where(eq(checkouts.id, id))
  return { id, checkoutUrl, secret }
}

/** A stranger who enters the address of another person uses up only the orders of their own network. */
async function requireFew(call: Call, email: string): Promise<void> {
  const { db, request } = call
  const subject = digest(`${email} ${request.address ? networkOf(request.address) : ''}`)
  const quota = { name: 'checkouts-address', subject, max: maxPerHour, windowMs: hourMs }
  if ((await countWithinQuota(db, quota)) || (await isOwner(call, email))) return
  throw retryLater(429, 'too_many_checkouts', 'Too many checkouts with this email address. Try again in an hour.')
}

/** Whether the caller is signed in with this address, which is verified. Public operations don’t read the credential. */
async function isOwner({ identity, request }: Call, email: string): Promise<boolean> {
  const me = await identity.me(presentedBy(request)).catch((error: unknown) => {
    if (error instanceof Problem) return null
    throw error
  })
  return me !== null && me.user.emailVerified && me.user.email.toLowerCase() === email
}
