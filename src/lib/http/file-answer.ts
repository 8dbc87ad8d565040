import { Problem } from '../errors.ts'
import type { ByteRange, FileBody } from '../reply.ts'

/** What is answered of a file (RFC 9110, 13 and 14). */
interface FileAnswer {
  status: 200 | 206 | 304
  headers: Record<string, string>
  /** The part that is sent; null for nothing of it. */
  range: ByteRange | null
}

/**
 * Whether a file is sent whole, in part, or not at all since the reader has it. Several ranges in one request, and
 * another unit than bytes, are answered with the whole file.
 * @throws {Problem} 416 for a range outside of it
 */
export function fileAnswer({ size, etag }: FileBody, method: string, headers: Headers): FileAnswer {
  const facts = { ETag: etag, 'Accept-Ranges': 'bytes' }
  if (isKnown(headers.get('if-none-match'), etag)) return { status: 304, headers: facts, range: null }
  const whole = { from: 0, end: size }
  const range =
    method === 'GET' && isUnchanged(headers.get('if-range'), etag) ? rangeOf(headers.get('range'), size) : null
  if (!range) return { status: 200, headers: { ...facts, 'Content-Length': String(size) }, range: whole }
  const { from, end } = range
  if (from >= end) throw outside(size)
  const part = { 'Content-Range': `bytes ${from}-${end - 1}/${size}`, 'Content-Length': String(end - from) }
  return { status: 206, headers: { ...facts, ...part }, range }
}

const isKnown = (condition: string | null, etag: string): boolean =>
  condition !== null &&
  condition
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === '*' || each === etag)

/** A date says less than an ETag, so a range with one is answered with the whole file. */
const isUnchanged = (condition: string | null, etag: string): boolean => condition === null || condition === etag

/** The part that is asked for; empty when it is outside of the file, null when the header asks for no one part. */
function rangeOf(header: string | null, size: number): ByteRange | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '') return { from: Math.max(size - Number(last), 0), end: size }
  if (last !== '' && Number(last) < Number(first)) return null
  return { from: Number(first), end: last === '' ? size : Math.min(Number(last) + 1, size) }
}

const outside = (size: number) =>
  new Problem(416, 'range_not_satisfiable', `The file has ${size} bytes: ask for a range within it.`, {
    headers: { 'Content-Range': `bytes */${size}` },
  })
