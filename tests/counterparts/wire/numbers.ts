import type { Clock } from './clock.ts'

/** Makes ids of 19 digits that ascend, as snowflakes do. */
export function newIds(clock: Clock): () => string {
  let last = 0n
  return () => {
    const next = (BigInt(clock.now()) - 1_420_070_400_000n) << 22n
    last = next > last ? next : last + 1n
    return String(last)
  }
}
