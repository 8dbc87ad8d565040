import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'

/** Only a few chunks of each entry are in memory. */
export interface ZipWriter {
  /** Call it when the previous one is complete. `compress` doesn't help for images. */
  add(path: string, chunks: AsyncIterable<Uint8Array | string>, options: { compress: boolean; at: Date }): Promise<void>
  /** @throws the error of writing */
  close(): Promise<void>
  /** The caller removes the incomplete file. */
  abort(): void
}

/** Readable only by this user. @throws when the file exists */
export async function writeZip(path: string): Promise<ZipWriter> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const zip = new ZipFile()
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  const written = pipeline(zip.outputStream, file)
  written.catch(() => {}) // `add` and `close` throw it.
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
        source.destroy() // Ends the source of the chunks, such as a cursor.
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
