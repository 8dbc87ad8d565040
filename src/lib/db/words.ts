import { sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/** Whitespace and the marks around words, not those within email addresses and numbers. drizzle-kit can’t read `;`. */
const between = String.raw`[\s,\x3b!?()"]+`
/** PostgreSQL refuses words of more than 2,046 bytes. */
const tooLong = String.raw`(\S{200})\S+`

/** Within words, such as email addresses: what follows them is found too. */
const joints = '@/:_-'
const leadingJoints = new RegExp(`^[${joints}]+`)

/** What a search finds by the beginnings of its words: for a GIN index and, as the same expression, for its query. */
export function wordsOfText(...texts: readonly (AnyPgColumn | SQL)[]): SQL {
  const parts = texts.map((text) => sql`coalesce(${text}, '')`)
  const joined = sql`regexp_replace(lower(${sql.join(parts, sql` || ' ' || `)}), '${sql.raw(tooLong)}', '\\1', 'g')`
  const all = sql`${joined} || ' ' || translate(${joined}, '${sql.raw(joints)}', '${sql.raw(' '.repeat(joints.length))}')`
  return sql`array_to_tsvector(array_remove(regexp_split_to_array(${all}, '${sql.raw(between)}'), ''))`
}

const maxWords = 8

/** Whether words of `wordsOfText()` begin with all those of a text. */
export const beginWith = (words: SQL, text: string): SQL => sql`${words} @@ ${queryOf(text)}::tsquery`

const queryOf = (text: string): string =>
  text
    .toLowerCase()
    .split(new RegExp(between))
    .map((word) => word.replace(leadingJoints, ''))
    .filter((word) => word !== '')
    .slice(0, maxWords)
    .map((word) => `'${word.slice(0, 200).replaceAll(/['\\]/g, String.raw`\$&`)}':*`)
    .join(' & ')
