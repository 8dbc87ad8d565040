/**
 * Calls `act` for each item in turn; a failure doesn't stop the rest.
 * @throws what failed, after the last item: one error as it is, several as an AggregateError
 */
export async function forEachSettled<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const errors: unknown[] = []
  for (const item of items) await act(item).catch((error: unknown) => errors.push(error))
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} of ${items.length} failed`)
}
