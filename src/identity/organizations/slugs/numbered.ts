import { sql, type SQL, type SQLWrapper } from 'drizzle-orm'
import { z } from 'zod'
import type { Database } from '#lib/db.ts'
import { maxNumber, numberedPrefix, numberedSlug } from '#lib/slug.ts'
import { isReserved } from './reserved.ts'

interface SlugTables {
  /** Names reserved by this server, as for `isReserved`. */
  ownNames: ReadonlySet<string>
  taken: readonly { table: SQLWrapper; column: SQLWrapper }[]
  /** Claims a slug; false when it is taken. */
  take(slug: string): Promise<boolean>
}

/** Else `base-n` after the highest number in use, found by one query per attempt. */
export async function claimNumberedSlug(
  db: Database,
  base: string,
  { ownNames, taken, take }: SlugTables,
): Promise<string> {
  if (!isReserved(base, ownNames) && (await take(base))) return base
  for (let ahead = 1; ;) {
    const nth = (await findHighest(db, base, taken)) + ahead
    const slug = numberedSlug(base, nth <= maxNumber ? nth : randomNumber())
    if (isReserved(slug, ownNames)) ahead += 1
    else if (await take(slug)) return slug
  }
}

const Highest = z.object({ highest: z.coerce.number() })

async function findHighest(db: Database, base: string, taken: SlugTables['taken']): Promise<number> {
  const prefix = `${numberedPrefix(base)}-`
  // Slugs contain no LIKE wildcards.
  const numbers = taken.map(({ table, column }): SQL => {
    const number = sql`substr(${column}, ${prefix.length + 1})`
    return sql`SELECT ${number}::int AS nth FROM ${table}
      WHERE ${column} LIKE ${`${prefix}%`} AND ${number} ~ '^[1-9][0-9]{0,5}$'`
  })
  const [row] = await db.execute(
    sql`SELECT coalesce(max(nth), 1) AS highest FROM (${sql.join(numbers, sql` UNION ALL `)}) AS numbered`,
  )
  return Highest.parse(row).highest
}

const randomNumber = (): number => 2 + ((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) % (maxNumber - 1))
