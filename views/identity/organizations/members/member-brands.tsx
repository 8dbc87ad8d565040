import type { Member, OfferedResource } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { SelectField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'
import { roleName } from '../roles.ts'

/** One of the organization's brands and the like, with the member's role there; null where they have none. */
export interface MemberBrand extends OfferedResource {
  role: Member['role'] | null
}

export interface MemberBrandsProps {
  organizationId: string
  member: Member
  brands: MemberBrand[]
  /** Whether the reader may limit this member. */
  canLimit: boolean
}

/** To which brands a member's role is limited. */
export const MemberBrands = (props: MemberBrandsProps) => (
  <section class="section stack" aria-labelledby="brands">
    <h2 id="brands">Brands</h2>
    <p class="muted" safe>
      {summaryOf(props)}
    </p>
    {props.canLimit && props.brands.length > 0 ? <Limits {...props} /> : null}
  </section>
)

function summaryOf({ member, brands }: MemberBrandsProps): string {
  const reached = brands.filter(({ role }) => role !== null)
  if (reached.length === 0) return `${member.name} has ${member.role} access to all brands.`
  return `${member.name} works in these alone: ${reached.map(({ name, role }) => `${name} as ${role}`).join(', ')}.`
}

const limitable = ['viewer', 'reviewer', 'editor'] as const

const Limits = ({ organizationId, member, brands }: MemberBrandsProps) => (
  <details>
    <summary>Limit to brands</summary>
    <Form class="stack" hx-put={`/api/organizations/${organizationId}/members/${member.id}/resources`}>
      {brands.map(({ service, kind, id, name, role }, at) => (
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
            value={role ?? ''}
          />
        </>
      ))}
      <p class="muted">With no brand selected, the role applies to all brands.</p>
      <div class="actions">
        <Button label="Save brands" type="submit" />
      </div>
    </Form>
  </details>
)
