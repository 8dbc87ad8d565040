export interface Delegation {
  onBehalfOf: string
  organizationId: string
}

export interface AuditState {
  delegation?: Delegation
  written?: boolean
}
