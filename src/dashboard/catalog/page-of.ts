import { z } from 'zod'
import { decodePlace, encodeCursor, type PageOf } from '#lib/paginate.ts'
import type { CatalogItem } from './contract.ts'

const Place = z.tuple([z.int().min(0).max(1), z.int().min(0), z.string(), z.string(), z.string()])
type Place = z.output<typeof Place>

/** What people work with comes first, what they set up last; other groups are between them. */
const ranks: Record<string, number | undefined> = { Work: 0, Platform: 2, Account: 3 }

const rankOf = (group: string | null): number => ranks[group ?? ''] ?? 1

/** Installed apps first, then by group and name. */
const placeOf = ({ installed, group, name, id }: CatalogItem): Place => [
  installed ? 0 : 1,
  rankOf(group),
  group ?? '',
  name,
  id,
]

const collator = new Intl.Collator('en')

function compare(one: Place, other: Place): number {
  const orders = [
    one[0] - other[0],
    one[1] - other[1],
    collator.compare(one[2], other[2]),
    collator.compare(one[3], other[3]),
    collator.compare(one[4], other[4]),
  ]
  return orders.find((order) => order !== 0) ?? 0
}

/** A page begins after the last app of the one before, also if that was installed or removed since. */
export function pageOf(
  items: CatalogItem[],
  { limit, cursor }: { limit: number; cursor?: string },
): PageOf<CatalogItem> {
  const after = cursor === undefined ? undefined : decodePlace(Place, cursor)
  const rest = items
    .filter((item) => after === undefined || compare(placeOf(item), after) > 0)
    .toSorted((one, other) => compare(placeOf(one), placeOf(other)))
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return { items: page, nextCursor: last && rest.length > limit ? encodeCursor(placeOf(last)) : null }
}
