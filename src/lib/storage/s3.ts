import { S3Client, type S3Options } from 'bun'
import type { ByteRange } from '../reply.ts'
import { createChunkCollector } from '../collect-chunks.ts'
import type { Storage } from './interface.ts'

export function s3Storage(options: S3Options): Storage {
  const client = new S3Client(options)
  const at = (key: string) => client.file(key)
  return {
    put: async (key, content, type) => {
      if (content instanceof Uint8Array) await at(key).write(content, { type })
      else await writeParts(at(key), content, type)
    },
    putFile: async (key, path, type) => void (await at(key).write(Bun.file(path), { type })),
    read: async (key) => {
      const file = at(key)
      const size = await sizeOf(file)
      if (size === null) return null
      const stream = (range?: ByteRange) => (range ? file.slice(range.from, range.end) : file).stream()
      return { size, stream, chunks: () => chunksOf(file), bytes: async () => new Uint8Array(await file.arrayBuffer()) }
    },
    delete: async (key) => at(key).delete(),
    exists: async (key) => at(key).exists(),
    keys: () => keysOf(client),
    removeUnfinished: async () => {},
  }
}

/** Bytes per part of a multipart upload, and concurrent parts, which are in memory. */
const uploadOptions = { partSize: 8 * 1024 * 1024, queueSize: 2 }

/** When the upload fails, the store keeps its parts until a lifecycle rule deletes them. */
async function writeParts(file: Bun.S3File, content: ReadableStream<Uint8Array>, type: string): Promise<void> {
  const writer = file.writer({ ...uploadOptions, type, retry: 3 })
  let waiting = 0
  for await (const chunk of content) {
    await writer.write(chunk)
    waiting += chunk.byteLength
    if (waiting < uploadOptions.partSize) continue
    await writer.flush()
    waiting = 0
  }
  await writer.end()
}

async function* chunksOf(file: Bun.S3File): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const collect = createChunkCollector()
  for await (const chunk of file.stream()) {
    yield chunk
    collect(chunk.byteLength)
  }
}

async function sizeOf(file: Bun.S3File): Promise<number | null> {
  try {
    return (await file.stat()).size
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'NoSuchKey') return null
    throw error
  }
}

async function* keysOf(client: S3Client): AsyncGenerator<string> {
  let continuationToken: string | undefined
  do {
    const page = await client.list(continuationToken ? { continuationToken } : null)
    for (const { key } of page.contents ?? []) yield key
    continuationToken = page.nextContinuationToken
  } while (continuationToken)
}
