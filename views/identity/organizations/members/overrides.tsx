import type { PermissionOverride } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { Time } from '#views/ui/time.tsx'
import { titleOf } from '../permission-name.ts'

interface OverridesProps {
  organizationId: string
  userId: string
  overrides: PermissionOverride[]
  canRemove: boolean
}

export const Overrides = (props: OverridesProps) => (
  <section class="section" aria-labelledby="overrides">
    <h2 id="overrides">Overrides</h2>
    {props.overrides.length > 0 ? (
      <ul class="list">
        {props.overrides.map((override) => (
          <Override {...props} override={override} />
        ))}
      </ul>
    ) : (
      <Empty icon="list" small title="No overrides" text="This member has exactly the permissions of their role." />
    )}
  </section>
)

const Override = ({
  organizationId,
  userId,
  override,
  canRemove,
}: OverridesProps & { override: PermissionOverride }) => (
  <li id={`override-${override.id}`}>
    <span class="grow">
      <strong>{override.effect === 'grant' ? 'Granted' : 'Denied'}</strong>{' '}
      <span class="wrap-anywhere" safe>
        {titleOf(override)}
      </span>
      <small class="wrap-anywhere">
        {override.reason ? <span safe>{`${override.reason} · `}</span> : null}
        <Time at={override.createdAt} />
      </small>
    </span>
    {canRemove ? (
      <Form
        hx-delete={`/api/organizations/${organizationId}/members/${userId}/overrides/${override.id}`}
        hx-target="#permissions"
        hx-swap="outerMorph"
      >
        <Button label="Delete" aria-label={`Delete the override of ${titleOf(override)}`} size="sm" type="submit" />
      </Form>
    ) : null}
  </li>
)
