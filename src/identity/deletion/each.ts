/** Does something for each; what failed is thrown together when all had their turn. */
export async function eachOnItsOwn<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const errors: unknown[] = []
  for (const item of items) await act(item).catch((error: unknown) => errors.push(error))
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} of ${items.length} failed`)
}
