import type { PermissionEntry, PermissionInspection } from '#identity/types'
import { Icon } from '#views/ui/icon.tsx'
import { shortName } from '../permission-name.ts'
import { Overrides } from './overrides.tsx'

interface PermissionsOverviewProps {
  inspection: PermissionInspection
}

export const PermissionsOverview = ({ inspection }: PermissionsOverviewProps) => (
  <div class="stack" id="permissions" style="--gap: var(--space-8)">
    <Overrides
      organizationId={inspection.organizationId ?? ''}
      userId={inspection.userId}
      overrides={inspection.sources.userOverrides}
      canRemove={inspection.can.override}
    />
    {servicesIn(inspection.entries).map((entries) => (
      <ServicePermissions entries={entries} />
    ))}
  </div>
)

const servicesIn = (entries: PermissionEntry[]): PermissionEntry[][] => [
  ...Map.groupBy(entries, ({ serviceId }) => serviceId).values(),
]

const ServicePermissions = ({ entries }: { entries: PermissionEntry[] }) => (
  <section class="section" aria-labelledby={`service-${entries[0]?.serviceId}`}>
    <h2 id={`service-${entries[0]?.serviceId}`} safe>
      {entries[0]?.serviceName ?? ''}
    </h2>
    <div class="bleed">
      <table class="table permissions" data-list>
        <caption class="visually-hidden" safe>{`Permissions of ${entries[0]?.serviceName}`}</caption>
        <thead>
          <tr>
            <th scope="col">Permission</th>
            <th scope="col">Allowed</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Row entry={entry} />
          ))}
        </tbody>
      </table>
    </div>
  </section>
)

const Row = ({ entry }: { entry: PermissionEntry }) => (
  <tr>
    <td data-at="title">
      <code safe>{shortName(entry)}</code>
      <small class="muted" safe>
        {entry.description}
      </small>
    </td>
    <td data-at="end">
      <span class="status" data-state={entry.granted ? 'published' : 'draft'}>
        <Icon name={entry.granted ? 'check' : 'x'} />
        {entry.granted ? 'Yes' : 'No'}
      </span>
    </td>
    <td data-at="sub" class="muted" safe>
      {entry.explanation}
    </td>
  </tr>
)
