import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import type { Secrets } from '#lib/secrets.ts'
import { createContentDigest, sign, signatureName } from './signature.ts'

export interface ArchiveWriter {
  add(name: string, bytes: Uint8Array): Promise<void>
  /** Splits lines into entries `<name>/<number>`, since tar needs the length of an entry before its bytes. */
  addLines(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  sign(secrets: Secrets): Promise<void>
  close(): Promise<void>
}

const newline = 10
const pieceBytes = 4 * 1024 * 1024

/** Only its owner can read it. @throws when the file exists */
export function createArchive(path: string): ArchiveWriter {
  const tar = pack()
  const written = pipeline(tar, createGzip(), createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }))
  written.catch(() => {}) // The next `add` or `close` throws the same error.
  const digest = createContentDigest()
  const append = (name: string, bytes: Uint8Array) =>
    Promise.race([
      written,
      new Promise<void>((resolve, reject) => {
        tar.entry({ name, mode: 0o600 }, Buffer.from(bytes), (error) => (error ? reject(error) : resolve()))
      }),
    ])
  const add: ArchiveWriter['add'] = async (name, bytes) => {
    await digest.add(name, [bytes])
    await append(name, bytes)
  }
  return {
    add,
    addLines: async (name, bytes) => {
      let number = 0
      for await (const piece of splitLines(bytes)) await add(`${name}/${String(++number).padStart(6, '0')}`, piece)
    },
    sign: (secrets) => append(signatureName, Buffer.from(`${JSON.stringify(sign(secrets, digest.end()))}\n`)),
    close: async () => {
      tar.finalize()
      await written
    },
  }
}

async function* splitLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const chunk of bytes) {
    waiting.push(chunk)
    length += chunk.byteLength
    if (length < pieceBytes || chunk.at(-1) !== newline) continue
    yield Buffer.concat(waiting)
    waiting = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(waiting)
}

export interface ArchiveEntry {
  name: string
  bytes: AsyncIterable<Uint8Array>
}

/** Read each entry before the next. @throws when the file is damaged */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEntry> {
  const tar = extract()
  const read = pipeline(createReadStream(path), createGunzip(), tar)
  read.catch(() => {}) // The loop below throws the same error.
  for await (const entry of tar) yield { name: entry.header.name, bytes: chunksOf(entry) }
  await read
}

async function* chunksOf(entry: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of entry) if (chunk instanceof Uint8Array) yield chunk
}

export async function readEntry({ bytes }: ArchiveEntry): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks))
}

export async function readJsonEntry(entry: ArchiveEntry): Promise<unknown> {
  try {
    return JSON.parse(Buffer.from(await readEntry(entry)).toString())
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
