import { inArray, sql } from 'drizzle-orm'
import type { AudienceMember } from '#identity'
import type { Call } from '#lib/call.ts'
import { allowedTo } from '../../actions/visible.ts'
import { notifications } from '../../schema.ts'
import { actorOfMember, type Audience } from '../audience.ts'

/** Of these notifications of the organization, those that each of up to 100 people can see: one query for all of them. */
export async function listVisible(
  { db, identity }: Pick<Call, 'db' | 'identity'>,
  { organization, members }: Audience,
  ids: readonly string[],
): Promise<Map<string, ReadonlySet<string>>> {
  const groups = [...Map.groupBy(members, keyOf).values()].flatMap(([first, ...others]) =>
    first ? [{ first, people: [first, ...others].map(({ id }) => id) }] : [],
  )
  const conditions = await Promise.all(
    groups.map(({ first }) => allowedTo({ identity, actor: actorOfMember(first, organization) })),
  )
  const rows = await db
    .select({
      id: notifications.id,
      personId: notifications.personId,
      /** One for each group. */
      seen: sql<boolean[]>`to_jsonb(ARRAY[${sql.join(
        conditions.map((condition) => sql`coalesce(${condition}, false)`),
        sql`, `,
      )}])`,
    })
    .from(notifications)
    .where(inArray(notifications.id, [...ids]))
  const visible = new Map(members.map(({ id }) => [id, new Set<string>()]))
  for (const { id, personId, seen } of rows) {
    for (const [at, { people }] of groups.entries()) {
      const readers = personId === null ? people : people.filter((person) => person === personId)
      if (seen[at]) for (const person of readers) visible.get(person)?.add(id)
    }
  }
  return visible
}

/** The same for people whose roles allow the same. */
const keyOf = ({ principalType, role, permissions, resources }: AudienceMember): string =>
  JSON.stringify([principalType, role, permissions, resources])
