const collectThreshold = 8 * 1024 * 1024

/** Their buffers are outside of the heap: a long stream would take a hundred megabytes before the collector runs. */
export function createChunkCollector(): (bytes: number) => void {
  let waiting = 0
  return (bytes) => {
    waiting += bytes
    if (waiting < collectThreshold) return
    waiting = 0
    Bun.gc(false)
  }
}
