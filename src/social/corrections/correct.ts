import { auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { Problem } from '#lib/errors.ts'
import { askNetwork } from '../accounts/tokens/ask-network.ts'
import type { CallWithVideo, CorrectCall, CorrectionCheck, CorrectionOutcome } from '../networks/network.ts'
import { begin, type StoredCorrection, type CorrectionCall } from './begin.ts'
import { hasTimeForStep } from './lease.ts'
import type { CorrectionRow } from './row.ts'
import type { CorrectionInput } from './input.ts'
import { settle, unconfirmed, type CorrectionResult } from './settle.ts'

/**
 * Repeatable: the same text again returns the correction that was made. Between its two transactions none is open.
 * @throws {Problem} as `begin`; 502 when the network refuses it or doesn't confirm it, which the history has
 */
export async function correct(
  call: CorrectionCall & Pick<Call, 'operation'>,
  input: CorrectionInput,
): Promise<CorrectionRow> {
  const stored = await auditedTransaction(call, (tx) => begin(tx, call, input))
  if (stored.kind === 'repeated') return stored.correction
  const result = await send(call, stored)
  const settled = await auditedTransaction(call, (tx) => settle(tx, call, stored.correction, result))
  if (settled.state === 'failed' || settled.state === 'unknown')
    throw new Problem(502, settled.failureCode ?? 'provider_refused', settled.failureMessage ?? '')
  return settled
}

/**
 * Sent at most twice: corrections can be repeated, so a lost response leads to reading the post and sending again, while
 * no other server can have settled the correction.
 */
async function send(call: CorrectionCall, stored: StoredCorrection): Promise<CorrectionResult> {
  const startedAt = performance.now()
  const hasTime = () => hasTimeForStep(startedAt, call.config.PROVIDER_TIMEOUT_MS)
  const first = await sendOnce(call, stored)
  if (first.kind !== 'unclear') return resultOf(stored, first)
  if (!hasTime()) return unconfirmed(first.message)
  const check = await checkText(call, stored)
  if (check.kind === 'corrected') return { state: 'corrected' }
  if (check.kind !== 'not_corrected') return unconfirmed(check.message)
  if (!hasTime()) return unconfirmed(first.message)
  const second = await sendOnce(call, stored)
  if (second.kind !== 'unclear') return resultOf(stored, second)
  if (!hasTime()) return unconfirmed(second.message)
  return (await checkText(call, stored)).kind === 'corrected' ? { state: 'corrected' } : unconfirmed(second.message)
}

const signedOut = ({ network }: StoredCorrection) =>
  ({
    kind: 'refused',
    code: 'signed_out',
    message: `${network.name} signed the account out. Reconnect it, then correct the post.`,
    transient: false,
  }) as const

async function sendOnce(call: CorrectionCall, stored: StoredCorrection): Promise<CorrectionOutcome> {
  const outcome = await askNetwork<CorrectionOutcome>(call, stored, (asking) =>
    stored.corrections.correct(correctionOf(stored, asking)),
  )
  return outcome === 'signed_out' ? signedOut(stored) : outcome
}

async function checkText(
  call: CorrectionCall,
  stored: StoredCorrection,
): Promise<Exclude<CorrectionCheck, { kind: 'unauthorized' }>> {
  const check = await askNetwork<CorrectionCheck>(call, stored, (asking) =>
    stored.corrections.check(correctionOf(stored, asking)),
  )
  if (check === 'signed_out') return { kind: 'unreadable', message: signedOut(stored).message }
  return check.kind === 'unauthorized' ? { kind: 'unreadable', message: check.message } : check
}

const correctionOf = (
  { correction: { text }, platformPostId }: StoredCorrection,
  asking: CallWithVideo,
): CorrectCall => ({
  ...asking,
  platformPostId,
  text,
})

function resultOf(
  { network }: StoredCorrection,
  outcome: Exclude<CorrectionOutcome, { kind: 'unclear' }>,
): CorrectionResult {
  if (outcome.kind === 'corrected') return { state: 'corrected' }
  const failureCode = outcome.kind === 'unauthorized' ? 'signed_out' : outcome.code
  return { state: 'failed', failureCode, failureMessage: `${outcome.message} ${network.name} shows the former text.` }
}
