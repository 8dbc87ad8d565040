import type { Person } from '#identity/types'
import type { AuditFilter, AuditPlace } from '#views/ui/audit/filter.ts'
import { AuditFilters } from '#views/ui/audit/filters.tsx'
import { AuditList, type AuditListProps } from '#views/ui/audit/list.tsx'
import { Button } from '#views/ui/button.tsx'
import { TimesIn } from '#views/ui/time.tsx'
import { exportDialog, ExportDialog } from './export-dialog.tsx'

export const auditPlace: AuditPlace = {
  page: '/settings/audit',
  list: '/api/audit',
  objects: {
    account: 'Accounts',
    api_key: 'API keys',
    brand: 'Brands',
    invitation: 'Invitations',
    member: 'Members',
    organization: 'Organization',
    post: 'Posts',
    session: 'Sign-ins',
  },
}

export interface AuditProps extends Omit<AuditListProps, 'place'> {
  filter: AuditFilter
  /** The choices of the filter by member. */
  people: Person[]
}

/** The audit log of the organization, newest first, with its filters. */
export const Audit = ({ filter, people, ...list }: AuditProps) => (
  <>
    <header class="page-header">
      <h1>
        Audit log
        <TimesIn />
      </h1>
      <div class="actions">
        <Button label="Export" icon="download" commandfor={exportDialog} command="show-modal" />
      </div>
    </header>
    <div class="page stack" style="--measure: 72rem; --gap: var(--space-6)">
      <AuditFilters place={auditPlace} filter={filter} people={people} />
      <AuditList place={auditPlace} {...list} />
      <ExportDialog filter={filter} />
    </div>
  </>
)
