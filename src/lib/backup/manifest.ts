import { z } from 'zod'

/** Everything here becomes SQL: an archive can come from anywhere. */
const Name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/i)
const literal = `'[\\w .:+-]{1,200}'`
/** As PostgreSQL writes the bounds of partitions by list and by range. */
const Bound = z
  .string()
  .regex(
    new RegExp(
      `^(DEFAULT|FOR VALUES IN \\(${literal}(, ${literal})*\\)|FOR VALUES FROM \\(${literal}\\) TO \\(${literal}\\))$`,
    ),
  )

const Table = z.object({ schema: Name, name: Name, columns: z.array(Name) })
const Partition = z.object({ schema: Name, name: Name, parent: Name, bound: Bound })
const Sequence = z.object({
  schema: Name,
  name: Name,
  lastValue: z.string().regex(/^-?\d{1,19}$/),
  isCalled: z.boolean(),
})

export const manifestName = 'manifest.json'

/** What a backup says of itself, at its beginning. */
export const Manifest = z.object({
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  /** The last migration: its time in the journal, which tells the release. */
  level: z.int(),
  /** The version of the queue's own tables; null where no server has started yet. */
  queue: z.int().nullable(),
  /** The keys that its secrets are sealed under. */
  keyIds: z.array(z.string().regex(/^[0-9a-f]{12}$/)),
  tables: z.array(Table),
  partitions: z.array(Partition),
  sequences: z.array(Sequence),
})
export type Manifest = z.infer<typeof Manifest>
export type Table = z.infer<typeof Table>

/** What it says at its end: an archive without it is not whole. */
export const Ending = z.object({ rows: z.record(z.string(), z.number()), files: z.number() })
export type Ending = z.infer<typeof Ending>

/** A name as SQL takes it. */
export const quoteName = (...names: string[]): string =>
  names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.')

export const nameOf = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string => `${schema}.${name}`

/** Columns of sealed texts are named so, in every table. */
export const isSealed = (column: string): boolean => column.startsWith('sealed_')
