import type { SavedPaymentMethod, SavedPaymentMethodList } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Badge } from '#views/ui/marks.tsx'
import { MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { methodText } from '../orders/words.ts'
import { customersRoute } from './filters.tsx'

interface PaymentMethodsProps {
  methods: SavedPaymentMethodList
  /** The customer comes back from the provider’s page: what was saved there is read. */
  isReturning?: boolean
}

const place = 'payment-methods'

export const PaymentMethods = ({ methods, isReturning = false }: PaymentMethodsProps) => {
  const route = `${customersRoute}/${methods.customerId}`
  return (
    <section class="section" id={place} aria-labelledby="payment-methods-title">
      <header>
        <h2 id="payment-methods-title">Payment methods</h2>
        {methods.can.add ? (
          <Form hx-post={`${route}/setup-intents`}>
            <Button label="Add card" icon="plus" size="sm" type="submit" id="add-card" />
          </Form>
        ) : null}
      </header>
      {isReturning && methods.can.update ? (
        <p
          class="muted"
          role="status"
          hx-post={`${route}/payment-methods/check`}
          hx-trigger="load"
          hx-target={`#${place}`}
          hx-swap="outerMorph"
        >
          Checking for the new card…
        </p>
      ) : null}
      {methods.items.length > 0 ? (
        <div class="card">
          <ul class="list" style="--pad: var(--space-4)">
            {methods.items.map((method) => (
              <Method method={method} route={`${route}/payment-methods`} canUpdate={methods.can.update} />
            ))}
          </ul>
        </div>
      ) : (
        <p class="muted">
          No saved cards. A card is added on the payment provider’s page, and orders can be charged to it.
        </p>
      )}
    </section>
  )
}

interface MethodProps {
  method: SavedPaymentMethod
  route: string
  canUpdate: boolean
}

const Method = ({ method, route, canUpdate }: MethodProps) => (
  <li id={`method-${method.id}`}>
    <Icon name="credit-card" />
    <span class="grow">
      <span safe>{methodText(method)}</span>
      <small safe>{detailOf(method)}</small>
    </span>
    {method.expiry?.state === 'expired' ? <Badge label="Expired" icon="circle-alert" tone="danger" /> : null}
    {method.expiry?.state === 'soon' ? <Badge label="Expires soon" icon="clock" tone="warning" /> : null}
    {method.isDefault ? <Badge label="Default" /> : null}
    {canUpdate ? (
      <RowMenu id={`method-menu-${method.id}`} label={`Actions for ${methodText(method)}`}>
        {method.isDefault ? null : (
          <MenuItem label="Make default" icon="star" hx-put={`${route}/${method.id}/default`} hx-swap="none" />
        )}
        <MenuItem
          label="Remove"
          icon="trash-2"
          danger
          hx-delete={`${route}/${method.id}`}
          hx-swap="none"
          hx-confirm={`Remove ${methodText(method)}? It can no longer be charged. This can’t be undone.`}
        />
      </RowMenu>
    ) : null}
  </li>
)

function detailOf({ expiry, isUsable }: SavedPaymentMethod): string {
  const until = expiry ? `Expires ${String(expiry.month).padStart(2, '0')}/${expiry.year}` : ''
  const other = isUsable === false ? 'Saved at another account at the payment provider: it can’t be charged now.' : ''
  return [until, other].filter(Boolean).join('. ')
}
