import { recordChange, auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { errorFacts } from '#lib/log.ts'
import { truncate, sanitizeText } from '#lib/text.ts'
import type { Provider, ProviderFailure } from './provider.ts'

/** Characters of a stored reason: it can contain text of the provider. */
const maxLength = 300

/** Recorded in the audit log only if it was started in this browser. Codes and tokens are never part of a reason. */
export async function reportFailure(
  call: Call,
  provider: Provider,
  { reason, message, cause }: ProviderFailure,
  started: boolean,
): Promise<void> {
  const detail = truncate(sanitizeText(message), maxLength)
  const why =
    cause === undefined ? {} : { cause: truncate(sanitizeText(String(errorFacts(cause)['error'])), maxLength) }
  call.log.warn('social login failed', { request: call.request.id, provider: provider.id, reason, detail, ...why })
  // Anyone can open the URL without having started a sign-in: that must not fill the audit log.
  if (!started) return
  const organizationId = provider.own?.organizationId ?? null
  await auditedTransaction(call, async (tx) =>
    recordChange(tx, {
      object: 'sso_sign_in',
      id: provider.id,
      refused: true,
      after: { reason, detail, ...why },
      organizationId,
    }),
  )
}
