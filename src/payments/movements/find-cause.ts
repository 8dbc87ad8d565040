import { nullFor404 } from '#lib/errors.ts'
import type { PaymentsWork } from '../work.ts'
import { findSubject, type Subject } from '../webhooks/find-subject.ts'
import type { ProviderObject } from '../webhooks/provider-event.ts'
import type { OwnAccount } from './account.ts'
import type { Movement } from './read.ts'

/** The provider names a reversal’s transfer only in lists of that transfer. */
export const canFindCause = ({ sourceId }: Movement): boolean => !sourceId?.startsWith('trr_')

/** Our payment or settlement item that a movement is of. @throws {Problem} of the gateway */
export async function findCause(
  work: PaymentsWork,
  { organizationId, account, payer }: OwnAccount,
  { sourceId }: Movement,
): Promise<(Subject & { intentId: string | undefined }) | null> {
  const object = await readSource(work, payer, sourceId ?? '')
  if (!object) return null
  const intentId = object.payment_intent ?? undefined
  const origin = { organizationId, isOwn: account.startsWith('organization:') }
  const found = await findSubject(work.db, object, origin)
  if (found) return { ...found, intentId }
  const intent =
    intentId !== undefined &&
    (await work.gateway.payments.getPaymentIntent({ ...payer, id: intentId }).catch(nullFor404))
  const named = intent
    ? await findSubject(work.db, { ...object, id: undefined, metadata: intent.metadata }, origin)
    : null
  return named && { ...named, intentId }
}

async function readSource(
  { gateway: { payments } }: PaymentsWork,
  payer: OwnAccount['payer'],
  id: string,
): Promise<ProviderObject | null> {
  const [prefix] = id.split('_')
  const request = { ...payer, id }
  const none = { id, payment_link: null, payment_intent: null, charge: null }
  switch (prefix) {
    case 'ch':
    case 'py': {
      const found = await payments.getCharge(request).catch(nullFor404)
      return found && { ...none, object: 'charge', metadata: found.metadata, payment_intent: found.paymentIntentId }
    }
    case 're':
    case 'pyr': {
      const found = await payments.getRefund(request).catch(nullFor404)
      const { metadata = {}, paymentIntentId = null, chargeId = null } = found ?? {}
      return found && { ...none, object: 'refund', metadata, payment_intent: paymentIntentId, charge: chargeId }
    }
    case 'dp':
    case 'du': {
      const found = await payments.getDispute(request).catch(nullFor404)
      const { metadata = {}, paymentIntentId = null, chargeId = null } = found ?? {}
      return found && { ...none, object: 'dispute', metadata, payment_intent: paymentIntentId, charge: chargeId }
    }
    case 'tr': {
      const found = await payments.getTransfer(request).catch(nullFor404)
      return found && { ...none, object: 'transfer', metadata: found.metadata }
    }
    default:
      return null
  }
}
