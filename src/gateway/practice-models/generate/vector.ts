/** A vector of length 1; the same one for the same text. */
export function embed(text: string, dimensions: number): Float32Array {
  let state = Bun.hash.crc32(text) || 1
  const vector = Float32Array.from({ length: dimensions }, () => {
    // xorshift32
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 31 - 1
  })
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}
