export type LimitClass = 'reads' | 'writes' | 'uploads' | 'sign-in' | 'ai' | 'ingestion' | 'checks'

export type Quotas = Readonly<Record<LimitClass, number>>

export interface Allowance {
  granted: boolean
  class: LimitClass
  quota: number
  remaining: number
  resetsInSeconds: number
  windowSeconds: number
  shared?: boolean
}
