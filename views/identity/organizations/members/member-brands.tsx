import type { MemberResources } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Avatar } from '#views/ui/marks.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { SelectField, Form } from '#views/ui/form.tsx'
import { roleName } from '../roles.ts'

interface MemberBrandsProps {
  organizationId: string
  userId: string
  resources: MemberResources
}

export const limitsDialog = 'member-brands'

export const canLimit = ({ items, choices }: MemberResources): boolean =>
  choices !== null && choices.length + items.length > 0

export const MemberBrands = (props: MemberBrandsProps) => {
  const { items, choices } = props.resources
  return (
    <section class="section" aria-labelledby="brands">
      <header>
        <h2 id="brands">Brands</h2>
        {canLimit(props.resources) ? (
          <Button
            label="Edit"
            aria-label="Edit brands"
            variant="ghost"
            size="sm"
            commandfor={limitsDialog}
            command="show-modal"
          />
        ) : null}
      </header>
      {items.length === 0 ? <p class="small muted">Access to all brands.</p> : <Brands items={items} />}
      {choices && canLimit(props.resources) ? <LimitsDialog {...props} choices={choices} /> : null}
    </section>
  )
}

const Brands = ({ items }: Pick<MemberResources, 'items'>) => (
  <ul class="list" style="--row: 2.25rem" aria-label="Brands">
    {items.map(({ id, kind, name, role }) => (
      <li>
        <Avatar name={name ?? '?'} seed={id} size="sm" shape="square" />
        <span class="grow wrap-anywhere" safe>
          {name ?? `Removed ${kind}`}
        </span>
        <small class="muted" safe>
          {roleName(role)}
        </small>
      </li>
    ))}
  </ul>
)

const limitable = ['viewer', 'reviewer', 'editor'] as const

interface LimitsProps extends MemberBrandsProps {
  choices: NonNullable<MemberResources['choices']>
}

const LimitsDialog = ({ organizationId, userId, resources: { items }, choices }: LimitsProps) => (
  <Dialog id={limitsDialog} title="Limit to brands">
    <Form
      hx-put={`/api/organizations/${organizationId}/members/${userId}/resources`}
      hx-target="#access"
      hx-swap="outerMorph"
    >
      <div class="body">
        {items.length > 0 ? (
          <SelectField
            label="Access"
            name="unlimited"
            options={[
              { value: 'false', label: 'Only these brands' },
              { value: 'true', label: 'All brands' },
            ]}
            value="false"
          />
        ) : (
          <input type="hidden" name="unlimited" value="false" />
        )}
        {withLimits(choices, items).map(({ service, kind, id, name, role }, at) => (
          <>
            <input type="hidden" name={`resources[${at}].service`} value={service} />
            <input type="hidden" name={`resources[${at}].kind`} value={kind} />
            <input type="hidden" name={`resources[${at}].id`} value={id} />
            {name === null ? (
              <input type="hidden" name={`resources[${at}].role`} value={role} />
            ) : (
              <SelectField
                label={name}
                name={`resources[${at}].role`}
                id={`role-in-${id}`}
                options={[
                  { value: '', label: 'No access' },
                  ...limitable.map((value) => ({ value, label: roleName(value) })),
                ]}
                value={role}
              />
            )}
          </>
        ))}
        {items.length === 0 ? <p class="muted">If you select no brand, the role applies to all brands.</p> : null}
      </div>
      <DialogButtons dialog={limitsDialog} submit="Save" />
    </Form>
  </Dialog>
)

/** The choices and the existing limits that aren't among them, so that saving the form unchanged keeps every limit. */
function withLimits(choices: LimitsProps['choices'], items: MemberResources['items']) {
  const isSame = (one: Resource, other: Resource) =>
    one.service === other.service && one.kind === other.kind && one.id === other.id
  return [
    ...choices.map((choice) => ({ ...choice, role: items.find((item) => isSame(item, choice))?.role ?? '' })),
    ...items.filter((item) => !choices.some((choice) => isSame(item, choice))),
  ]
}

type Resource = Pick<MemberResources['items'][number], 'service' | 'kind' | 'id'>
