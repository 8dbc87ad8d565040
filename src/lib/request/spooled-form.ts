import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { Problem } from '../errors.ts'
import { streamBody } from './body-stream.ts'
import { bodyTimeout } from './body.ts'
import { openSpool, type Spool } from './spooled-file.ts'
import { maxFields, toObject } from './to-object.ts'

const mebibyte = 1024 * 1024
/** Of all fields that aren't files. */
const maxTextBytes = mebibyte
const formOverhead = 64 * 1024
const timeoutMs = 120_000

export interface SpooledForm {
  fields: Record<string, unknown>
  /** Deletes its files. */
  close(): Promise<void>
}

interface Options {
  /** Bytes of the files. */
  limit?: number
  signal: AbortSignal
  check(): Promise<void>
  /** Files larger than 64 KiB are stored there until `close`. */
  folder: string
  /** Whose share of the disk it takes. */
  tenant: string
}

export const isForm = ({ headers }: Request): boolean =>
  /^multipart\/form-data\s*(;|$)/i.test(headers.get('content-type') ?? '')

/** Reads a form with files of any size in little memory. @throws {Problem} 400, 408, 413, 415, 503 */
export async function readSpooledForm(
  request: Request,
  { limit = mebibyte, signal, check, folder, tenant }: Options,
): Promise<SpooledForm> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(bodyTimeout()), timeoutMs)
  const spools: Spool[] = []
  const close = async () => {
    await Promise.all(spools.map((spool) => spool.close()))
  }
  try {
    const body = streamBody(request, {
      limit: limit + formOverhead,
      signal: AbortSignal.any([signal, late.signal]),
      check,
    })
    const create = () => {
      const spool = openSpool({ folder, tenant })
      spools.push(spool)
      return spool
    }
    return { fields: toObject(await parse(body, request.headers.get('content-type') ?? '', create)), close }
  } catch (error) {
    await close()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

type Entry = [string, unknown]

async function parse(body: ReadableStream<Uint8Array>, type: string, create: () => Spool): Promise<Entry[]> {
  const entries: (Entry | (() => Entry))[] = []
  const parser = openParser(type)
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  let textBytes = 0
  /** What the parser found in the last chunk. */
  let found: { spool: Spool; bytes: Uint8Array }[] = []
  parser
    .on('error', (cause) => failed.reject(malformed('The form is malformed and couldn’t be read.', cause)))
    .on('partsLimit', () => failed.reject(malformed(`The form has more than ${maxFields} fields.`)))
    .on('field', (name, value, _, isTruncated) => {
      textBytes += Buffer.byteLength(value)
      if (isTruncated || textBytes > maxTextBytes)
        failed.reject(new Problem(413, 'body_too_large', 'The form has more than 1 MiB besides its files.'))
      entries.push([name, value])
    })
    .on('file', (name: string | undefined, file: BusboyFileStream, filename, _, media) => {
      const spool = create()
      if (name !== undefined) entries.push(() => [name, spool.toFile(filename, media)])
      file.on('data', (bytes: Uint8Array) => found.push({ spool, bytes }))
      file.on('error', (cause) => failed.reject(malformed('The form ended early.', cause)))
    })
  const store = async () => {
    const pieces = found
    found = []
    for (const { spool, bytes } of pieces) await spool.write(bytes)
  }
  for await (const chunk of body) {
    await Promise.race([failed.promise, written(parser, chunk)])
    await store()
  }
  await Promise.race([failed.promise, ended(parser)])
  await store()
  return entries.map((entry) => (typeof entry === 'function' ? entry() : entry))
}

function openParser(type: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': type },
      limits: { fieldSize: maxTextBytes, parts: maxFields, headerPairs: 100 },
      isPartAFile: (_name, _type, filename) => filename !== undefined,
    })
  } catch (cause) {
    throw malformed('The form has no boundary, so it couldn’t be read.', cause)
  }
}

const written = (parser: BusboyInstance, chunk: Uint8Array): Promise<void> =>
  new Promise((resolve) => parser.write(chunk, () => resolve()))

const ended = (parser: BusboyInstance): Promise<void> =>
  new Promise((resolve) => {
    parser.on('finish', () => resolve())
    parser.end()
  })

const malformed = (detail: string, cause?: unknown) => new Problem(400, 'malformed', detail, { cause })
