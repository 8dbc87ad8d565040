import { z } from 'zod'

const Table = z.object({ schema: z.string(), name: z.string(), columns: z.array(z.string()) })
const Partition = z.object({ schema: z.string(), name: z.string(), parent: z.string(), bound: z.string() })
const Sequence = z.object({ schema: z.string(), name: z.string(), lastValue: z.string(), isCalled: z.boolean() })

/** What a backup says of itself, at its beginning. */
export const Manifest = z.object({
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  /** The last migration: its time in the journal, which tells the release. */
  level: z.number(),
  /** The version of the queue's own tables; null where no server has started yet. */
  queue: z.number().nullable(),
  /** The keys that its secrets are sealed under. */
  keyIds: z.array(z.string()),
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
export const quoted = (...names: string[]): string => names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.')

export const nameOf = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string => `${schema}.${name}`

/** Columns of sealed texts are named so, in every table. */
export const isSealed = (column: string): boolean => column.startsWith('sealed_')
