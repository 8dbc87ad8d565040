import { sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/** What a search finds by the beginnings of its words; the same expression as of the index. */
const wordsIn = (...texts: readonly (AnyPgColumn | SQL)[]): SQL =>
  sql`array_to_tsvector(array_remove(regexp_split_to_array(lower(${sql.join(
    texts.map((text) => sql`coalesce(${text}, '')`),
    sql` || ' ' || `,
  )}), '\\s+'), ''))`

interface Named {
  name: AnyPgColumn
  email: AnyPgColumn
  taxNumber: AnyPgColumn
}

export const wordsOf = ({ name, email, taxNumber }: Named): SQL => wordsIn(name, email, taxNumber)

/** People leave out what a number begins with: `2026-00042` is found as `42`. */
const endOf = (number: AnyPgColumn): SQL => sql`regexp_replace(${number}, '^.*-0*', '')`

interface Ordered {
  number: AnyPgColumn
  customerEmail: AnyPgColumn
  customerName: AnyPgColumn
}

export const orderWordsOf = ({ number, customerEmail, customerName }: Ordered): SQL =>
  wordsIn(number, endOf(number), customerEmail, customerName)

interface Invoiced {
  number: AnyPgColumn
  buyerEmail: AnyPgColumn
  buyerName: AnyPgColumn
}

export const invoiceWordsOf = ({ number, buyerEmail, buyerName }: Invoiced): SQL =>
  wordsIn(number, endOf(number), buyerEmail, buyerName)

const maxWords = 8

/** Whether words begin with all those of a text. */
export const beginLike = (words: SQL, text: string): SQL => sql`${words} @@ ${queryOf(text)}::tsquery`

const queryOf = (text: string): string =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, maxWords)
    .map((word) => `'${word.replaceAll(/['\\]/g, String.raw`\$&`)}':*`)
    .join(' & ')
