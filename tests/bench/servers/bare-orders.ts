import postgres from 'postgres'

// The least code that can answer `POST /api/orders`: no authentication, no rules, the same rows in one transaction. The
// real server is compared to it.

const { DATABASE_URL = '', ORGANIZATION = '', MERCHANT = '', PERSON = '' } = process.env
const sql = postgres(DATABASE_URL, { max: 10 })

interface Draft {
  currency: string
  lines: { name: string; quantity: number; unitAmount: number }[]
}

async function insertOrder({ currency, lines }: Draft): Promise<object> {
  const id = Bun.randomUUIDv7()
  const at = new Date()
  const year = at.getUTCFullYear()
  const total = lines.reduce((sum, { quantity, unitAmount }) => sum + quantity * unitAmount, 0)
  const order = { id, currency, total, status: 'pending', createdAt: at }
  return sql.begin(async (tx) => {
    const [counter] = await tx`
      INSERT INTO payments.order_numbers (organization_id, year, last) VALUES (${ORGANIZATION}, ${year}, 1)
      ON CONFLICT (organization_id, year) DO UPDATE SET last = order_numbers.last + 1 RETURNING last`
    const number = `${year}-${String(counter?.['last']).padStart(5, '0')}`
    await tx`
      INSERT INTO payments.orders (id, organization_id, merchant_id, number, currency, tax_mode, tax_rounding, subtotal,
        discount, tax, total, created_by, created_at)
      VALUES (${id}, ${ORGANIZATION}, ${MERCHANT}, ${number}, ${currency}, 'inclusive', 'line', ${total}, 0, 0, ${total},
        ${PERSON}, ${at})`
    for (const [position, { name, quantity, unitAmount }] of lines.entries())
      await tx`
        INSERT INTO payments.order_lines (order_id, organization_id, position, name, quantity, unit_amount, discount,
          tax_rate, tax, total)
        VALUES (${id}, ${ORGANIZATION}, ${position + 1}, ${name}, ${quantity}, ${unitAmount}, 0, 0, 0,
          ${quantity * unitAmount})`
    await tx`
      INSERT INTO payments.order_events (id, order_id, organization_id, kind, facts, by, at)
      VALUES (${Bun.randomUUIDv7()}, ${id}, ${ORGANIZATION}, 'created', '{}', ${PERSON}, ${at})`
    await tx`
      INSERT INTO platform.audit_log (id, at, organization_id, principal_id, principal_type, credential_kind, operation,
        outcome, object_kind, object_id, after, request_id)
      VALUES (${Bun.randomUUIDv7()}, ${at}, ${ORGANIZATION}, ${PERSON}, 'user', 'session', 'createOrder', 'done',
        'order', ${id}, ${JSON.stringify({ number, currency, total })}::text::jsonb, ${Bun.randomUUIDv7()})`
    return { ...order, number }
  })
}

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: async (request) => {
    const draft: Draft = await request.json()
    return Response.json(await insertOrder(draft), { status: 201 })
  },
})
console.log(`http://127.0.0.1:${server.port}`)
