import { and, asc, desc, eq, gt, gte, inArray, lt, lte, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { PaymentsCall } from '../wire/call.ts'
import { invalidRequest, resourceMissing } from '../wire/error.ts'
import { integer, text, timeRange } from '../wire/params.ts'
import { paymentObjects } from '../schema.ts'
import { nounOf, type ObjectType } from './types.ts'

export const pageParams = {
  limit: integer(1, 100).optional(),
  starting_after: text().optional(),
  ending_before: text().optional(),
}
export const datedPageParams = { ...pageParams, created: timeRange.optional() }

interface PageParams {
  limit?: number
  starting_after?: string
  ending_before?: string
  created?: z.output<typeof timeRange>
}

const { account, id, type, position, created, isDeleted, data } = paymentObjects

/** A page of objects, the newest first, as Stripe lists them. `fields` are the values that they have. */
export async function listObjects(
  call: PaymentsCall,
  kind: ObjectType,
  path: string,
  page: PageParams,
  fields: Readonly<Record<string, unknown>> = {},
  ids?: readonly string[],
  where: readonly (SQL | undefined)[] = [],
) {
  const { limit = 10, starting_after, ending_before } = page
  if (starting_after && ending_before)
    throw invalidRequest('You may only specify one of these parameters: ending_before, starting_after.')
  const after = starting_after ? await positionOf(call, kind, starting_after, 'starting_after') : null
  const before = ending_before ? await positionOf(call, kind, ending_before, 'ending_before') : null
  const isBackward = before !== null
  const rows = await call.tx
    .select({ data })
    .from(paymentObjects)
    .where(
      and(
        eq(account, call.account),
        eq(type, kind),
        eq(isDeleted, false),
        after === null ? undefined : lt(position, after),
        before === null ? undefined : gt(position, before),
        ...rangeOf(page.created),
        Object.values(fields).some((value) => value !== undefined)
          ? sql`${data} @> ${JSON.stringify(fields)}::text::jsonb`
          : undefined,
        ids && inArray(id, [...ids]),
        ...where,
      ),
    )
    .orderBy(isBackward ? asc(position) : desc(position))
    .limit(limit + 1)
  const shown = rows.slice(0, limit).map((row) => row.data)
  return {
    object: 'list' as const,
    url: path,
    has_more: rows.length > limit,
    data: isBackward ? shown.toReversed() : shown,
  }
}

async function positionOf({ tx, account: own }: PaymentsCall, kind: ObjectType, wanted: string, param: string) {
  const [row] = await tx
    .select({ position })
    .from(paymentObjects)
    .where(and(eq(account, own), eq(type, kind), eq(id, wanted)))
  if (!row) throw resourceMissing(nounOf(kind), wanted, param)
  return row.position
}

function rangeOf(range: PageParams['created']): (SQL | undefined)[] {
  if (range === undefined) return []
  if (typeof range === 'number') return [eq(created, range)]
  return [
    range.gt === undefined ? undefined : gt(created, range.gt),
    range.gte === undefined ? undefined : gte(created, range.gte),
    range.lt === undefined ? undefined : lt(created, range.lt),
    range.lte === undefined ? undefined : lte(created, range.lte),
  ]
}

/** All of a list that belongs to an object, such as the refunds of a charge. */
export const wholeList = <Item>(url: string, items: Item[]) => ({
  object: 'list' as const,
  url,
  has_more: false,
  data: items,
})
