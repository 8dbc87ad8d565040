/** An operation on its way out: it answers until its sunset, 180 days after its deprecation at the earliest (PLT-19). */
export interface Deprecation {
  /** The day of the announcement, such as `2027-01-31`. */
  since: string
  /** The day from which it may be gone. */
  sunset: string
  /** The name of the operation that takes its place. */
  instead?: string
}
