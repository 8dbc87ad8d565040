import { audited, auditedStep } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { errorFacts } from '#lib/log.ts'
import { cut, keepable } from '#lib/words.ts'
import type { Provider, UpstreamFailure } from './provider.ts'

/** Characters of what is kept of a reason: a provider's own words can be in it. */
const maxLength = 300

/**
 * Writes why a sign-in by a provider failed to the log, and to the audit log where it was started in this browser: for an
 * organization's own provider to that organization's, which its admins read. Codes and tokens are never in a reason.
 */
export async function reportFailure(
  call: Call,
  provider: Provider,
  { reason, message, cause }: UpstreamFailure,
  started: boolean,
): Promise<void> {
  const detail = cut(keepable(message), maxLength)
  const why = cause === undefined ? {} : { cause: cut(keepable(String(errorFacts(cause)['error'])), maxLength) }
  call.log.warn('upstream sign-in failed', { request: call.request.id, provider: provider.id, reason, detail, ...why })
  // Anybody can open the address without having started: that must not fill the audit log.
  if (!started) return
  const organizationId = provider.own?.organizationId ?? null
  await auditedStep(call, async (tx) =>
    audited(tx, {
      object: 'upstream_sign_in',
      id: provider.id,
      refused: true,
      after: { reason, detail, ...why },
      organizationId,
    }),
  )
}
