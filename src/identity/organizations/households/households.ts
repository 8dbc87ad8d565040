import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Actor } from '#lib/actor.ts'
import { recordChange } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { conflict, notFound } from '#lib/errors.ts'
import { newId } from '#lib/ids.ts'
import { personOf } from '../../accounts/caller.ts'
import { householdMembers, households, users } from '../../schema.ts'
import type { Household, HouseholdEdit } from './contract.ts'

export type CallerContext = Pick<Call<unknown, Actor>, 'db' | 'actor' | 'now'>

/** Per person. */
const maxHouseholds = 10

export async function list({ db, actor }: CallerContext): Promise<Household[]> {
  const rows = await selectHouseholds(db, personOf(actor))
  const people = await membersOf(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, members: people.filter(({ householdId }) => householdId === row.id) }))
}

const selectHouseholds = (db: Database, userId: string) =>
  db
    .select({ id: households.id, name: households.name, selected: householdMembers.selected })
    .from(householdMembers)
    .innerJoin(households, eq(households.id, householdMembers.householdId))
    .where(eq(householdMembers.userId, userId))
    .orderBy(asc(households.id))

const membersOf = (db: Database, ids: string[]) =>
  db
    .select({ householdId: householdMembers.householdId, id: users.id, name: users.name })
    .from(householdMembers)
    .innerJoin(users, eq(users.id, householdMembers.userId))
    .where(inArray(householdMembers.householdId, ids))
    .orderBy(asc(users.name), asc(users.id))

/** @throws {Problem} 404 for a household that the caller doesn't belong to */
export async function find(call: CallerContext, id: string): Promise<Household> {
  const found = (await list(call)).find((household) => household.id === id)
  if (!found) throw notFound('household')
  return found
}

/** It is selected when it is the caller's first. @throws {Problem} 409 for more than 10 households */
export async function create(call: CallerContext, name: string): Promise<Household> {
  const { db, now } = call
  const id = newId()
  await db.insert(households).values({ id, name, createdAt: now() })
  recordChange(db, { object: 'household', id, after: { name }, organizationId: null })
  await join(call, id)
  return find(call, id)
}

/** @throws {Problem} 409 for more than 10 households */
export async function join({ db, actor, now }: CallerContext, householdId: string): Promise<void> {
  const userId = personOf(actor)
  // Locks the person's row, so that concurrent calls see each other's membership.
  await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
  const joined = await db.$count(householdMembers, eq(householdMembers.userId, userId))
  if (joined >= maxHouseholds)
    throw conflict('too_many_households', `You can belong to at most ${maxHouseholds} households. Leave one first.`)
  const values = { householdId, userId, selected: joined === 0, createdAt: now() }
  await db.insert(householdMembers).values(values).onConflictDoNothing()
}

/** @throws {Problem} 404 */
export async function rename(call: CallerContext, { id, name }: HouseholdEdit): Promise<Household> {
  const before = await find(call, id)
  await call.db.update(households).set({ name }).where(eq(households.id, id))
  recordChange(call.db, {
    object: 'household',
    id,
    before: { name: before.name },
    after: { name },
    organizationId: null,
  })
  return { ...before, name }
}

/** Null for none. @throws {Problem} 404 */
export async function select(call: CallerContext, householdId: string | null): Promise<void> {
  const { db, actor } = call
  if (householdId) await find(call, householdId)
  const own = eq(householdMembers.userId, personOf(actor))
  // Two statements, since the unique index is checked row by row.
  await db.update(householdMembers).set({ selected: false }).where(own)
  if (!householdId) return
  await db
    .update(householdMembers)
    .set({ selected: true })
    .where(and(own, eq(householdMembers.householdId, householdId)))
}

/** It is deleted with its last member. @throws {Problem} 404 */
export async function leave(call: CallerContext, id: string): Promise<void> {
  const { db, actor } = call
  await db.select({ id: households.id }).from(households).where(eq(households.id, id)).for('update')
  const own = and(eq(householdMembers.householdId, id), eq(householdMembers.userId, personOf(actor)))
  const [left] = await db.delete(householdMembers).where(own).returning()
  if (!left) throw notFound('household')
  const isEmpty = sql`NOT EXISTS (SELECT FROM ${householdMembers} WHERE ${householdMembers.householdId} = ${id})`
  await db.delete(households).where(and(eq(households.id, id), isEmpty))
  recordChange(db, { object: 'household', id, organizationId: null })
}
