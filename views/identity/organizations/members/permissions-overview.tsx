import type { PermissionEntry, PermissionInspection } from '#identity/types'
import { Icon } from '#views/ui/icon.tsx'
import { StatusMark, type StatusLook } from '#views/ui/marks.tsx'
import { isPlannedPermission } from '../../planned-services.ts'
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
    <section class="section" aria-labelledby="permissions-title">
      <h2 id="permissions-title">Permissions</h2>
      <Search inspection={inspection} />
    </section>
    <div class="stack" id={list} style="--gap: var(--space-8)">
      <Services services={servicesIn(inspection.entries)} />
    </div>
  </div>
)

const Services = ({ services }: { services: PermissionEntry[][] }) =>
  services.length > 0 ? (
    <>
      {services.map((entries) => (
        <ServicePermissions entries={entries} />
      ))}
    </>
  ) : (
    <p class="muted">No permission matches your search.</p>
  )

const list = 'permission-list'

const Search = ({ inspection: { userId, organizationId } }: PermissionsOverviewProps) => (
  <form
    role="search"
    aria-label="Search permissions"
    hx-get={`/api/users/${userId}/permissions`}
    hx-vals={JSON.stringify({ organizationId })}
    hx-target={`#${list}`}
    hx-select={`#${list}`}
    hx-swap="outerHTML"
    hx-sync="this:replace"
    hx-trigger="input changed delay:300ms from:#permission-search, submit"
  >
    <label class="input">
      <Icon name="search" />
      <input
        id="permission-search"
        type="search"
        name="q"
        placeholder="Search permissions"
        aria-label="Search permissions"
        maxlength={100}
      />
    </label>
  </form>
)

const servicesIn = (entries: PermissionEntry[]): PermissionEntry[][] => [
  ...Map.groupBy(
    entries.filter((entry) => !isPlannedPermission(entry.service, shortName(entry))),
    ({ serviceId }) => serviceId,
  ).values(),
]

const ServicePermissions = ({ entries }: { entries: PermissionEntry[] }) => (
  <section class="section" aria-labelledby={`service-${entries[0]?.serviceId}`}>
    <header>
      <h3 id={`service-${entries[0]?.serviceId}`} safe>
        {entries[0]?.serviceName ?? ''}
      </h3>
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
