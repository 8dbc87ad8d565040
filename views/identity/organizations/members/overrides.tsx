import type { PermissionOverride } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Badge } from '#views/ui/marks.tsx'
import { overrideDialog } from './override-dialog.tsx'
import { Form } from '#views/ui/form.tsx'
import { Time } from '#views/ui/time.tsx'
import { titleOf } from '../permission-name.ts'

interface OverridesProps {
  organizationId: string
  userId: string
  overrides: PermissionOverride[]
  canOverride: boolean
}

export const Overrides = (props: OverridesProps) => (
  <section class="section" aria-labelledby="overrides">
    <header>
      <h2 id="overrides">Overrides</h2>
      {props.canOverride ? (
        <Button label="Add override" icon="plus" size="sm" commandfor={overrideDialog} command="show-modal" />
      ) : null}
    </header>
    <div class="card">
      {props.overrides.length > 0 ? (
        <ul class="list" data-settings aria-label="Overrides">
          {props.overrides.map((override) => (
            <Override {...props} override={override} />
          ))}
        </ul>
      ) : (
        <Empty
          icon="shield-check"
          small
          title="No overrides"
          text="This member has exactly the permissions of their role."
        />
      )}
    </div>
  </section>
)

const Override = ({
  organizationId,
  userId,
  override,
  canOverride,
}: OverridesProps & { override: PermissionOverride }) => (
  <li id={`override-${override.id}`}>
    <span class="grow">
      <span class="row" data-wrap>
        <span class="wrap-anywhere" safe>
          {titleOf(override)}
        </span>
        {override.effect === 'grant' ? (
          <Badge label="Granted" tone="success" />
        ) : (
          <Badge label="Denied" tone="danger" />
        )}
      </span>
      <small class="wrap-anywhere">
        {override.reason ? <span safe>{`“${override.reason}” `}</span> : null}
        <Time at={override.createdAt} form="longDay" />
      </small>
    </span>
    {canOverride ? (
      <Form
        hx-delete={`/api/organizations/${organizationId}/members/${userId}/overrides/${override.id}`}
        hx-target="#permissions"
        hx-swap="outerMorph"
        hx-confirm={`Delete the override of ${titleOf(override)}? The role applies again.`}
      >
        <Button label="Delete" aria-label={`Delete the override of ${titleOf(override)}`} size="sm" type="submit" />
      </Form>
    ) : null}
  </li>
)
