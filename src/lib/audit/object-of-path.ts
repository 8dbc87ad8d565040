/** The object of a path: `/api/accounts/<id>/deactivate` is about the account with that ID. */
export function objectOfPath(path: string): { object?: string; id?: string } {
  const segments = path.split('/')
  const at = segments.findLastIndex((segment) => uuid.test(segment))
  const collection = segments[at - 1]
  return at > 0 && collection ? { object: singular(collection), id: segments[at] } : {}
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const singular = (collection: string): string => collection.replace(/ies$/, 'y').replace(/s$/, '')
