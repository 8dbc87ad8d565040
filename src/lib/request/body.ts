import { Problem } from '../errors.ts'
import { maxFields, toObject } from './to-object.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
interface ReadOptions {
  limit?: number
  /** Milliseconds within which it must arrive; 15 s, and 1 s more per 256 KiB of the limit, when not set. */
  timeoutMs?: number
}
export const publicBodyLimit = 64 * kibibyte

/**
 * @throws {Problem} 400 when the client breaks it off, 413 past the limit, 415 when compressed, and 408 when it is late
 */
export async function readBytes(request: Request, bounds: ReadOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
  const { limit = mebibyte, timeoutMs = timeoutFor(limit) } = bounds
  refuseEncoded(request)
  refuseLong(request, limit)
  if (isSmall(request)) return readSmall(request, limit, timeoutMs)
  if (!request.body) return new Uint8Array(0)
  const reader = request.body.getReader()
  let late = false
  const deadline = setTimeout(() => {
    late = true
    void reader.cancel('too slow').catch(() => {})
  }, timeoutMs)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (let chunk = await readFrom(reader); !chunk.done; chunk = await readFrom(reader)) {
      size += chunk.value.byteLength
      if (size > limit) throw tooLarge(limit)
      chunks.push(chunk.value)
    }
  } finally {
    clearTimeout(deadline)
    reader.releaseLock()
  }
  if (late) throw bodyTimeout()
  return Buffer.concat(chunks)
}

/** Bytes of a body that the runtime reads as a whole, which takes it less time than a stream. */
const smallBody = 64 * kibibyte

function isSmall({ headers }: Request): boolean {
  const length = Number(headers.get('content-length') ?? 0)
  return length > 0 && length <= smallBody && !headers.has('transfer-encoding')
}

async function readSmall(request: Request, limit: number, timeoutMs: number): Promise<Uint8Array<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>()
  const deadline = setTimeout(() => reject(bodyTimeout()), timeoutMs)
  request.bytes().then(resolve, (cause: unknown) => reject(brokenOff(cause)))
  try {
    const bytes = await promise
    if (bytes.byteLength > limit) throw tooLarge(limit)
    return bytes
  } finally {
    clearTimeout(deadline)
  }
}

const brokenOff = (cause: unknown) =>
  new Problem(400, 'malformed', 'The connection ended before the whole body arrived.', { cause })

function refuseBroken(cause: unknown): never {
  throw brokenOff(cause)
}

/** @throws {Problem} 400 when the client broke off */
export const readFrom = (reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>) =>
  reader.read().catch(refuseBroken)

const timeoutFor = (limit: number): number =>
  15_000 + Math.floor(Math.max(limit - mebibyte, 0) / (256 * kibibyte)) * 1000

/** @throws {Problem} 413 by the announced length */
export function refuseLong({ headers }: Request, limit: number): void {
  if (Number(headers.get('content-length') ?? 0) > limit) throw tooLarge(limit)
}

/** @throws {Problem} 415 for a body of another media type */
export function requireType({ headers }: Request, type: string | undefined): void {
  if (type === undefined || mediaType(headers.get('content-type') ?? '') === type) return
  throw new Problem(415, 'unsupported_media_type', `Send the body as ${type}.`)
}

const mediaType = (contentType: string): string => contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** @throws {Problem} 415 */
export function refuseEncoded({ headers }: Request): void {
  if ((headers.get('content-encoding') ?? 'identity').toLowerCase() === 'identity') return
  throw new Problem(415, 'unsupported_media_type', 'Send the body uncompressed, without a Content-Encoding header.', {
    headers: { 'Accept-Encoding': 'identity' },
  })
}

const formOverhead = 64 * kibibyte

interface BodyOptions {
  limit?: number
  upload?: number
  check?(bytes: Uint8Array): void
}

/** `{}` without a body. With `upload`, an image can be the body itself, as `file`. @throws {Problem} 400, 413, 415 */
export async function readBody(request: Request, { limit, upload, check }: BodyOptions): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  const media = mediaType(type)
  const isFile = upload !== undefined && media.startsWith('image/')
  const holdsFile = isFile || (upload !== undefined && media === 'multipart/form-data')
  const bounds = holdsFile ? { limit: upload + formOverhead, timeoutMs: 120_000 } : { limit }
  const bytes = await readBytes(request, bounds)
  check?.(bytes)
  if (bytes.byteLength === 0) return {}
  if (isFile) return { file: new File([bytes], '', { type: media }) }
  if (media === 'application/json' || media.endsWith('+json')) return parseJson(bytes)
  if (media === 'application/x-www-form-urlencoded') {
    refuseMany(bytes, '&')
    return toObject(new URLSearchParams(decodeText(bytes)))
  }
  if (media === 'multipart/form-data') return toObject(await formEntries(bytes, type))
  throw new Problem(
    415,
    'unsupported_media_type',
    'Send the body as application/json, application/x-www-form-urlencoded or multipart/form-data.',
  )
}

function refuseMany(bytes: Uint8Array<ArrayBuffer>, separator: string): void {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let found = 0
  for (let at = body.indexOf(separator); at >= 0; at = body.indexOf(separator, at + separator.length))
    if (++found > maxFields) throw malformed(`The form has more than ${maxFields} fields.`)
}

function parseJson(bytes: Uint8Array): unknown {
  const value = parseJsonText(decodeText(bytes))
  refuseLarge(value)
  return value
}

/** Values in one body, those inside others too: checking more would keep all other requests waiting. */
const maxValues = 50_000

/** @throws {Problem} 400 for data that nests deeper than 64 levels, and 413 for more than 50,000 values */
export function refuseLarge(value: unknown): void {
  const left = countDown(value, maxValues, maxDepth)
  if (left === 'deep') throw malformed(`The body is nested more than ${maxDepth} levels deep.`)
  if (left < 0) throw new Problem(413, 'body_too_large', `The body has more than ${maxValues} values.`)
}

function parseJsonText(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw malformed('The body is not valid JSON.', cause)
  }
}

/** Recursive functions would run out of stack in a body of brackets. */
const maxDepth = 64

function countDown(value: unknown, left: number, levels: number): number | 'deep' {
  if (typeof value !== 'object' || value === null) return left - 1
  if (levels === 0) return 'deep'
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  let rest = left - 1
  if (inner.length > rest) return -1
  for (const each of inner) {
    const next = countDown(each, rest, levels - 1)
    if (next === 'deep' || next < 0) return next
    rest = next
  }
  return rest
}

async function formEntries(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<[string, unknown][]> {
  const boundary = /boundary="?([^";]+)/i.exec(type)?.[1]
  if (boundary) refuseMany(bytes, `--${boundary}`)
  try {
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
    return [...form.entries()]
  } catch (cause) {
    throw malformed('The form is malformed and couldn’t be read.', cause)
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function decodeText(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw malformed('The body is not valid UTF-8.', cause)
  }
}

const malformed = (detail: string, cause?: unknown) => new Problem(400, 'malformed', detail, { cause })
export const bodyTimeout = () => new Problem(408, 'body_timeout', 'The body took too long to arrive.')
export const tooLarge = (limit: number) =>
  new Problem(413, 'body_too_large', `The body is larger than ${formatBytes(limit)}.`)
const formatBytes = (bytes: number): string =>
  bytes < mebibyte ? `${Math.floor(bytes / kibibyte)} KiB` : `${Math.floor(bytes / mebibyte)} MiB`
