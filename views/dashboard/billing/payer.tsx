import type { BillingPayer } from '#dashboard/types'
import { capitalize } from '#lib/text.ts'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Badge } from '#views/ui/marks.tsx'
import { SettingsSection } from '#views/ui/settings.tsx'

const inPlace = {
  'hx-target': 'this',
  'hx-swap': 'innerHTML',
  'hx-status:4xx': 'target:this swap:innerHTML',
  'hx-status:5xx': 'target:this swap:innerHTML',
} as const

/** What the provider has is loaded after the page, which doesn’t wait for it. */
export const Payer = ({ organizationId }: { organizationId: string }) => (
  <SettingsSection
    id="payer"
    title="Payment method"
    text="Kept by the payment provider. Card, address and VAT ID are changed on its page."
  >
    <div hx-get={`/api/organizations/${organizationId}/billing/payer`} hx-trigger="load" {...inPlace} />
    <Form hx-post={`/api/organizations/${organizationId}/billing/portal`}>
      <Button label="Payment methods and billing details" icon="arrow-up-right" type="submit" />
    </Form>
  </SettingsSection>
)

export const BillingPayerFacts = ({ payer: { name, email, method } }: { payer: BillingPayer }) => (
  <dl class="facts">
    <dt>Charged</dt>
    <dd>{method ? <Method {...method} /> : 'No payment method is saved'}</dd>
    {name ? (
      <>
        <dt>Name</dt>
        <dd class="wrap-anywhere" safe>
          {name}
        </dd>
      </>
    ) : null}
    {email ? (
      <>
        <dt>Invoices to</dt>
        <dd class="wrap-anywhere" safe>
          {email}
        </dd>
      </>
    ) : null}
  </dl>
)

const badges = {
  valid: null,
  soon: { label: 'Expires soon', tone: 'warning' },
  expired: { label: 'Expired', tone: 'danger' },
} as const

const Method = ({ type, brand, lastFour, expiry }: NonNullable<BillingPayer['method']>) => {
  const badge = expiry && badges[expiry.state]
  const name = capitalize((brand ?? type).replaceAll('_', ' '))
  return (
    <span class="row" data-wrap>
      <span safe>{lastFour ? `${name} ending ${lastFour}` : name}</span>
      {expiry ? (
        <small class="muted" safe>
          {`Expires ${String(expiry.month).padStart(2, '0')}/${expiry.year}`}
        </small>
      ) : null}
      {badge ? <Badge {...badge} /> : null}
    </span>
  )
}
