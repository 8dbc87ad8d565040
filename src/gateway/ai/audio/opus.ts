export const maxPacketMs = 120

/** Of a packet by its first two bytes (RFC 6716, 3.1). */
export function packetMs(first: number, second: number): number {
  const config = first >> 3
  const frameMs =
    config < 12
      ? ([10, 20, 40, 60][config & 3] ?? 60)
      : config < 16
        ? ([10, 20][config & 1] ?? 20)
        : ([2.5, 5, 10, 20][config & 3] ?? 20)
  const code = first & 3
  const frames = code === 0 ? 1 : code === 3 ? second & 63 : 2
  return Math.min(frames * frameMs, maxPacketMs)
}
