/** Bytes after which chunks that were used are collected. */
const worthCollecting = 8 * 1024 * 1024

/**
 * Counts the bytes of chunks that came in by a stream and were used. Their buffers are no part of the heap: left to itself
 * the collector looks too late, and a long stream takes a hundred megabytes. The work is done beside the stream.
 */
export function createChunkCollector(): (bytes: number) => void {
  let waiting = 0
  return (bytes) => {
    waiting += bytes
    if (waiting < worthCollecting) return
    waiting = 0
    Bun.gc(false)
  }
}
