import { sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import * as s from '../schema.ts'

export const day = 24 * 60 * 60_000
/** Milliseconds that a browser is remembered after its last use. */
export const deviceLifetime = 400 * day

export const credentials = { never: 'It gives access to an account.' }
export const shortLived = { never: 'It proves a person’s identity, and expires after a few minutes.' }

export const withOrganization = { erasure: { organization: 'cascade' }, retention: 'owner' } as const
export const withPerson = { erasure: { person: 'delete' }, retention: 'owner' } as const

export const through =
  (key: PgColumn, parent: PgColumn, owner: PgColumn) =>
  (id: string): SQL =>
    sql`${key} IN (SELECT ${parent} FROM ${parent.table} WHERE ${owner} = ${id})`
export const byEmail =
  (email: PgColumn) =>
  (id: string): SQL =>
    sql`${email} = (SELECT lower(${s.users.email}) FROM ${s.users} WHERE ${s.users.id} = ${id})`
