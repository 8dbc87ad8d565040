import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { createChunkCollector } from '../collect-chunks.ts'
import { retryLater } from '../errors.ts'
import { createSlots, type Slots } from '../outbound/slots.ts'

/** Bytes of a file that stay in memory. */
const maxInMemory = 64 * 1024
const chunkBytes = 64 * 1024
const mebibyte = 1024 * 1024
/** Mebibytes on disk for running requests of this process, of which each organization gets a fair share. */
const room = createSlots(4_096)

export interface Spool {
  write(bytes: Uint8Array): Promise<void>
  /** The whole file, readable until `close`. */
  toFile(name: string, type: string): File
  close(): Promise<void>
}

interface Options {
  folder: string
  /** Whose share of the room it takes. */
  tenant: string
  room?: Slots
}

/** Takes a file of any size with little memory. @throws {Problem} 429 above the tenant’s share, 503 when the disk is full */
export function openSpool({ folder, tenant, room: slots = room }: Options): Spool {
  const releases: (() => void)[] = []
  let inMemory: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  let stored = 0
  let handle: FileHandle | undefined

  async function append(bytes: Uint8Array): Promise<void> {
    stored += bytes.byteLength
    while (releases.length * mebibyte < stored) {
      const release = slots.takeShare(tenant)
      if (!release) throw tooMany()
      releases.push(release)
    }
    try {
      handle ??= await openUnlinked(folder)
      await handle.writeFile(bytes)
    } catch (cause) {
      throw noRoom(cause)
    }
  }

  return {
    write: async (bytes) => {
      size += bytes.byteLength
      if (size <= maxInMemory) {
        inMemory.push(new Uint8Array(bytes))
        return
      }
      const before = inMemory
      inMemory = []
      for (const each of before) await append(each)
      await append(bytes)
    },
    toFile: (name, type) =>
      handle ? new FileOnDisk(handle, { start: 0, end: size }, name, type) : new File(inMemory, name, { type }),
    close: async () => {
      try {
        await handle?.close()
      } finally {
        for (const release of releases.splice(0)) release()
      }
    },
  }
}

const tooMany = () =>
  retryLater(
    429,
    'concurrency_limited',
    'Too many of your organization’s requests with files are in progress. Retry when one of them has ended.',
    { retryAfter: 5, nothingDone: true },
  )

const noRoom = (cause: unknown) =>
  retryLater(503, 'busy', 'There is no room for the file right now. Try again in a moment.', {
    retryAfter: 10,
    nothingDone: true,
    cause,
  })

/** Without a name, so that it is deleted with its last handle, also when the process is killed. */
async function openUnlinked(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, Bun.randomUUIDv7())
  const handle = await open(path, 'wx+', 0o600)
  try {
    await rm(path)
  } catch (error) {
    await handle.close()
    throw error
  }
  return handle
}

interface Range {
  start: number
  /** Exclusive. */
  end: number
}

/** Its bytes are read when they are asked for. */
class FileOnDisk extends File {
  readonly #handle: FileHandle
  readonly #range: Range

  constructor(handle: FileHandle, range: Range, name: string, type: string) {
    super([], name, { type })
    this.#handle = handle
    this.#range = range
  }

  override get size(): number {
    return this.#range.end - this.#range.start
  }

  override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    const { end } = this.#range
    let at = this.#range.start
    const collect = createChunkCollector()
    return new ReadableStream(
      {
        pull: async (controller) => {
          if (at >= end) return controller.close()
          const bytes = new Uint8Array(Math.min(chunkBytes, end - at))
          const { bytesRead } = await this.#handle.read(bytes, 0, bytes.byteLength, at)
          if (bytesRead === 0) throw new Error('A spooled file is shorter than it was')
          at += bytesRead
          collect(bytesRead)
          controller.enqueue(bytes.subarray(0, bytesRead))
        },
      },
      { highWaterMark: 0 },
    )
  }

  override async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Response(this.stream()).bytes()
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer
  }

  override async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes())
  }

  /** Of positions that aren’t negative. */
  override slice(from = 0, to = this.size, type = ''): Blob {
    const start = Math.min(from, this.size)
    const end = Math.max(Math.min(to, this.size), start)
    const offset = this.#range.start
    return new FileOnDisk(this.#handle, { start: offset + start, end: offset + end }, this.name, type)
  }
}
