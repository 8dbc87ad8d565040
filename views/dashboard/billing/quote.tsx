import type { BillingPreview } from '#dashboard/types'
import { counted } from '#lib/text.ts'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Time } from '#views/ui/time.tsx'
import { packages } from '../checkout/words.ts'
import { price } from './price.ts'

/** What a change costs, with the button that makes it. */
export const BillingQuote = ({ preview }: { preview: BillingPreview }) => {
  const { organizationId, package: name, seats, currency, amountDue, total, monthlyTotal } = preview
  return (
    <div id="billing-quote" class="stack" role="status">
      <dl class="facts" data-end>
        {preview.lines.map((line) => (
          <>
            <dt safe>{line.description ?? 'Change'}</dt>
            <dd safe>{price(line.amount, currency)}</dd>
          </>
        ))}
        <dt>
          <b>{total < 0 ? 'Credit for later invoices' : 'Due now'}</b>
        </dt>
        <dd>
          <b safe>{price(total < 0 ? -total : amountDue, currency)}</b>
        </dd>
        <dt>Each month</dt>
        <dd safe>{price(monthlyTotal, currency)}</dd>
      </dl>
      <Form hx-post={`/api/organizations/${organizationId}/billing/change`} hx-target="#billing" hx-swap="outerMorph">
        <input type="hidden" name="package" value={name} />
        <input type="hidden" name="seats" value={String(seats)} />
        <input type="hidden" name="prorationDate" value={preview.prorationDate} />
        <input type="hidden" name="amountDue" value={String(amountDue)} />
        <div class="actions">
          <Button
            label={`Change to ${packages[name].name} with ${counted(seats, 'seat')}`}
            type="submit"
            variant="primary"
          />
          <small>
            Price valid until <Time at={preview.validUntil} form="time" />
          </small>
        </div>
      </Form>
    </div>
  )
}
