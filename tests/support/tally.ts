/** The results of a part of a run: tests and checks. */
export interface Tally {
  passed: number
  failed: number
  skipped: number
}

/** The sum of the parts. */
export const sum = (tallies: Tally[]): Tally => ({
  passed: tallies.reduce((total, { passed }) => total + passed, 0),
  failed: tallies.reduce((total, { failed }) => total + failed, 0),
  skipped: tallies.reduce((total, { skipped }) => total + skipped, 0),
})

/** `12 passed, 0 failed`, and how many were skipped, if any. */
export const inWords = ({ passed, failed, skipped }: Tally): string =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`

/** A run without tests doesn't pass. */
export const isGreen = ({ passed, failed }: Tally): boolean => failed === 0 && passed > 0

/** Seconds since a `performance.now()`, such as `4.2 s`. */
export const since = (start: number): string => `${((performance.now() - start) / 1000).toFixed(1)} s`
