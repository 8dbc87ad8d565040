import type { Window } from './period.ts'

/** What the period will have spent at its end when spending goes on like this; what a total has spent. */
export function forecastOf(spentNanoUsd: bigint, { start, end }: Window, at: Date): bigint {
  if (end === null) return spentNanoUsd
  const passedMs = Math.max(1, at.getTime() - start.getTime())
  return (spentNanoUsd * BigInt(end.getTime() - start.getTime())) / BigInt(passedMs)
}
