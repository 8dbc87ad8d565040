import type { PermissionEntry, PermissionInspection } from '#identity/types'
import { StatusMark, type StatusLook } from '#views/ui/marks.tsx'
import { isPlanned } from '../../planned-services.ts'
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
      canOverride={inspection.can.override}
    />
    {servicesIn(inspection.entries).map((entries) => (
      <ServicePermissions entries={entries} />
    ))}
  </div>
)

const servicesIn = (entries: PermissionEntry[]): PermissionEntry[][] => [
  ...Map.groupBy(
    entries.filter(({ service }) => !isPlanned(service)),
    ({ serviceId }) => serviceId,
  ).values(),
]

const ServicePermissions = ({ entries }: { entries: PermissionEntry[] }) => (
  <section class="section" aria-labelledby={`service-${entries[0]?.serviceId}`}>
    <header>
      <h2 id={`service-${entries[0]?.serviceId}`} safe>
        {`Permissions in ${entries[0]?.serviceName}`}
      </h2>
      <small class="muted" safe>
        {`${entries.filter(({ granted }) => granted).length} of ${entries.length} allowed`}
      </small>
    </header>
    <div class="bleed">
      <table class="table permissions" data-list data-lines="2">
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
      <span safe>{entry.description}</span>
      <small>
        <code safe>{shortName(entry)}</code>
      </small>
    </td>
    <td data-at="end">
      <StatusMark {...(entry.granted ? allowed : notAllowed)} />
    </td>
    <td data-at="sub" class="muted" safe>
      {entry.explanation}
    </td>
  </tr>
)

const allowed: StatusLook = { state: 'published', icon: 'check', word: 'Yes' }
const notAllowed: StatusLook = { state: 'draft', icon: 'x', word: 'No' }
