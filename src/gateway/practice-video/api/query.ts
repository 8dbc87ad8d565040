import { GoogleError, invalidArgument } from '../google-error.ts'

/** Of every method. `fields` has no effect: responses are complete. */
const common = ['$.xgafv', 'alt', 'callback', 'fields', 'key', 'prettyPrint', 'quotaUser', 'upload_protocol']

/** @throws {GoogleError} 400 for a parameter that the method doesn't have */
export function checkNames(query: URLSearchParams, own: readonly string[]): void {
  for (const name of query.keys())
    if (![...own, ...common].includes(name))
      throw invalidArgument(
        `Invalid JSON payload received. Unknown name "${name}": Cannot bind query parameter. Field '${name}' could not be found in request message.`,
      )
  const alt = query.get('alt') ?? 'json'
  if (alt !== 'json' && alt !== 'media') throw invalidParameter('alt', alt)
}

/** A list is comma-separated, or its parameter is repeated. */
export const listOf = (query: URLSearchParams, name: string): string[] =>
  query
    .getAll(name)
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '')

/** @throws {GoogleError} 400 when it is missing or has an unknown part */
export function readParts(query: URLSearchParams, known: readonly string[]): string[] {
  const parts = listOf(query, 'part')
  if (parts.length === 0) throw missingParameter('part')
  const unknown = parts.find((part) => part !== 'id' && !known.includes(part))
  if (unknown === undefined) return parts
  throw new GoogleError(400, `'${unknown}'`, {
    reason: 'unknownPart',
    domain: 'youtube.part',
    location: 'part',
    locationType: 'parameter',
  })
}

/** @throws {GoogleError} 400 unless exactly one is given */
export function readFilter(query: URLSearchParams, names: readonly string[]): string {
  const given = names.filter((name) => query.has(name))
  if (given.length > 1)
    throw new GoogleError(400, `Incompatible parameters specified in the request: ${given.join(', ')}`, {
      reason: 'incompatibleParameters',
      domain: 'youtube.parameter',
      location: 'parameters.',
      locationType: 'other',
    })
  const [filter] = given
  if (filter !== undefined) return filter
  throw new GoogleError(400, `No filter selected. Expected one of: ${names.join(', ')}`, {
    reason: 'missingRequiredParameter',
    domain: 'youtube.parameter',
    location: 'parameters.',
    locationType: 'other',
  })
}

export function readPage(query: URLSearchParams, most = 50): { size: number; offset: number } {
  const max = query.get('maxResults') ?? '5'
  if (!/^\d+$/.test(max) || Number(max) > most) throw invalidParameter('maxResults', max)
  const token = query.get('pageToken')
  const offset = token === null ? 0 : Number(/^P(\d{1,6})$/.exec(token)?.[1])
  if (Number.isNaN(offset))
    throw new GoogleError(400, 'The request specifies an invalid page token.', {
      reason: 'invalidPageToken',
      domain: 'youtube.parameter',
      location: 'pageToken',
      locationType: 'parameter',
    })
  return { size: Number(max), offset }
}

export function pageOf<Item>(all: readonly Item[], { size, offset }: { size: number; offset: number }) {
  const items = all.slice(offset, offset + size)
  return {
    items,
    envelope: {
      ...(offset + size < all.length && { nextPageToken: `P${offset + size}` }),
      pageInfo: { totalResults: all.length, resultsPerPage: size },
    },
  }
}

/** @throws {GoogleError} 400 for another word than `true` or `false` */
export function readBoolean(query: URLSearchParams, name: string): boolean {
  const value = query.get(name) ?? 'false'
  if (value !== 'true' && value !== 'false') throw invalidParameter(name, value)
  return value === 'true'
}

export const missingParameter = (name: string) =>
  new GoogleError(400, `Required parameter: ${name}`, {
    reason: 'required',
    location: name,
    locationType: 'parameter',
  })

export const invalidParameter = (name: string, value: string) =>
  invalidArgument(`Invalid value at '${name}', "${value}"`)
