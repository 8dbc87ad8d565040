import { z } from 'zod'
import { decodePlace, encodeCursor, type PageOf } from '#lib/paginate.ts'
import type { CatalogItem } from './contract.ts'

const Place = z.tuple([z.int().min(0).max(1), z.string(), z.string(), z.string()])
type Place = z.output<typeof Place>

/** Installed apps first, then by group and name. */
const placeOf = ({ installed, group, name, id }: CatalogItem): Place => [installed ? 0 : 1, group ?? '', name, id]

const collator = new Intl.Collator('en')

function compare(one: Place, other: Place): number {
  const [byKind, ...rest] = [
    one[0] - other[0],
    collator.compare(one[1], other[1]),
    collator.compare(one[2], other[2]),
    collator.compare(one[3], other[3]),
  ]
  return byKind || (rest.find((order) => order !== 0) ?? 0)
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
