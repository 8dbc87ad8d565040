import type { ByteRange } from '../reply.ts'

/** Stores files. A key is one or more names joined by `/`; others throw. An unreachable store throws a 503. */
export interface Storage {
  /** Completely or not at all; replaces one with the same key. At most a few megabytes of a stream are in memory. */
  put(key: string, content: Content, contentType: string): Promise<void>
  putFile(key: string, path: string, contentType: string): Promise<void>
  read(key: string): Promise<StoredFile | null>
  delete(key: string): Promise<void>
  exists(key: string): Promise<boolean>
  keys(): AsyncIterable<string>
  /** Deletes what writes that were interrupted before a time left behind. An object store does so by its lifecycle rules. */
  removeUnfinished(before: Date): Promise<void>
}

export type Content = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

export interface StoredFile {
  size: number
  stream(range?: ByteRange): ReadableStream<Uint8Array>
  blob?(range?: ByteRange): Blob
  /** Of a file on this server’s disk. */
  path?: string
  /** The whole content. A chunk is overwritten once the next one is requested. */
  chunks(): AsyncIterable<Uint8Array<ArrayBuffer>>
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}

const name = '[a-z0-9][a-z0-9._-]{0,99}'
const keyPattern = new RegExp(`^${name}(/${name}){0,7}$`)

/** @throws for a key that could leave the store's folder, or collide on a case-insensitive file system */
export function requireKey(key: string): string {
  if (keyPattern.test(key) && !key.includes('..')) return key
  throw new Error(`Invalid storage key: ${JSON.stringify(key)}`)
}
