import { OutboundError } from '#lib/outbound/error.ts'
import type { FindFault } from '../credentials/checker.ts'
import { secretSchemaOf } from '../credentials/kinds.ts'
import { createClient, loadStripe } from './stripe.ts'

const timeoutMs = 10_000

/** Reads the account, which every payment is stored with, and costs nothing. */
export const findPaymentsFault: FindFault = async (call, stored) => {
  const Sdk = await loadStripe()
  const { id, level, provider, baseUrl } = stored
  const secret = secretSchemaOf('stripe').parse(stored.secret)
  try {
    await createClient(Sdk, call, { id, level, provider, baseUrl, secret }).accounts.retrieveCurrent(
      {},
      { timeout: timeoutMs },
    )
    return null
  } catch (error) {
    if (error instanceof Sdk.errors.StripeConnectionError && error.detail instanceof OutboundError)
      return error.detail.message
    const status = error instanceof Sdk.errors.StripeError ? error.statusCode : undefined
    if (status === 403)
      return `The restricted key can’t read its own account. Give it read access to accounts at ${provider}.`
    if (status === 401) return `${provider} rejected the key (401).`
    return status === undefined
      ? `${provider} didn’t respond as Stripe does.`
      : `${provider} responded ${status} to ${baseUrl}/v1/account.`
  }
}
