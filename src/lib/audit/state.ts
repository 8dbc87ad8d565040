/** The person that a service acts for, and the organization whose log records it. */
export interface Delegation {
  onBehalfOf: string
  organizationId: string
}

/** The audit log's state of one request. */
export interface AuditState {
  delegation?: Delegation
  /** Whether a row of the request was written. */
  written?: boolean
}
