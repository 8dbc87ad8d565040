import { S3Client, type S3Options } from 'bun'
import type { ByteRange } from '../reply.ts'
import type { Storage } from './interface.ts'

/** Files in a bucket of an S3-compatible store. */
export function s3Storage(options: S3Options): Storage {
  const client = new S3Client(options)
  const at = (key: string) => client.file(key)
  return {
    put: async (key, bytes, type) => void (await at(key).write(bytes, { type })),
    putFile: async (key, path, type) => void (await at(key).write(Bun.file(path), { type })),
    read: async (key) => {
      const file = at(key)
      const size = await sizeOf(file)
      if (size === null) return null
      const stream = (range?: ByteRange) => (range ? file.slice(range.from, range.end) : file).stream()
      return { size, stream, bytes: async () => new Uint8Array(await file.arrayBuffer()) }
    },
    delete: async (key) => at(key).delete(),
    exists: async (key) => at(key).exists(),
    keys: () => keysOf(client),
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

/** The store gives at most a thousand at a time. */
async function* keysOf(client: S3Client): AsyncGenerator<string> {
  let continuationToken: string | undefined
  do {
    const page = await client.list(continuationToken ? { continuationToken } : null)
    for (const { key } of page.contents ?? []) yield key
    continuationToken = page.nextContinuationToken
  } while (continuationToken)
}
