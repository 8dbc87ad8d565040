import type Stripe from 'stripe'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { datedPageParams, listObjects } from '../store/list.ts'
import { read } from '../store/objects.ts'
import { paymentObjects } from '../schema.ts'
import { invalidRequest } from '../wire/error.ts'
import { flag, list, paramsOf, text } from '../wire/params.ts'
import { nothing, route } from '../wire/route.ts'

const List = paramsOf<Stripe.EventListParams>()(
  z.strictObject({
    ...datedPageParams,
    delivery_success: flag.optional(),
    type: text(100).optional(),
    types: list(text(100), 20).optional(),
  }),
)

const type = sql`${paymentObjects.data} ->> 'type'`

export const eventRoutes = [
  route('GET', '/v1/events', List, (call, { type: pattern, types, delivery_success: isSent, ...page }) => {
    if (pattern && types) throw invalidRequest('You may only specify one of these parameters: type, types.')
    const wanted = types ?? (pattern ? [pattern] : [])
    return listObjects(call, 'event', '/v1/events', page, {}, undefined, [
      wanted.length === 0
        ? undefined
        : sql`(${sql.join(
            wanted.map((each) => sql`${type} LIKE ${each.replaceAll(/[_%\\]/g, '\\$&').replaceAll('*', '%')}`),
            sql` OR `,
          )})`,
      isSent === undefined
        ? undefined
        : isSent
          ? sql`${paymentObjects.data} @> '{"pending_webhooks":0}'`
          : sql`NOT ${paymentObjects.data} @> '{"pending_webhooks":0}'`,
    ])
  }),
  route('GET', '/v1/events/:id', nothing, (call, _, id = '') => read(call, 'event', id)),
]
