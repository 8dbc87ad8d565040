import { eq, type SQL } from 'drizzle-orm'
import { getTableConfig, PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Provided } from './call.ts'
import type { Database, DatabaseHandle } from './db.ts'
import type { Clock } from './time.ts'

export type Tenant = 'organization' | 'person'

export type ErasureWork = Provided & { readonly database: DatabaseHandle; readonly now: Clock }

/**
 * What becomes of a tenant's rows when the tenant is erased. `delete`: by the declaration itself. `cascade`: with their
 * parent's rows, by a foreign key. `keep`: they stay, and name the tenant by its id alone. `expire`: their retention
 * ends before the grace of a deletion does. A function erases what is more than rows, and can be called again.
 */
type Erasure = 'delete' | 'cascade' | 'keep' | 'expire' | ((work: ErasureWork, id: string) => Promise<void>)

/** A file that a row stands for: its place in an export, and its key in the storage. */
export interface TenantFile {
  name: string
  key: string
}

/** How one table takes part in export, erasure, retention and backup (PLT-39). */
export interface TenantData {
  readonly table: PgTable
  /** Conditions for the rows of each tenant; without any, the rows only expire. */
  readonly rows: Partial<Record<Tenant, (id: string) => SQL>>
  /** The fields that leave in an export of each tenant in `rows`, or why none do. */
  readonly export: readonly string[] | { readonly never: string }
  /** Files that belong to an organization's rows, for its export. */
  readonly files?: (db: Database, organizationId: string) => AsyncIterable<TenantFile>
  readonly erasure: Partial<Record<Tenant, Erasure>>
  /** `owner`: as long as the tenant. Else until so many milliseconds after a time of the row, or by a job of its own. */
  readonly retention: 'owner' | Expiry | { readonly job: string }
  readonly backup: 'rows' | 'rows and files'
}

interface Expiry {
  readonly after: PgColumn
  readonly ms: number
}

type FieldsOf<Table extends PgTable> = keyof Table['_']['columns'] & string

interface Declaration<Table extends PgTable> extends Omit<TenantData, 'table' | 'rows' | 'export' | 'backup'> {
  /** The column with the tenant's id, or a condition. */
  readonly organization?: PgColumn | ((id: string) => SQL)
  readonly person?: PgColumn | ((id: string) => SQL)
  readonly export: readonly FieldsOf<Table>[] | { readonly never: string }
}

/** Declares how a table takes part. Every table is in a backup whole. */
export function tenantTable<Table extends PgTable>(
  table: Table,
  { organization, person, ...rest }: Declaration<Table>,
): TenantData {
  return {
    ...rest,
    table,
    rows: {
      ...(organization && { organization: conditionOf(organization) }),
      ...(person && { person: conditionOf(person) }),
    },
    backup: rest.files ? 'rows and files' : 'rows',
  }
}

const conditionOf = (rows: PgColumn | ((id: string) => SQL)): ((id: string) => SQL) =>
  rows instanceof PgColumn ? (id) => eq(rows, id) : rows

/** `social.posts` */
export function tableName({ table }: Pick<TenantData, 'table'>): string {
  const { schema, name } = getTableConfig(table)
  return `${schema}.${name}`
}
