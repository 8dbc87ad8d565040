import { and, asc, eq, sql } from 'drizzle-orm'
import { responsibleOf, type Actor } from '#lib/actor.ts'
import { auditedTransaction, recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, invalid, notFound, Problem, type FieldError } from '#lib/errors.ts'
import { digest, newId } from '#lib/ids.ts'
import { urlProblem } from '#lib/outgoing-webhooks/url.ts'
import type { z } from 'zod'
import type { BatchDraft, NewSettlement, RequesterKind } from '../contract/settlements.ts'
import { ensureDefaultMerchant } from '../orders/merchants.ts'
import { amountProblem, isProvided } from '../provider-amounts.ts'
import { settlementItems, settlements } from '../schema.ts'
import { ensureEndpoint } from '../webhooks/ensure-endpoint.ts'
import { findBatch, ownerOf, type BatchOwner } from './access.ts'
import { askForApproval } from './actions.ts'
import { announceBatch } from './announce.ts'
import { exceededCeiling } from './ceiling.ts'
import { ensureCallbackSecret } from './callbacks/secrets.ts'
import type { BatchRow } from './rows.ts'
import { enqueueStart } from './start.ts'

type Intake = Call<unknown, Actor>

/** Rows of one statement, whose parameters are limited. */
const chunk = 1_000

/**
 * Stores a batch once: the same one again returns its current state. @throws {Problem} 409 `batch_differs` for another
 * body under its ID, 422
 */
export async function takeBatch(call: Intake, draft: BatchDraft): Promise<z.input<typeof NewSettlement>> {
  const owner = await ownerOf(call, 'settlements:write')
  const callbackUrl = checkDraft(call, draft)
  const bodyHash = digest(canonicalText({ ...draft, callbackUrl }))
  // A repetition is answered while the provider can't be reached, too.
  if (await isKnown(call.db, owner, draft.batchId))
    return auditedTransaction(call, async (tx) => describe(tx, await repeatBatch(tx, owner, draft.batchId, bodyHash)))
  const accountKey = await requireOwnAccount(call, owner.organizationId)
  await ensureEndpoint(call, owner.organizationId)
  return auditedTransaction(call, async (tx) => {
    const batch = await insertBatch(tx, call, owner, { ...draft, accountKey, callbackUrl, bodyHash })
    return describe(tx, batch ?? (await repeatBatch(tx, owner, draft.batchId, bodyHash)))
  })
}

/** As `takeBatch` returned it, for the caller that sent it. @throws {Problem} 404 also for batches of others */
export async function readSentBatch(call: Intake, batchId: string): Promise<z.input<typeof NewSettlement>> {
  const owner = await ownerOf(call, 'settlements:write')
  const batch = await findBatch(call.db, owner, batchId)
  if (owner.service === null && batch.requestedBy !== call.actor.principal.id) throw notFound('batch')
  return describe(call.db, batch)
}

async function isKnown(db: Database, { organizationId }: BatchOwner, batchId: string): Promise<boolean> {
  const [batch] = await db
    .select({ id: settlements.id })
    .from(settlements)
    .where(and(eq(settlements.organizationId, organizationId), eq(settlements.batchId, batchId)))
  return batch !== undefined
}

/** The balance of the platform’s account is everyone’s. @throws {Problem} 422 `own_account_required` */
async function requireOwnAccount({ gateway }: Intake, organizationId: string): Promise<string> {
  const { level, accountKey } = await gateway.payments.getAccount({ organizationId })
  if (level !== 'platform') return accountKey
  throw new Problem(
    422,
    'own_account_required',
    'Settlements need an account of your own at the payment provider: store its key under the organization’s credentials.',
  )
}

/** @throws {Problem} 422 with all that is wrong; returns the normalized URL */
function checkDraft(call: Intake, { items, controlSum, currency, callbackUrl }: BatchDraft): string {
  const url = URL.parse(callbackUrl)
  const problem = urlProblem(call, url)
  const references = new Set<string>()
  const errors: FieldError[] = []
  if (problem !== null) errors.push({ path: 'callbackUrl', message: problem })
  if (!isProvided(currency))
    errors.push({ path: 'currency', message: `The payment provider has no payouts in ${currency}.` })
  for (const [at, { reference, amount }] of items.entries()) {
    const amountError = amountProblem(amount, currency, 'payout')
    if (amountError !== null) errors.push({ path: `items.${at}.amount`, message: amountError })
    if (references.has(reference))
      errors.push({ path: `items.${at}.reference`, message: 'Must be unique within the batch.' })
    references.add(reference)
  }
  const sum = items.reduce((total, { amount }) => total + amount, 0n)
  if (sum !== controlSum)
    errors.push({ path: 'controlSum', message: `Must be ${sum}, the sum of the amounts of all items.` })
  if (errors.length > 0 || !url) throw invalid(errors.slice(0, 100))
  url.hash = ''
  return url.href
}

const canonicalText = ({ batchId, callbackUrl, controlSum, currency, items }: BatchDraft): string =>
  JSON.stringify({
    batchId,
    callbackUrl,
    controlSum: String(controlSum),
    currency,
    items: items.map(({ amount, recipient, reference }) => ({ amount: String(amount), recipient, reference })),
  })

const requesterKinds: Readonly<Record<Actor['tokenType'], RequesterKind>> = {
  access: 'person',
  session: 'person',
  api_key: 'api_key',
  service: 'service',
}

/** Undefined when there is one with this ID: the transaction that stores it has ended then. */
async function insertBatch(
  tx: Database,
  call: Intake,
  { organizationId, service }: BatchOwner,
  draft: BatchDraft & { bodyHash: string; accountKey: string },
): Promise<BatchRow | undefined> {
  const { batchId, currency, accountKey, callbackUrl, controlSum, items, bodyHash } = draft
  const { actor } = call
  const merchant = await ensureDefaultMerchant(tx, organizationId)
  const responsibleId = service === null ? responsibleOf(actor) : null
  const at = call.now()
  const ceiling = await exceededCeiling(tx, { organizationId, currency, controlSum, responsibleId, service, at })
  const isAbove = ceiling !== null
  const [batch] = await tx
    .insert(settlements)
    .values({
      id: newId(),
      organizationId,
      merchantId: merchant.id,
      batchId,
      status: isAbove ? 'needs_approval' : 'accepted',
      currency,
      controlSum,
      itemCount: items.length,
      accountKey,
      callbackUrl,
      bodyHash,
      requestedBy: actor.principal.id,
      responsibleId,
      requesterKind: actor.app ? 'api_key' : requesterKinds[actor.tokenType],
      requestingService: service,
      ceiling,
      lastSequence: 1,
      createdAt: at,
      dueAt: isAbove ? null : at,
    })
    .onConflictDoNothing({ target: [settlements.organizationId, settlements.batchId] })
    .returning()
  if (!batch) return undefined
  const rows = items.map((item, position) => ({
    ...item,
    id: newId(),
    organizationId,
    settlementId: batch.id,
    position: position + 1,
    accountKey,
    currency,
    createdAt: at,
    changedAt: at,
  }))
  for (let from = 0; from < rows.length; from += chunk)
    await tx.insert(settlementItems).values(rows.slice(from, from + chunk))
  await ensureCallbackSecret(tx, call.secrets, organizationId)
  recordChange(tx, {
    object: 'settlement',
    id: batch.id,
    organizationId,
    after: { batchId, status: batch.status, currency, controlSum: String(controlSum), items: items.length },
  })
  await announceBatch(tx, call, batch)
  if (isAbove) await askForApproval(tx, batch)
  else await enqueueStart(tx, call, batch)
  return batch
}

/** @throws {Problem} 409 */
async function repeatBatch(
  tx: Database,
  { organizationId, service }: BatchOwner,
  batchId: string,
  bodyHash: string,
): Promise<BatchRow> {
  const [batch] = await tx
    .update(settlements)
    .set({ repeats: sql`${settlements.repeats} + 1` })
    .where(
      and(
        eq(settlements.organizationId, organizationId),
        eq(settlements.batchId, batchId),
        eq(settlements.bodyHash, bodyHash),
        service === null ? undefined : eq(settlements.requestingService, service),
      ),
    )
    .returning()
  if (!batch)
    throw conflict(
      'batch_differs',
      `Another batch with the ID ${batchId} was sent before. Nothing was changed. Use a new batchId for new payouts.`,
    )
  recordChange(tx, { object: 'settlement', id: batch.id, organizationId, after: { repeats: batch.repeats } })
  return batch
}

async function describe(tx: Database, batch: BatchRow): Promise<z.input<typeof NewSettlement>> {
  const items = await tx
    .select({ reference: settlementItems.reference, status: settlementItems.status })
    .from(settlementItems)
    .where(eq(settlementItems.settlementId, batch.id))
    .orderBy(asc(settlementItems.position))
  return { ...batch, items }
}
