import { Problem } from '../../errors.ts'
import type { ByteRange, FileBody } from '../../reply.ts'

interface FileResponse {
  status: 200 | 206 | 304
  headers: Record<string, string>
  range: ByteRange | null
}

/** Several ranges, or another unit than bytes, get the whole file. @throws {Problem} 416 for a range outside of it */
export function fileResponse({ size, etag }: FileBody, method: string, headers: Headers): FileResponse {
  const common = { ETag: etag, 'Accept-Ranges': 'bytes' }
  if (matchesEtag(headers.get('if-none-match'), etag)) return { status: 304, headers: common, range: null }
  const whole = { from: 0, end: size }
  const range =
    method === 'GET' && isUnchanged(headers.get('if-range'), etag) ? rangeOf(headers.get('range'), size) : null
  if (!range) return { status: 200, headers: { ...common, 'Content-Length': String(size) }, range: whole }
  const { from, end } = range
  if (from >= end) throw rangeNotSatisfiable(size)
  const part = { 'Content-Range': `bytes ${from}-${end - 1}/${size}`, 'Content-Length': String(end - from) }
  return { status: 206, headers: { ...common, ...part }, range }
}

/** Whether `If-None-Match` names this `ETag`. */
export const matchesEtag = (condition: string | null, etag: string): boolean =>
  condition !== null &&
  condition
    .split(',')
    .map((each) => each.trim().replace(/^W\//, ''))
    .some((each) => each === '*' || each === etag)

/** Dates in `If-Range` are not supported: such requests get the whole file. */
const isUnchanged = (condition: string | null, etag: string): boolean => condition === null || condition === etag

function rangeOf(header: string | null, size: number): ByteRange | null {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return null
  if (first === '') return { from: Math.max(size - Number(last), 0), end: size }
  if (last !== '' && Number(last) < Number(first)) return null
  return { from: Number(first), end: last === '' ? size : Math.min(Number(last) + 1, size) }
}

const rangeNotSatisfiable = (size: number) =>
  new Problem(416, 'range_not_satisfiable', `The file has ${size} bytes. Request a range within it.`, {
    headers: { 'Content-Range': `bytes */${size}` },
  })
