import type { DifferenceKind, DifferenceStatus } from '#payments/types'
import type { IconName } from '#views/ui/icon.tsx'

export const reconciliationPath = '/pay/reconciliation'
export const reconciliationRoute = '/api/pay/reconciliation'

export const reconciliationTopic = (organizationId: string | undefined): string => `reconciliation:${organizationId}`

export const differenceIcons: Record<DifferenceKind, IconName> = {
  missing_in_ledger: 'receipt',
  missing_at_provider: 'circle-help',
  amount_differs: 'receipt',
  state_differs: 'landmark',
  balance_differs: 'chart-line',
  run_failed: 'circle-alert',
}

export const resolutions: Record<DifferenceStatus, string> = {
  open: 'Open',
  explained: 'Explained',
  recorded: 'Recorded in the ledger',
  resolved: 'Both sides agree',
}
