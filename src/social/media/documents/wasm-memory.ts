const pageBytes = 64 * 1024

/** Refuses to let the memory of WebAssembly modules in this process become larger, which they see as out of memory. */
export function limitWasmMemory(maxBytes: number): void {
  const { grow } = WebAssembly.Memory.prototype
  WebAssembly.Memory.prototype.grow = function (pages) {
    if (this.buffer.byteLength + pages * pageBytes > maxBytes)
      throw new RangeError('The document needs too much memory')
    return grow.call(this, pages)
  }
}
