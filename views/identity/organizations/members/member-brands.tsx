import type { MemberResources } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { SelectField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'
import { roleName } from '../roles.ts'

interface MemberBrandsProps {
  organizationId: string
  userId: string
  resources: MemberResources
}

/** The brands to which a member's role is limited. */
export const MemberBrands = (props: MemberBrandsProps) => {
  const { items, choices } = props.resources
  return (
    <section class="section stack" aria-labelledby="brands">
      <h2 id="brands">Brands</h2>
      <p class="muted" safe>
        {summaryOf(items)}
      </p>
      {choices && choices.length > 0 ? <Limits {...props} choices={choices} /> : null}
    </section>
  )
}

function summaryOf(limits: MemberResources['items']): string {
  if (limits.length === 0) return 'Access to all brands.'
  return `Access to these brands only: ${limits.map(({ name, kind, role }) => `${name ?? `deleted ${kind}`} as ${role}`).join(', ')}.`
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
      {choices.map(({ service, kind, id, name }, at) => (
        <>
          <input type="hidden" name={`resources[${at}].service`} value={service} />
          <input type="hidden" name={`resources[${at}].kind`} value={kind} />
          <input type="hidden" name={`resources[${at}].id`} value={id} />
          <SelectField
            label={name}
            name={`resources[${at}].role`}
            id={`role-in-${id}`}
            options={[
              { value: '', label: 'No access' },
              ...limitable.map((value) => ({ value, label: roleName(value) })),
            ]}
            value={items.find((each) => each.id === id)?.role ?? ''}
          />
        </>
      ))}
      <p class="muted">If you select no brand, the role applies to all brands.</p>
      <div class="actions">
        <Button label="Save brands" type="submit" />
      </div>
    </Form>
  </details>
)
