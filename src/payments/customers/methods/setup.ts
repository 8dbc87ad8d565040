import { desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import { newId } from '#lib/ids.ts'
import { logFault } from '#lib/log/fault.ts'
import type { NewPaymentMethodSetup, SetupDraft } from '../../contract/payment-methods.ts'
import { orders } from '../../schema.ts'
import { ensureEndpoint } from '../../webhooks/ensure-endpoint.ts'
import { ensureProviderCustomer } from './provider-customers.ts'
import { sendDetails } from './send-details.ts'

/** Where a customer saves a payment method. @throws {Problem} 404, 409, and the gateway’s */
export async function createSetup(
  call: Call<unknown, Actor>,
  { id: customerId, mode, successUrl, cancelUrl }: z.output<typeof SetupDraft>,
): Promise<z.input<typeof NewPaymentMethodSetup>> {
  const organizationId = organizationOf(call.actor, 'customers:write')
  const { payments } = call.gateway
  const { accountKey } = await payments.getAccount({ organizationId })
  const row = await ensureProviderCustomer(call, { organizationId, customerId, accountKey })
  await ensureEndpoint(call, organizationId)
  // The page has the email address then. Without it, the job sends them.
  await sendDetails(call, row).catch((error: unknown) => logFault(call.log, 'sending a customer’s details', error))
  await auditedTransaction(call, async (tx) => {
    recordChange(tx, { object: 'customer', id: customerId, after: { paymentMethodSetup: mode } })
  })
  const shared = {
    organizationId,
    accountKey,
    idempotencyKey: newId(),
    customer: row.providerCustomerId,
    metadata: { organizationId, customerId },
  }
  if (mode === 'intent') {
    const made = await payments.createSetupIntent({
      ...shared,
      usage: 'off_session',
      automaticPaymentMethods: { enabled: true },
    })
    return { id: made.id, mode, url: null, clientSecret: made.clientSecret, expiresAt: null }
  }
  const own = new URL(`/pay/customers/${customerId}?added=true`, originOf(call)).href
  const made = await payments.createCheckoutSession({
    ...shared,
    mode: 'setup',
    currency: await usualCurrency(call, organizationId),
    successUrl: successUrl ?? own,
    cancelUrl: cancelUrl ?? new URL(`/pay/customers/${customerId}`, own).href,
  })
  return { id: made.id, mode, url: made.url, clientSecret: null, expiresAt: made.expiresAt }
}

const originOf = ({ config, request }: Call): string => config.PAY_APP_URL ?? config.PUBLIC_URL ?? request.url.origin

/** The provider offers the payment methods that take it. */
async function usualCurrency({ db }: Pick<Call, 'db'>, organizationId: string): Promise<string> {
  const [latest] = await db
    .select({ currency: orders.currency })
    .from(orders)
    .where(eq(orders.organizationId, organizationId))
    .orderBy(desc(orders.id))
    .limit(1)
  return latest?.currency ?? 'EUR'
}
