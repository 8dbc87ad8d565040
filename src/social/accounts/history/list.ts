import { and, eq } from 'drizzle-orm'
import type { IdentityClient } from '#identity'
import type { Actor } from '#lib/actor.ts'
import { organizationOf } from '#lib/authorize.ts'
import type { Call } from '#lib/call.ts'
import type { Database } from '#lib/db.ts'
import { Id } from '#lib/ids.ts'
import { keyset } from '#lib/paginate.ts'
import { Instant } from '#lib/time.ts'
import { accountEvents, brands, connections as accounts } from '../../schema.ts'
import * as connections from '../connections.ts'

const newestFirst = keyset({ at: [accountEvents.at, Instant], id: [accountEvents.id, Id] }, 'desc')

type Reading = Pick<Call<{ id: string; limit: number; cursor?: string }, Actor>, 'db' | 'actor' | 'identity' | 'input'>

/** The newest first. @throws {Problem} as `connections.get`, and 422 for a cursor of another list */
export async function listHistory({ db, actor, identity, input: { id, ...query } }: Reading) {
  const account = await connections.get(db, actor, id)
  const slice = newestFirst.slice(query)
  const rows = await db
    .select()
    .from(accountEvents)
    .where(and(eq(accountEvents.connectionId, account.id), slice.where))
    .orderBy(...slice.order)
    .limit(slice.limit)
  const { items, nextCursor } = slice.page(rows)
  const people = await findMembers(
    identity,
    organizationOf(actor),
    items.flatMap(({ personId }) => personId ?? []),
  )
  return {
    items: items.map(({ personId, ...event }) => ({
      ...event,
      person: personId === null ? null : { id: personId, name: people.get(personId)?.name ?? null },
    })),
    nextCursor,
  }
}

/** The time zone of the brand of an account that the caller reaches. */
export async function readZone(db: Database, id: string): Promise<string> {
  const [row] = await db
    .select({ zone: brands.timeZone })
    .from(accounts)
    .innerJoin(brands, eq(brands.id, accounts.brandId))
    .where(eq(accounts.id, id))
  return row?.zone ?? 'UTC'
}

/** A brand that was transferred has events of people who aren’t members of its organization. */
async function findMembers(identity: IdentityClient, organizationId: string, ids: readonly string[]) {
  const people = await identity.people([...new Set(ids)])
  const members = await Promise.all(
    [...people].map(async ([id, { name }]) =>
      (await identity.isMember(organizationId, id)) ? [[id, { name }] as const] : [],
    ),
  )
  return new Map(members.flat())
}
