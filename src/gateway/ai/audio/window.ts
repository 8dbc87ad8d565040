const windowBytes = 1024 * 1024

/** Random access to a file of any size in little memory: `load` what is read next. Bytes behind its end are 0. */
export class AudioWindow {
  readonly size: number
  readonly #file: Blob
  #bytes = new Uint8Array()
  #start = 0

  constructor(file: Blob) {
    this.#file = file
    this.size = file.size
  }

  has(offset: number, length: number): boolean {
    const end = Math.min(offset + length, this.size)
    return offset >= this.#start && end <= this.#start + this.#bytes.length
  }

  async load(offset: number): Promise<void> {
    this.#bytes = await this.#file.slice(offset, offset + windowBytes).bytes()
    this.#start = offset
  }

  byte(offset: number): number {
    return this.#bytes[offset - this.#start] ?? 0
  }

  /** Big-endian. */
  uint(offset: number, length: number): number {
    let value = 0
    for (let at = 0; at < length; at++) value = value * 256 + this.byte(offset + at)
    return value
  }

  uintReversed(offset: number, length: number): number {
    let value = 0
    for (let at = length - 1; at >= 0; at--) value = value * 256 + this.byte(offset + at)
    return value
  }

  text(offset: number, length: number): string {
    return Buffer.from(this.#bytes.subarray(offset - this.#start, offset - this.#start + length)).toString('latin1')
  }

  /** The position of the next such byte in what is loaded, at most `this.size`. */
  next(value: number, offset: number): number {
    const found = this.#bytes.indexOf(value, offset - this.#start)
    return found === -1 ? this.#start + this.#bytes.length : found + this.#start
  }
}
