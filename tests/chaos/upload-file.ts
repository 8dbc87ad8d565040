const mebibyte = 1024 * 1024
const chunk = Buffer.alloc(mebibyte, 'Atrium')
const start = Buffer.from('\0\0\0\u0020ftypisom')

/** The bytes of a large file from an offset to another, generated on demand. */
export function* bytesFrom(offset: number, end: number): Generator<Uint8Array> {
  for (let from = offset; from < end;) {
    const within = from % mebibyte
    const bytes = Buffer.from(chunk.subarray(within, Math.min(mebibyte, within + end - from)))
    if (from < start.byteLength) start.copy(bytes, 0, from)
    yield bytes
    from += bytes.byteLength
  }
}

/** Sends as fast as the server reads, until `until` resolves. */
export function sending(bytes: Generator<Uint8Array>, until: Promise<void> = Promise.resolve()) {
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = bytes.next()
      if (!done) return controller.enqueue(value)
      await until
      controller.close()
    },
  })
}
