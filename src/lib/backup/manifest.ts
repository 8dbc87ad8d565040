import { z } from 'zod'

/** These values become SQL, and an archive can come from anywhere. */
const Name = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/i)
const literal = `'[\\w .:+-]{1,200}'`
/** The bound of a partition, as `pg_get_expr` writes it. */
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

export const Manifest = z.object({
  format: z.literal(1),
  createdAt: z.iso.datetime(),
  /** Journal time of the last migration. */
  level: z.int(),
  /** Version of the queue's tables; null when no server has ever started. */
  queue: z.int().nullable(),
  keyIds: z.array(z.string().regex(/^[0-9a-f]{12}$/)),
  tables: z.array(Table),
  partitions: z.array(Partition),
  sequences: z.array(Sequence),
})
export type Manifest = z.infer<typeof Manifest>
export type Table = z.infer<typeof Table>

/** The last entry before the signature. An archive without it is incomplete. */
export const Ending = z.object({ rows: z.record(z.string(), z.number()), files: z.number() })
export type Ending = z.infer<typeof Ending>

export const quoteName = (...names: string[]): string =>
  names.map((name) => `"${name.replaceAll('"', '""')}"`).join('.')

export const nameOf = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string => `${schema}.${name}`

export const isSealed = (column: string): boolean => column.startsWith('sealed_')
