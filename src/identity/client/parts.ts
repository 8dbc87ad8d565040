const maxIdsPerRequest = 100

/** Distinct IDs in lists that fit one request. */
export const partsOf = (ids: Iterable<string>): string[][] => {
  const distinct = [...new Set(ids)]
  return Array.from({ length: Math.ceil(distinct.length / maxIdsPerRequest) }, (_, at) =>
    distinct.slice(at * maxIdsPerRequest, (at + 1) * maxIdsPerRequest),
  )
}
