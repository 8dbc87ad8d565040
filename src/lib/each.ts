/** A failure doesn't stop the rest. @throws the error after the last item, or an AggregateError of several */
export async function forEachSettled<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<void>,
  concurrency = 1,
): Promise<void> {
  const errors: unknown[] = []
  const rest = items.values()
  const work = async () => {
    for (const item of rest) await run(item).catch((error: unknown) => errors.push(error))
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  if (errors.length === 1) throw errors[0]
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} of ${items.length} failed`)
}
