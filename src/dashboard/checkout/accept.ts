import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { presentedBy } from '#identity'
import { conflict, Problem } from '#lib/errors.ts'
import { complete } from './settle.ts'
import type { CheckoutOffer } from './contract.ts'
import { findCheckout, type CheckoutRow } from './rows.ts'

const notWaiting = 'This checkout isn’t waiting for an organization.'

/**
 * The owner of the account that has its email address uses a paid checkout for their organization. @throws {Problem} 403,
 * 404, 409 `checkout_state`
 */
export async function acceptCheckout(call: Call<unknown, Actor>, id: string): Promise<CheckoutRow> {
  const row = await findCheckout(call.db, id)
  if (row.state !== 'waiting') throw conflict('checkout_state', notWaiting)
  const organization = await ownedBy(call, call.actor, row)
  await complete(call, row, { organizationId: organization.id, personId: call.actor.principal.id }, false)
  return findCheckout(call.db, id)
}

/** Whether the caller's current organization can use it, for a page that offers that. @throws {Problem} 404 */
export async function offerCheckout(call: Call<unknown, Actor>, id: string): Promise<CheckoutOffer> {
  const row = await findCheckout(call.db, id)
  if (row.state !== 'waiting') return { organization: null, code: 'checkout_state', problem: notWaiting }
  try {
    return { organization: (await ownedBy(call, call.actor, row)).slug, code: null, problem: null }
  } catch (error) {
    if (error instanceof Problem && error.status === 403)
      return { organization: null, code: error.code, problem: error.message }
    throw error
  }
}

/** The organization of the person with the checkout’s email address. @throws {Problem} 403 */
async function ownedBy(call: Call, { organization }: Actor, row: CheckoutRow) {
  const { user } = await call.identity.me(presentedBy(call.request))
  if (user.email.toLowerCase() !== row.email)
    throw new Problem(403, 'other_email', 'Sign in with the email address that was entered at the checkout.')
  // Anyone can sign up with the address of a person who pays later.
  if (!user.emailVerified)
    throw new Problem(
      403,
      'email_unverified',
      'Verify your email address in your profile first, then open this page again.',
    )
  if (organization?.role !== 'owner')
    throw new Problem(403, 'owner_required', 'Switch to an organization that you own first.')
  return organization
}
