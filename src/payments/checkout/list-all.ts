export const pageAt = (cursor: string | null) => ({ limit: 100, ...(cursor !== null && { cursor }) })

const maxPages = 20

interface Page<Item> {
  items: readonly Item[]
  nextCursor: string | null
}

/** All items of a list of the provider, or those until the one that is looked for. */
export async function listAll<Item>(
  list: (cursor: string | null) => Promise<Page<Item>>,
  isWanted: (item: Item) => boolean = () => false,
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = null
  for (let pages = 0; pages < maxPages; pages += 1) {
    const found: Page<Item> = await list(cursor)
    items.push(...found.items)
    cursor = found.nextCursor
    if (cursor === null || found.items.some(isWanted)) return items
  }
  throw new Error(`A list of the provider has more than ${maxPages} pages`)
}
