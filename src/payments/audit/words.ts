import { describeOperation, nameObject, type EntryFacts } from '#lib/audit/describe.ts'
import type { EventWords } from '#lib/audit/events.ts'
import type { AuditRow } from '#lib/audit/read.ts'
import type { Call } from '#lib/call.ts'
import { readObjectNames } from './names.ts'

/** Kinds of objects in words. */
const nouns: Readonly<Record<string, string>> = {
  account_chart: 'chart of accounts',
  accounting_period: 'accounting period',
  customer: 'customer',
  invoice: 'invoice',
  ledger_transaction: 'ledger transaction',
  merchant: 'merchant',
  order: 'order',
  package_price: 'package price',
  payment: 'payment',
  payment_settings: 'payment settings',
  payment_webhook_endpoint: 'webhook endpoint',
  refund: 'refund',
  settlement: 'settlement',
  subscription: 'subscription',
  subscription_forward: 'change for the dashboard',
  venue: 'venue',
}

const nameFields = ['number', 'batchId', 'name', 'month', 'package']

/** With the names of people and objects as they are now. */
export async function findWords(
  { db, identity }: Pick<Call, 'db' | 'identity'>,
  organizationId: string,
  rows: readonly AuditRow[],
): Promise<EventWords> {
  const [people, objects] = await Promise.all([
    identity.people([...new Set(rows.flatMap(({ principalId }) => principalId ?? []))]),
    readObjectNames(db, organizationId, new Set(rows.flatMap(({ objectId }) => objectId ?? []))),
  ])
  const objectNameOf = (entry: EntryFacts) =>
    nameObject(entry, entry.object?.id ? objects.get(entry.object.id) : undefined, nameFields)
  return {
    objectNameOf,
    summaryOf: (entry) => describeOperation(entry, objectNameOf(entry), nouns),
    principalNameOf: (id) => people.get(id)?.name ?? null,
  }
}
