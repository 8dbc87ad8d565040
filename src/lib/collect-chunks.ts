const collectThreshold = 8 * 1024 * 1024

/**
 * Counts the bytes of used chunks of a stream, and collects garbage in the background. Their buffers are outside of the
 * heap, so the collector would run too late, and a long stream would take a hundred megabytes.
 */
export function createChunkCollector(): (bytes: number) => void {
  let waiting = 0
  return (bytes) => {
    waiting += bytes
    if (waiting < collectThreshold) return
    waiting = 0
    Bun.gc(false)
  }
}
