import { and, asc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { isAllowed, organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { notFound } from '#lib/errors.ts'
import { wallTime } from '#lib/time.ts'
import type { Invoice, InvoiceDetails } from '../contract/invoices.ts'
import { percentOf } from '../orders/totals.ts'
import { invoices, merchants, orders } from '../schema.ts'
import { totalsByRate } from './drafts/charges.ts'
import { canMarkPaid, canVoid } from './payment/close.ts'
import { sellerOf } from './numbers/number.ts'
import { canPay } from './payment/payment-link.ts'
import { readLines, type InvoiceRow, type OrderRow } from './rows.ts'

export type StoredInvoice = z.input<typeof Invoice>
export type StoredDetails = z.input<typeof InvoiceDetails>
type MerchantRow = typeof merchants.$inferSelect

export const joinedInvoices = (db: Database) =>
  db
    .select({ invoice: invoices, merchant: { name: merchants.name, timezone: merchants.timezone } })
    .from(invoices)
    .innerJoin(merchants, eq(merchants.id, invoices.merchantId))

const todayOf = (now: Date, timezone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone).toPlainDate().toString()

type Place = Pick<MerchantRow, 'name' | 'timezone'>

export const describeInvoice = (
  { invoice, merchant }: { invoice: InvoiceRow; merchant: Place },
  now: Date,
): StoredInvoice => ({
  ...invoice,
  merchant: { id: invoice.merchantId, name: merchant.name },
  buyer: { name: invoice.buyerName, email: invoice.buyerEmail, taxNumber: invoice.buyerTaxNumber },
  overdueDays: overdueDaysOf(invoice, merchant, now),
})

function overdueDaysOf({ status, dueOn }: InvoiceRow, { timezone }: Place, now: Date): number {
  if (status !== 'open' || dueOn === null) return 0
  return Math.max(0, Temporal.PlainDate.from(dueOn).until(todayOf(now, timezone), { largestUnit: 'day' }).days)
}

type ReadCall = Pick<Call<unknown, Actor>, 'db' | 'identity' | 'actor' | 'now'>

/** @throws {Problem} 404 */
export async function readInvoice(call: ReadCall, id: string): Promise<StoredDetails> {
  const { identity, actor } = call
  const found = await findDetails(call, organizationOf(actor, 'invoices:read'), id)
  const by = [found.invoice.createdBy, found.invoice.issuedBy].flatMap((each) => each ?? [])
  const [serviceId, people] = await Promise.all([identity.serviceId('platform-pay'), identity.people(by)])
  return describeDetails(call, found, {
    canWrite: isAllowed(actor, 'invoices:write', serviceId),
    nameOf: (person) => people.get(person ?? '')?.name ?? null,
  })
}

/**
 * After a change, on its transaction: without names, since identity would need another connection while this one holds
 * the counter of the numbers.
 */
export async function readChanged(call: Omit<ReadCall, 'identity'>, id: string): Promise<StoredDetails> {
  const found = await findDetails(call, organizationOf(call.actor, 'invoices:write'), id)
  return describeDetails(call, found, { canWrite: true, nameOf: () => null })
}

type Found = Awaited<ReturnType<typeof findDetails>>

async function findDetails({ db }: Pick<ReadCall, 'db'>, organizationId: string, id: string) {
  const [found] = await db
    .select({ invoice: invoices, merchant: merchants, order: orders })
    .from(invoices)
    .innerJoin(merchants, eq(merchants.id, invoices.merchantId))
    .leftJoin(orders, eq(orders.id, invoices.orderId))
    .where(and(eq(invoices.id, id), eq(invoices.organizationId, organizationId)))
  if (!found) throw notFound('invoice')
  return found
}

interface Reader {
  canWrite: boolean
  nameOf(person: string | null): string | null
}

async function describeDetails(
  { db, now }: Pick<ReadCall, 'db' | 'now'>,
  { invoice, merchant, order }: Found,
  { canWrite, nameOf }: Reader,
): Promise<StoredDetails> {
  const [lines, original, creditNotes] = await Promise.all([
    readLines(db, invoice.id),
    readOriginal(db, invoice),
    readCreditNotes(db, invoice),
  ])
  return {
    ...contentOf(invoice, { merchant, lines, original, now: now() }),
    creditNotes,
    order: order && { id: order.id, number: order.number, status: order.status, captured: order.captured },
    timeline: timelineOf(invoice, { creditNotes, merchant, now: now(), nameOf }),
    can: allowedFor(invoice, order, canWrite),
  }
}

type Original = NonNullable<StoredDetails['original']>

interface Around {
  merchant: MerchantRow
  lines: Awaited<ReturnType<typeof readLines>>
  original: Original | null
  now: Date
}

/** All that a document shows. */
export const contentOf = (invoice: InvoiceRow, { merchant, lines, original, now }: Around) => ({
  ...describeInvoice({ invoice, merchant }, now),
  seller: invoice.seller ?? sellerOf(merchant),
  buyer: {
    name: invoice.buyerName,
    email: invoice.buyerEmail,
    taxNumber: invoice.buyerTaxNumber,
    address: invoice.buyerAddress,
  },
  ...pick(invoice),
  lines: lines.map((line) => ({ ...line, taxRate: percentOf(line.taxRate) })),
  taxes: totalsByRate(lines).map(({ taxRate, ...sums }) => ({ rate: percentOf(taxRate), ...sums })),
  original,
})

const pick = ({ taxMode, taxRounding, language, reference, note, reason, paymentDays, ...invoice }: InvoiceRow) => ({
  taxMode,
  taxRounding,
  language,
  reference,
  note,
  reason,
  paymentDays,
  serviceFrom: invoice.serviceFrom,
  serviceTo: invoice.serviceTo,
  issuedAt: invoice.issuedAt,
  paidOutside: invoice.paidOutside,
  voidedAt: invoice.voidedAt,
  voidReason: invoice.voidReason,
  sentTo: invoice.sentTo,
})

export async function readOriginal(db: Database, { invoiceId }: InvoiceRow): Promise<Original | null> {
  if (invoiceId === null) return null
  const [row] = await db
    .select({ id: invoices.id, number: invoices.number, issuedOn: invoices.issuedOn })
    .from(invoices)
    .where(eq(invoices.id, invoiceId))
  if (!row?.number || !row.issuedOn) return null
  return { id: row.id, number: row.number, issuedOn: row.issuedOn }
}

const readCreditNotes = (db: Database, { id }: InvoiceRow) =>
  db
    .select({
      id: invoices.id,
      number: invoices.number,
      total: invoices.total,
      issuedOn: invoices.issuedOn,
      issuedAt: invoices.issuedAt,
    })
    .from(invoices)
    .where(eq(invoices.invoiceId, id))
    .orderBy(asc(invoices.id))

const allowedFor = (invoice: InvoiceRow, order: OrderRow | null, canWrite: boolean): StoredDetails['can'] => ({
  edit: canWrite && invoice.status === 'draft',
  issue: canWrite && invoice.status === 'draft',
  send: canWrite && invoice.status !== 'draft' && invoice.status !== 'void',
  pay: canWrite && canPay(invoice),
  markPaid: canWrite && canMarkPaid(invoice) && (order === null || invoice.ownsOrder),
  void: canWrite && canVoid(invoice),
})

interface TimelineFacts {
  creditNotes: Awaited<ReturnType<typeof readCreditNotes>>
  merchant: MerchantRow
  now: Date
  nameOf(by: string | null): string | null
}

function timelineOf(
  invoice: InvoiceRow,
  { creditNotes, merchant, now, nameOf }: TimelineFacts,
): StoredDetails['timeline'] {
  const { createdAt, issuedAt, sentAt, sentTo, paidAt, voidedAt, voidReason, paidOutside, dueOn } = invoice
  const isOverdue = overdueDaysOf(invoice, merchant, now) > 0
  const overdueAt = isOverdue ? wallTime(`${dueOn}T23:59:59`, merchant.timezone) : null
  const events = [
    { kind: 'created' as const, at: createdAt, detail: null, byName: nameOf(invoice.createdBy) },
    { kind: 'issued' as const, at: issuedAt, detail: invoice.number, byName: nameOf(invoice.issuedBy) },
    { kind: 'sent' as const, at: sentAt, detail: sentTo, byName: null },
    { kind: 'overdue' as const, at: overdueAt, detail: null, byName: null },
    { kind: paidOutside ? ('paid_outside' as const) : ('paid' as const), at: paidAt, detail: null, byName: null },
    { kind: 'voided' as const, at: voidedAt, detail: voidReason, byName: null },
    ...creditNotes.map((note) => ({
      kind: 'credited' as const,
      at: note.issuedAt,
      detail: note.number,
      byName: null,
    })),
  ]
  return events
    .flatMap(({ at, ...event }) => (at === null ? [] : [{ ...event, at }]))
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
}
