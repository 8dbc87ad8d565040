import type { ReconciliationDifferenceFilter, ReconciliationDifferenceList } from '#payments/types'

export interface DifferencesProps {
  list: ReconciliationDifferenceList
  query: ReconciliationDifferenceFilter
  organizationId: string | undefined
}
