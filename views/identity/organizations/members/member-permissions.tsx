import type { Member, PermissionEntry, PermissionOverride } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/empty.tsx'
import { Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Time } from '#views/ui/time.tsx'
import { MemberBrands, type MemberBrand } from './member-brands.tsx'
import { exceptionDialog, ExceptionDialog } from './override-dialog.tsx'
import { shortName, titleOf } from '../permission-name.ts'
import { roleName } from '../roles.ts'

export interface MemberPermissionsProps {
  organizationId: string
  member: Member
  /** Every permission of every service, with why it is held or not. */
  entries: PermissionEntry[]
  overrides: PermissionOverride[]
  /** Whether the reader may make exceptions for this member. */
  canEdit: boolean
  /** The permissions of the viewer, who can't grant any others. */
  held: string[]
  brands: MemberBrand[]
  canLimit: boolean
}

/** What one member may, service by service, and the exceptions that were made for them. */
export const MemberPermissions = (props: MemberPermissionsProps) => (
  <div class="page stack" style="--measure: 60rem; --gap: var(--space-8)">
    <section class="section" aria-labelledby="member">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href="/settings/members">Members</a>
      </nav>
      <header>
        <div>
          <h2 id="member" class="wrap-anywhere" safe>
            {props.member.name}
          </h2>
          <p class="muted wrap-anywhere" safe>
            {`${roleName(props.member.role)} · ${props.member.email}`}
          </p>
        </div>
        {props.canEdit ? (
          <Button label="Add override" icon="plus" commandfor={exceptionDialog} command="show-modal" />
        ) : null}
      </header>
    </section>
    <MemberBrands {...props} />
    <Exceptions {...props} />
    {servicesIn(props.entries).map((entries) => (
      <ServicePermissions entries={entries} />
    ))}
    {props.canEdit ? <ExceptionDialog {...props} /> : null}
  </div>
)

const servicesIn = (entries: PermissionEntry[]): PermissionEntry[][] => [
  ...Map.groupBy(entries, ({ serviceId }) => serviceId).values(),
]

const Exceptions = (props: MemberPermissionsProps) => (
  <section class="section" aria-labelledby="exceptions">
    <h2 id="exceptions">Overrides</h2>
    {props.overrides.length > 0 ? (
      <ul class="list">
        {props.overrides.map((override) => (
          <Exception {...props} override={override} />
        ))}
      </ul>
    ) : (
      <Empty icon="list" small title="None" text="This member has exactly the permissions of their role." />
    )}
  </section>
)

const Exception = ({
  organizationId,
  member,
  entries,
  override,
  canEdit,
}: MemberPermissionsProps & { override: PermissionOverride }) => (
  <li>
    <span class="grow">
      <strong>{override.effect === 'grant' ? 'Granted' : 'Denied'}</strong>{' '}
      <span class="wrap-anywhere" safe>
        {titleOf(entries.find(({ permission }) => permission === override.permission))}
      </span>
      <small class="wrap-anywhere">
        {override.reason ? <span safe>{`${override.reason} · `}</span> : null}
        <Time at={override.createdAt} zone="UTC" />
      </small>
    </span>
    {canEdit ? (
      <Form hx-delete={`/api/organizations/${organizationId}/members/${member.id}/overrides/${override.id}`}>
        <Button label="Remove" size="sm" type="submit" />
      </Form>
    ) : null}
  </li>
)

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
