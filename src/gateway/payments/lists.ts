import type { PageOf } from '#lib/paginate.ts'

interface ListInput {
  limit: number
  cursor?: string | undefined
  createdFrom?: Date | undefined
  createdBefore?: Date | undefined
}

const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1000)

/** Without the filters, whose names the provider shares. */
export const pageParams = ({ limit, cursor, createdFrom, createdBefore }: ListInput) => ({
  limit,
  ...(cursor !== undefined && { starting_after: cursor }),
  ...((createdFrom ?? createdBefore) && {
    created: {
      ...(createdFrom && { gte: secondsOf(createdFrom) }),
      ...(createdBefore && { lt: secondsOf(createdBefore) }),
    },
  }),
})

/** The account is named in a header. */
export function withoutAccount<Input extends { account?: string | undefined }>(input: Input): Omit<Input, 'account'> {
  const { account: _, ...rest } = input
  return rest
}

interface ProviderList<Item> {
  data: Item[]
  has_more: boolean
}

export function pageOf<Item extends { id: string }, Result>(
  { data, has_more: hasMore }: ProviderList<Item>,
  describe: (item: Item) => Result,
): PageOf<Result> {
  return { items: data.map(describe), nextCursor: hasMore ? (data.at(-1)?.id ?? null) : null }
}
