import { and, eq, ne, sql } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { invoices, merchants } from '../schema.ts'

const fallback = 'INV'
const maxInitials = 4

/** The initials of the name, such as ACJ, with a number where they are taken. */
export async function freePrefix(tx: Database, organizationId: string, name: string): Promise<string> {
  const rows = await tx
    .select({ prefix: merchants.invoicePrefix })
    .from(merchants)
    .where(eq(merchants.organizationId, organizationId))
  const taken = new Set(rows.map(({ prefix }) => prefix))
  const base = initialsOf(name)
  for (let nth = 1; ; nth += 1) {
    const prefix = nth === 1 ? base : `${base}${nth}`
    if (!taken.has(prefix) && !(await isIssuedUnder(tx, { organizationId, prefix }))) return prefix
  }
}

interface Issued {
  organizationId: string
  prefix: string
  exceptBy?: string
}

/** Whether documents were issued under a prefix: another merchant would repeat their numbers. */
export async function isIssuedUnder(tx: Database, { organizationId, prefix, exceptBy }: Issued): Promise<boolean> {
  const [found] = await tx
    .select({ one: sql`1` })
    .from(invoices)
    .where(
      and(
        eq(invoices.organizationId, organizationId),
        sql`${invoices.number} ~ ${`^${prefix}-(CN-)?[0-9]{4}-[0-9]+$`}`,
        exceptBy === undefined ? undefined : ne(invoices.merchantId, exceptBy),
      ),
    )
    .limit(1)
  return found !== undefined
}

function initialsOf(name: string): string {
  const words =
    name
      .normalize('NFKD')
      .toUpperCase()
      .match(/[A-Z0-9]+/g) ?? []
  const initials = words.map((word) => word.charAt(0)).join('')
  return initials.length > 1 ? initials.slice(0, maxInitials) : (words[0]?.slice(0, maxInitials) ?? fallback)
}
