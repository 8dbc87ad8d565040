import { listOf } from '#lib/paginate.ts'
import { Person } from '../contract.ts'
import { partsOf } from './parts.ts'
import type { Requests } from './requests.ts'

const ttlMs = 30_000
/** How long a failed lookup isn't repeated: each one can take until the timeout of a request. */
const failureTtlMs = 2_000
const maxCachedNames = 10_000
export function createPeople({ requestAsService }: Requests) {
  /** Null for ids that identity doesn't know. */
  const names = new Map<string, { person: Person | null; until: number }>()

  /** Names are optional: responses omit them while identity is unavailable. */
  const loadNames = (ids: string[]): Promise<void> =>
    fetchNames(ids).catch(() => {
      const until = Date.now() + failureTtlMs
      for (const id of ids) names.set(id, { person: names.get(id)?.person ?? null, until })
    })

  async function fetchNames(ids: string[]): Promise<void> {
    const found = await requestAsService(listOf(Person), `/api/internal/users?ids=${ids.join(',')}`)
    if (names.size > maxCachedNames) names.clear()
    const people = new Map(found.items.map((person) => [person.id, person]))
    for (const id of ids) names.set(id, { person: people.get(id) ?? null, until: Date.now() + ttlMs })
  }

  /** Unknown ids are left out, and all that are not cached while identity is unavailable. */
  return async (ids: readonly string[]): Promise<Map<string, Person>> => {
    const now = Date.now()
    const missing = ids.filter((id) => (names.get(id)?.until ?? 0) <= now)
    await Promise.all(partsOf(missing).map(loadNames))
    const people = new Map<string, Person>()
    for (const id of ids) {
      const person = names.get(id)?.person
      if (person) people.set(id, person)
    }
    return people
  }
}
