import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { resourceMissing } from '../wire/error.ts'
import type { PaymentsCall } from '../wire/call.ts'
import { paymentObjects } from '../schema.ts'
import { nounOf, type ObjectType, type Stock } from './types.ts'

type Hidden = Readonly<Record<string, unknown>>

export interface Found<Type extends ObjectType> {
  data: Stock[Type]
  hidden: Hidden
}

type Scope = Pick<PaymentsCall, 'tx' | 'account'>

const isType = <Type extends ObjectType>(type: Type) =>
  z.custom<Stock[Type]>((value) => z.looseObject({ object: z.literal(type) }).safeParse(value).success)

const plain = (object: object): Record<string, unknown> => Object.fromEntries(Object.entries(object))

export async function insert<Type extends ObjectType>(
  { tx, account }: Scope,
  type: Type,
  object: Stock[Type] & { id: string; created?: number },
  hidden: Hidden = {},
): Promise<Stock[Type]> {
  await tx
    .insert(paymentObjects)
    .values({ account, id: object.id, type, created: object.created ?? 0, data: plain(object), hidden })
  return object
}

const { account: owner, id: key, type: kind, isDeleted, data, hidden: concealed } = paymentObjects

/** Null for a deleted object. Locked until the transaction ends, unless it is only `read`. */
export async function find<Type extends ObjectType>(
  { tx, account }: Scope,
  type: Type,
  id: string,
  use: 'lock' | 'read' = 'lock',
): Promise<Found<Type> | null> {
  const query = tx
    .select({ data, hidden: concealed })
    .from(paymentObjects)
    .where(and(eq(owner, account), eq(key, id), eq(kind, type), eq(isDeleted, false)))
  const [row] = use === 'lock' ? await query.for('update') : await query
  return row ? { data: isType(type).parse(row.data), hidden: row.hidden } : null
}

/** Locked, unless `param` refers to it. @throws {StripeError} 404, or 400 for an ID in the parameter `param` */
export async function get<Type extends ObjectType>(
  scope: Scope,
  type: Type,
  id: string,
  param = 'id',
  use: 'lock' | 'read' = param === 'id' ? 'lock' : 'read',
): Promise<Found<Type>> {
  const found = await find(scope, type, id, use)
  if (!found) throw resourceMissing(nounOf(type), id, param)
  return found
}

/** @throws {StripeError} 404 */
export const read = async <Type extends ObjectType>(scope: Scope, type: Type, id: string): Promise<Stock[Type]> =>
  (await get(scope, type, id, 'id', 'read')).data

export async function update<Type extends ObjectType>(
  { tx, account }: Scope,
  type: Type,
  id: string,
  change: Partial<Stock[Type]>,
  hidden: Hidden = {},
): Promise<Stock[Type]> {
  const [row] = await tx
    .update(paymentObjects)
    .set({
      data: sql`${data} || ${JSON.stringify(change)}::text::jsonb`,
      hidden: sql`${concealed} || ${JSON.stringify(hidden)}::text::jsonb`,
    })
    .where(and(eq(owner, account), eq(key, id)))
    .returning({ data })
  return isType(type).parse(row?.data)
}

/** @throws {StripeError} 404 for an object that never existed */
export async function getOrDeleted({ tx, account }: Scope, type: ObjectType, id: string) {
  const [row] = await tx
    .select({ data, isDeleted })
    .from(paymentObjects)
    .where(and(eq(owner, account), eq(key, id), eq(kind, type)))
  if (!row) throw resourceMissing(nounOf(type), id)
  return row.isDeleted ? { id, object: type, deleted: true } : row.data
}

/** What remains says only that it was deleted. */
export async function remove({ tx, account }: Scope, type: ObjectType, id: string) {
  await tx
    .update(paymentObjects)
    .set({ isDeleted: true })
    .where(and(eq(owner, account), eq(key, id)))
  return { id, object: type, deleted: true } as const
}

/** Objects whose fields have these values, the newest first. */
export async function findAll<Type extends ObjectType>(
  { tx, account }: Scope,
  type: Type,
  fields: Partial<Record<keyof Stock[Type], unknown>>,
): Promise<Stock[Type][]> {
  const rows = await tx
    .select({ data })
    .from(paymentObjects)
    .where(
      and(
        eq(owner, account),
        eq(kind, type),
        eq(isDeleted, false),
        sql`${data} @> ${JSON.stringify(fields)}::text::jsonb`,
      ),
    )
    .orderBy(sql`${paymentObjects.position} DESC`)
  return rows.map((row) => isType(type).parse(row.data))
}
