import { Problem } from '#lib/errors.ts'

/** Of the signature’s time, in seconds. */
const tolerance = 300

/**
 * The event of a body that one of the secrets signed; null for a wrong, missing or old signature.
 *
 * @throws {SyntaxError} for a signed body that isn’t JSON, {Problem} 400 for one that is no event
 */
export async function verifySigned(
  raw: Uint8Array,
  signature: string | null,
  secrets: readonly string[],
): Promise<unknown> {
  // Loaded at the first event: it takes 20 MB.
  const { Stripe } = await import('stripe')
  for (const secret of secrets) {
    try {
      return await Stripe.webhooks.constructEventAsync(Buffer.from(raw), signature ?? '', secret, tolerance)
    } catch (cause) {
      if (cause instanceof Stripe.errors.StripeSignatureVerificationError) continue
      if (cause instanceof SyntaxError) throw cause
      throw new Problem(400, 'malformed', 'The body is no event of an endpoint for snapshots.', { cause })
    }
  }
  return null
}
