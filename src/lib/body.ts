import { Problem } from './errors.ts'
import { toObject } from './fields.ts'

const mebibyte = 1024 * 1024
/** What a body may be, in bytes, and within how many milliseconds it has to arrive. */
interface Bounds {
  largest: number
  patience: number
}
const usual: Bounds = { largest: mebibyte, patience: 15_000 }

/**
 * The raw body. Throws 413 past 1 MiB and 408 when it doesn't arrive within 15 s.
 */
export async function readBytes(request: Request, bounds = usual): Promise<Uint8Array<ArrayBuffer>> {
  const { largest, patience } = bounds
  if (Number(request.headers.get('content-length') ?? 0) > largest) throw tooLarge(bounds)
  if (!request.body) return new Uint8Array(0)
  const reader = request.body.getReader()
  let late = false
  const deadline = setTimeout(() => {
    late = true
    void reader.cancel('too slow').catch(() => {}) // The sender may be gone already.
  }, patience)
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      size += chunk.value.byteLength
      if (size > largest) throw tooLarge(bounds)
      chunks.push(chunk.value)
    }
  } finally {
    clearTimeout(deadline)
    reader.releaseLock()
  }
  if (late) throw new Problem(408, 'body_timeout', 'The body took too long to arrive.')
  return Buffer.concat(chunks)
}

/** Room for the other fields of a form with a file. */
const formRoom = 64 * 1024

interface Reading {
  /** Bytes of a file that are taken. */
  upload?: number
  /** Looks at the raw body first, and throws what it has against it. */
  check?(bytes: Uint8Array): void
}

/**
 * The body as data: JSON, a form, or `{}` when there is none. Where `upload` bytes of a file are taken, an image may
 * also be the body itself: it is the field `file` then.
 * Throws 400 when it is malformed, 413 when it is too large and 415 when it is of another type.
 */
export async function readBody(request: Request, { upload, check }: Reading): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  const media = type.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const isFile = upload !== undefined && media.startsWith('image/')
  const holdsFile = isFile || (upload !== undefined && media === 'multipart/form-data')
  const bounds = holdsFile ? { largest: upload + formRoom, patience: 120_000 } : usual
  const bytes = await readBytes(request, bounds)
  check?.(bytes)
  if (bytes.byteLength === 0) return {}
  if (isFile) return { file: new File([bytes], '', { type: media }) }
  if (media === 'application/json' || media.endsWith('+json')) return parseJson(bytes)
  if (media === 'application/x-www-form-urlencoded') return toObject(new URLSearchParams(text(bytes)))
  if (media === 'multipart/form-data') return toObject(await formEntries(bytes, type))
  throw new Problem(415, 'unsupported_media_type', 'Send application/json or a form.')
}

function parseJson(bytes: Uint8Array): unknown {
  const value = jsonOf(text(bytes))
  refuseDeep(value)
  return value
}

/** Throws 400 for data that nests deeper than 64 levels. */
export function refuseDeep(value: unknown): void {
  if (isDeep(value)) throw malformed(`The body nests deeper than ${deepest} levels.`)
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw malformed('The body is not valid JSON.', cause)
  }
}

/** Whatever goes through a value step by step would run out of stack in a body of brackets. */
const deepest = 64
const isDeep = (value: unknown, left = deepest): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (left === 0 || Object.values(value).some((inner) => isDeep(inner, left - 1)))

async function formEntries(bytes: Uint8Array<ArrayBuffer>, type: string): Promise<[string, unknown][]> {
  try {
    const form = await new Response(bytes, { headers: { 'content-type': type } }).formData()
    return [...form.entries()]
  } catch (cause) {
    throw malformed('The form could not be read.', cause)
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function text(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch (cause) {
    throw malformed('The body is not valid UTF-8.', cause)
  }
}

const malformed = (detail: string, cause?: unknown) => new Problem(400, 'malformed', detail, { cause })
const tooLarge = ({ largest }: Bounds) =>
  new Problem(413, 'body_too_large', `The body is larger than ${Math.floor(largest / mebibyte)} MiB.`)
