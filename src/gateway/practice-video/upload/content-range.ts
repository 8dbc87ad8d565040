import { UploadError } from '../google-error.ts'
import { granuleBytes } from './sizes.ts'

/** A request that asks what was received, or one that brings bytes from `first`; `null` is not known. */
export type ContentRange =
  { probe: true; total: number | null } | { probe: false; first: number; length: number | null; total: number | null }

const maxDigits = 15

/** @throws {UploadError} 400 for a header that is malformed or contradicts the length of the body */
export function parseContentRange(headers: Headers): ContentRange {
  const range = headers.get('content-range')
  const bodyLength = lengthOf(headers)
  if (range === null) return { probe: false, first: 0, length: bodyLength, total: bodyLength }
  const parts = /^bytes (?:(\*)|(\d+)-(\d+))\/(\*|\d+)$/.exec(range)
  if (!parts || range.length > 4 * maxDigits) throw new UploadError(400, 'Failed to parse Content-Range header.')
  const total = parts[4] === '*' ? null : Number(parts[4])
  if (parts[1]) {
    if (bodyLength !== null && bodyLength > 0) throw wrongLength(bodyLength, 0)
    return { probe: true, total }
  }
  const [first, last] = [Number(parts[2]), Number(parts[3])]
  if (last < first || (total !== null && last >= total))
    throw new UploadError(400, 'Failed to parse Content-Range header.')
  const length = last - first + 1
  if (bodyLength !== null && bodyLength !== length) throw wrongLength(bodyLength, length)
  requireGranules(length, total === null || last + 1 < total)
  return { probe: false, first, length, total }
}

const lengthOf = (headers: Headers): number | null =>
  headers.has('content-length') ? Number(headers.get('content-length')) : null

export const wrongLength = (actual: number, expected: number) =>
  new UploadError(
    400,
    `Invalid request. There were ${actual} byte(s) in the request body. There should have been ${expected} byte(s) according to the Content-Range header.`,
  )

/** @throws {UploadError} 400 for a chunk that is not the last one and no multiple of 256 KiB */
function requireGranules(length: number, isFollowed: boolean): void {
  if (!isFollowed || length % granuleBytes === 0) return
  throw new UploadError(
    400,
    `Invalid request. The number of bytes uploaded is required to be a multiple of ${granuleBytes}, except for the final request. The received request contained ${length} bytes, which does not meet this requirement.`,
  )
}
