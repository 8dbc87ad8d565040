import type { World } from '../support/world.ts'
import type { Merchant } from './ledger-fixtures.ts'

/**
 * A year of orders with payments, refunds, customers, invoices, ledger, batches, events and audit entries, around the
 * code that makes them one by one. Days are those of 2025.
 */
export async function fillYear({ database }: World, merchant: Merchant, orders: number): Promise<void> {
  const { merchantId, organizationId } = merchant
  await database.sql.begin(async (sql) => {
    await sql`SET LOCAL session_replication_role = replica`
    await sql`
      CREATE TEMPORARY TABLE sold ON COMMIT DROP AS
      SELECT at, made, made::date AS day, uuidv7(made - now()) AS order_id, uuidv7(made - now()) AS payment_id,
        uuidv7(made - now()) AS id, uuidv7(made - now()) AS invoice_id,
        CASE WHEN at % 10 = 0 THEN uuidv7(made - now()) END AS refund_id
      FROM generate_series(0, ${orders}::integer - 1) AS at,
        LATERAL (SELECT timestamptz '2025-01-01Z' + at * interval '365 days' / ${orders}::integer AS made)`
    await sql`
      CREATE TEMPORARY TABLE buyers ON COMMIT DROP AS
      SELECT at, uuidv7(made - now()) AS id FROM sold WHERE at % 20 = 0`
    await sql`
      INSERT INTO payments.customers (id, organization_id, kind, name, email, address)
      SELECT id, ${organizationId}, CASE WHEN at % 100 = 0 THEN 'company' ELSE 'individual' END, 'Buyer ' || at,
        'buyer-' || at || '@example.org', '{"line1":null,"line2":null,"postalCode":null,"city":null,"region":null}'::jsonb
          || jsonb_build_object('country', CASE WHEN at % 60 = 0 THEN 'FR' ELSE 'DE' END)
      FROM buyers`
    await sql`
      INSERT INTO payments.orders (id, organization_id, merchant_id, customer_id, customer_email, number, status, currency,
        tax_mode, tax_rounding, subtotal, discount, tax, total, captured, refunded, refunds_reserved, created_at, paid_at)
      SELECT order_id, ${organizationId}, ${merchantId}, buyers.id, 'buyer-' || buyers.at || '@example.org',
        'size-' || sold.at, CASE WHEN refund_id IS NULL THEN 'paid' ELSE 'partially_refunded' END, 'EUR', 'inclusive', 'line',
        1190, 0, 190, 1190, 1190, CASE WHEN refund_id IS NULL THEN 0 ELSE 100 END,
        CASE WHEN refund_id IS NULL THEN 0 ELSE 100 END, made, made
      FROM sold JOIN buyers ON buyers.at = sold.at - sold.at % 20`
    await sql`
      INSERT INTO payments.order_lines (order_id, organization_id, position, name, quantity, unit_amount, discount,
        tax_rate, tax, total)
      SELECT order_id, ${organizationId}, 1, 'Beans', 1, 1190, 0, 190000, 190, 1190 FROM sold`
    await sql`
      INSERT INTO payments.payments (id, organization_id, order_id, mode, capture_method, status, amount, currency, captured,
        payment_intent_id, charge_id, receipt_token, card_brand, card_last_four, created_at)
      SELECT payment_id, ${organizationId}, order_id, 'checkout', 'automatic', 'succeeded', 1190, 'EUR', 1190,
        'pi_size_' || at, 'ch_size_' || at, 'size-' || at, CASE WHEN at % 3 = 0 THEN 'visa' ELSE 'mastercard' END, '4242', made
      FROM sold`
    await sql`
      INSERT INTO payments.refunds (id, organization_id, order_id, payment_id, status, amount, currency, reason, created_at)
      SELECT refund_id, ${organizationId}, order_id, payment_id,
        CASE WHEN at % 1000 = 0 THEN 'failed' ELSE 'succeeded' END, 100, 'EUR', 'quality', made
      FROM sold WHERE refund_id IS NOT NULL`
    await sql`
      INSERT INTO payments.invoices (id, organization_id, merchant_id, kind, status, year, sequence, number, order_id, customer_id,
        currency, tax_mode, tax_rounding, subtotal, discount, tax, total, language, seller, buyer_name, buyer_email,
        payment_days, issued_on, due_on, issued_at, paid_at, token, created_at)
      SELECT invoice_id, ${organizationId}, ${merchantId}, 'invoice', CASE WHEN sold.at % 50 = 0 THEN 'open' ELSE 'paid' END,
        2025, sold.at + 1, 'SIZE-2025-' || sold.at + 1, order_id, buyers.id, 'EUR', 'inclusive', 'line', 1190, 0, 190, 1190,
        'en', '{"name":"Size","address":null,"taxNumber":null}', 'Buyer ' || buyers.at,
        'buyer-' || buyers.at || '@example.org', 14, day, day + 14, made,
        CASE WHEN sold.at % 50 = 0 THEN NULL ELSE made END, 'size-' || sold.at, made
      FROM sold JOIN buyers ON buyers.at = sold.at - sold.at % 20`
    await sql`
      INSERT INTO payments.ledger_transactions (id, organization_id, merchant_id, sequence, kind, currency, at, booked_on,
        order_id, entry_count, previous_hash, hash)
      SELECT id, ${organizationId}, ${merchantId}, at + 1, 'capture', 'EUR', made, day, order_id, 3, repeat('0', 64),
        repeat('0', 64) FROM sold`
    await sql`
      INSERT INTO payments.ledger_entries (transaction_id, position, organization_id, merchant_id, account, currency, amount)
      SELECT id, position, ${organizationId}, ${merchantId}, account, 'EUR', amount
      FROM sold, (VALUES (1, 'clearing', 1150), (2, 'fees', 40), (3, 'merchant', -1190)) AS part (position, account, amount)`
    await sql`
      INSERT INTO payments.ledger_days (merchant_id, currency, day, venue_id, kind, account, organization_id, amount, entries)
      SELECT ${merchantId}, 'EUR', day, '00000000-0000-0000-0000-000000000000', 'capture', account, ${organizationId},
        sum(amount), count(*)
      FROM sold, (VALUES ('clearing', 1150), ('fees', 40), ('merchant', -1190)) AS part (account, amount)
      GROUP BY day, account`
    await sql`
      INSERT INTO payments.settlements (id, organization_id, merchant_id, batch_id, status, currency, control_sum, item_count,
        callback_url, body_hash, requester_kind, created_at)
      SELECT uuidv7(made - now()), ${organizationId}, ${merchantId}, 'size-' || at,
        CASE WHEN at % 500 = 0 THEN 'failed' ELSE 'completed' END, 'EUR', 1000, 1, 'https://example.org/', '', 'service', made
      FROM sold WHERE at % 5 = 0`
    await sql`
      INSERT INTO platform.received_webhooks (id, webhook, path, organization_id, event_id, type, object_id, params, body, state,
        received_at, settled_at)
      SELECT uuidv7(made - now()), 'payments.stripe', '/webhooks/stripe', ${organizationId}, 'size-' || at,
        'payment_intent.succeeded', 'pi_size_' || at, '{}', '{}', 'handled', made, made FROM sold`
    await sql`
      INSERT INTO platform.audit_log (id, at, organization_id, service, operation, outcome, object_kind, object_id, request_id)
      SELECT uuidv7(made - now()), made, ${organizationId}, service, operation, 'done', kind, order_id::text, order_id
      FROM sold, (VALUES ('platform-pay', 'createOrder', 'order'), ('platform-socialize', 'createPost', 'post')) AS what
        (service, operation, kind)`
  })
  await database.sql.unsafe(`VACUUM ANALYZE ${filledTables.join(', ')}`)
}

/** Those with a row for each order, or for every few of them. */
export const filledTables: readonly string[] = [
  'payments.orders',
  'payments.order_lines',
  'payments.payments',
  'payments.refunds',
  'payments.customers',
  'payments.invoices',
  'payments.ledger_transactions',
  'payments.ledger_entries',
  'payments.ledger_days',
  'payments.settlements',
  'platform.received_webhooks',
  'platform.audit_log',
]
