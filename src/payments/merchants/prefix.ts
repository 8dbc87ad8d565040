import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { merchants } from '../schema.ts'

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
  if (!taken.has(base)) return base
  for (let nth = 2; ; nth += 1) if (!taken.has(`${base}${nth}`)) return `${base}${nth}`
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
