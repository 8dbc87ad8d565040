import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** A ZIP that is written as its entries come: of each no more than a few chunks are in memory. */
export interface ZipWriter {
  /** Adds a file when the one before is whole; `compress` is of no use for images. */
  add(path: string, chunks: AsyncIterable<Uint8Array | string>, options: { compress: boolean; at: Date }): Promise<void>
  /** @throws what writing failed with */
  close(): Promise<void>
  /** Gives up on it: a half file stays for the caller to remove. */
  abort(): void
}

/** Writes a ZIP to this path, for this user alone; there must be no such file. */
export async function writeZip(path: string): Promise<ZipWriter> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const zip = new ZipFile()
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  const written = pipeline(zip.outputStream, file)
  written.catch(() => {}) // Whoever adds or closes hears of it.
  return {
    add: async (name, chunks, { compress, at }) => {
      const source = Readable.from(chunks, { objectMode: false })
      const whole = new Promise<void>((resolve, reject) => {
        source.once('end', resolve)
        source.once('error', reject)
      })
      zip.addReadStream(source, name, { mtime: at, compress })
      try {
        await Promise.race([whole, written])
      } catch (error) {
        source.destroy() // Ends what the chunks come from, such as a cursor.
        throw error
      }
    },
    close: async () => {
      zip.end()
      await written
    },
    abort: () => void file.destroy(),
  }
}
