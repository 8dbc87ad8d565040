export type LimitClass = 'reads' | 'writes' | 'uploads' | 'sign-in' | 'ai' | 'ingestion'

/** Requests per minute; 0 for no limit. */
export type Quotas = Readonly<Record<LimitClass, number>>

export interface Allowance {
  granted: boolean
  class: LimitClass
  quota: number
  /** As far as this process knows. */
  remaining: number
  resetsInSeconds: number
  windowSeconds: number
  /** Whether it is the allowance that all credentials of the organization share. */
  shared?: boolean
}
