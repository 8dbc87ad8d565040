import type { MemberResources } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { SelectField, Form } from '#views/ui/form.tsx'
import { roleName } from '../roles.ts'

interface MemberBrandsProps {
  organizationId: string
  userId: string
  resources: MemberResources
}

export const MemberBrands = (props: MemberBrandsProps) => {
  const { items, choices } = props.resources
  return (
    <section class="section stack" aria-labelledby="brands">
      <h2 id="brands">Brands</h2>
      <p class="muted" safe>
        {summaryOf(items)}
      </p>
      {choices && choices.length + items.length > 0 ? <Limits {...props} choices={choices} /> : null}
    </section>
  )
}

function summaryOf(limits: MemberResources['items']): string {
  if (limits.length === 0) return 'Access to all brands.'
  return `Access to these brands only: ${limits.map(({ name, kind, role }) => `${name ?? `removed ${kind}`} as ${role}`).join(', ')}.`
}

const limitable = ['viewer', 'reviewer', 'editor'] as const

interface LimitsProps extends MemberBrandsProps {
  choices: NonNullable<MemberResources['choices']>
}

const Limits = ({ organizationId, userId, resources: { items }, choices }: LimitsProps) => (
  <details>
    <summary>Limit to brands</summary>
    <Form
      class="stack"
      hx-put={`/api/organizations/${organizationId}/members/${userId}/resources`}
      hx-target="#access"
      hx-swap="outerMorph"
    >
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
      <div class="actions">
        <Button label="Save brands" type="submit" />
      </div>
    </Form>
  </details>
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
