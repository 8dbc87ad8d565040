import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { Address } from '../contract/address.ts'
import type { CustomerKind } from '../contract/customers.ts'
import { createdAt, id, payments, time } from './base.ts'
import { wordsOf } from './words.ts'

/** Who buys. Orders and ledger keep the ID when a customer’s data is erased. */
export const customers = payments.table(
  'customers',
  {
    id: id(),
    organizationId: uuid().notNull(),
    kind: text().$type<CustomerKind>().notNull().default('individual'),
    name: text(),
    email: text(),
    phone: text(),
    address: jsonb().$type<Address>(),
    taxNumber: text(),
    /** BCP 47, such as `de` or `pt-BR`. */
    language: text(),
    note: text(),
    metadata: jsonb().$type<Record<string, string>>().notNull().default({}),
    archivedAt: time(),
    erasedAt: time(),
    createdBy: uuid(),
    createdAt: createdAt(),
    version: integer().notNull().default(1),
  },
  (table) => [
    unique('customers_of_organization').on(table.organizationId, table.id),
    index('customers_by_kind').on(table.organizationId, table.kind, table.id),
    index('customers_by_country').on(table.organizationId, sql`(${table.address}->>'country')`, table.id),
    index('customers_archived')
      .on(table.organizationId, table.id)
      .where(sql`archived_at IS NOT NULL`),
    // Words of which a search gives the beginnings.
    index('customers_words').using('gin', wordsOf(table)),
    check('customers_kind', sql`${table.kind} IN ('individual', 'company')`),
    check(
      'customers_named',
      sql`${table.erasedAt} IS NOT NULL OR ${table.name} IS NOT NULL OR ${table.email} IS NOT NULL`,
    ),
    check(
      'customers_erased',
      sql`${table.erasedAt} IS NULL OR coalesce(${table.name}, ${table.email}, ${table.phone}, ${table.taxNumber}, ${table.language}, ${table.note}, ${table.address}::text) IS NULL AND ${table.metadata} = '{}' AND ${table.archivedAt} IS NOT NULL`,
    ),
  ],
)

/** A customer at one account of a payment provider. Its key is the idempotency key of its creation there. */
export const providerCustomers = payments.table(
  'provider_customers',
  {
    customerId: uuid().notNull(),
    accountKey: text().notNull(),
    organizationId: uuid().notNull(),
    /** Null until the provider has responded. */
    providerCustomerId: text(),
    createdAt: createdAt(),
    /** The customer’s version that the provider has; null when something else has to be sent. */
    sentVersion: integer(),
    /** When its payment methods were read last. */
    readAt: time(),
    /** When changes are sent, or its payment methods are read again. */
    nextCheckAt: time(),
    /** That failed in a row. */
    checks: integer().notNull().default(0),
    /** Of its payment methods: what was read before they changed isn’t stored. */
    version: integer().notNull().default(1),
  },
  (table) => [
    primaryKey({ columns: [table.customerId, table.accountKey] }),
    unique('provider_customers_id').on(table.providerCustomerId, table.organizationId, table.accountKey),
    index('provider_customers_of_organization').on(table.organizationId, table.customerId),
    index('provider_customers_due')
      .on(table.nextCheckAt)
      .where(sql`next_check_at IS NOT NULL`),
    foreignKey({
      name: 'provider_customers_customer',
      columns: [table.organizationId, table.customerId],
      foreignColumns: [customers.organizationId, customers.id],
    }).onDelete('cascade'),
  ],
)

/** A saved card or account of a customer, as last read at the provider. */
export const paymentMethods = payments.table(
  'payment_methods',
  {
    id: id(),
    organizationId: uuid().notNull(),
    customerId: uuid().notNull(),
    accountKey: text().notNull(),
    providerPaymentMethodId: text().notNull(),
    /** The provider’s, such as `card` or `sepa_debit`. */
    type: text().notNull(),
    brand: text(),
    lastFour: text(),
    expiryMonth: integer(),
    expiryYear: integer(),
    isDefault: boolean().notNull().default(false),
    createdAt: createdAt(),
  },
  (table) => [
    unique('payment_methods_provider').on(table.providerPaymentMethodId, table.organizationId, table.accountKey),
    index('payment_methods_by_customer').on(table.customerId, table.id),
    uniqueIndex('payment_methods_default')
      .on(table.customerId, table.accountKey)
      .where(sql`is_default`),
    foreignKey({
      name: 'payment_methods_provider_customer',
      columns: [table.customerId, table.accountKey],
      foreignColumns: [providerCustomers.customerId, providerCustomers.accountKey],
    }).onDelete('cascade'),
    check('payment_methods_last_four', sql`${table.lastFour} ~ '^[0-9]{4}$'`),
  ],
)
