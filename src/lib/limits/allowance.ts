/** What a request counts as. */
export type LimitClass = 'reads' | 'writes' | 'uploads' | 'sign-in' | 'ai' | 'ingestion'

/** Requests in a minute; 0 for any number. */
export type Quotas = Readonly<Record<LimitClass, number>>

/** Where a caller stands in their running window. */
export interface Allowance {
  granted: boolean
  class: LimitClass
  quota: number
  /** Requests left, as far as this process knows. */
  remaining: number
  /** Seconds until the window ends. */
  resetsInSeconds: number
  /** Seconds that a window lasts. */
  windowSeconds: number
  /** Whether it is what all credentials of the organization have together. */
  shared?: boolean
}
