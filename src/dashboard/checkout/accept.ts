import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { presentedBy } from '#identity'
import { conflict, Problem } from '#lib/errors.ts'
import { complete } from './settle.ts'
import { findCheckout, type CheckoutRow } from './rows.ts'

/**
 * The owner of the account that has its email address uses a paid checkout for their organization. @throws {Problem} 403,
 * 404, 409 `checkout_state`
 */
export async function acceptCheckout(call: Call<unknown, Actor>, id: string): Promise<CheckoutRow> {
  const row = await findCheckout(call.db, id)
  if (row.state !== 'waiting') throw conflict('checkout_state', 'This checkout isn’t waiting for an organization.')
  const { user } = await call.identity.me(presentedBy(call.request))
  if (user.email.toLowerCase() !== row.email)
    throw new Problem(403, 'forbidden', 'Sign in with the email address that was entered at the checkout.')
  // Anyone can sign up with the address of a person who pays later.
  if (!user.emailVerified)
    throw new Problem(403, 'forbidden', 'Verify your email address in your profile first, then open this page again.')
  const { organization, principal } = call.actor
  if (organization?.role !== 'owner')
    throw new Problem(403, 'forbidden', 'Switch to an organization that you own first.')
  await complete(call, row, { organizationId: organization.id, personId: principal.id }, false)
  return findCheckout(call.db, id)
}
