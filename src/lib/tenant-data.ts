import { eq, type SQL } from 'drizzle-orm'
import { getTableConfig, PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Provided } from './call.ts'
import type { Database, DatabaseHandle } from './db.ts'
import type { Clock } from './time.ts'

export type Tenant = 'organization' | 'person'

export type ErasureWork = Provided & { readonly database: DatabaseHandle; readonly now: Clock }

/**
 * `cascade`: a foreign key deletes them with their parent. `keep`: they stay, with the tenant's id only. `expire`:
 * their retention is shorter than a deletion's grace period. A function erases more than rows, and must be idempotent.
 */
type Erasure = 'delete' | 'cascade' | 'keep' | 'expire' | ((work: ErasureWork, id: string) => Promise<void>)

/** In the storage, or in a row. */
export type TenantFile = { name: string } & ({ key: string } | { content: Blob })

/** How one table takes part in export, erasure, retention and backup (PLT-39). */
export interface TenantData {
  readonly table: PgTable
  readonly rows: Partial<Record<Tenant, (id: string) => SQL>>
  readonly export: readonly string[] | { readonly never: string }
  /** Of these, the fields that a person's export leaves out (null) in rows with an organization, and its column. */
  readonly organizationOnly?: { readonly fields: readonly string[]; readonly organization: PgColumn }
  readonly files?: (db: Database, organizationId: string) => AsyncIterable<TenantFile>
  readonly erasure: Partial<Record<Tenant, Erasure>>
  /** `owner`: as long as the tenant. Otherwise `ms` milliseconds after a column's time, or deleted by its own job. */
  readonly retention: 'owner' | Expiry | { readonly job: string }
  readonly backup: 'rows' | 'rows and files'
}

interface Expiry {
  readonly after: PgColumn
  readonly ms: number
}

type FieldsOf<Table extends PgTable> = keyof Table['_']['columns'] & string

interface Declaration<Table extends PgTable> extends Omit<TenantData, 'table' | 'rows' | 'export' | 'backup'> {
  readonly organization?: PgColumn | ((id: string) => SQL)
  readonly person?: PgColumn | ((id: string) => SQL)
  readonly export: readonly FieldsOf<Table>[] | { readonly never: string }
}

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

export function tableName({ table }: Pick<TenantData, 'table'>): string {
  const { schema, name } = getTableConfig(table)
  return `${schema}.${name}`
}
