import type { SettlementItem } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { money } from '../money.ts'
import { settlementsRoute } from './list.tsx'

interface ResolveItemProps {
  item: SettlementItem
  batchId: string
}

/** After a look at the provider. */
export const ResolveItem = ({ item: { id, reference, amount, currency, transferId }, batchId }: ResolveItemProps) => {
  const dialog = `resolve-${id}`
  return (
    <>
      <Button
        id={`open-${dialog}`}
        label="Set outcome"
        aria-label={`Set outcome of ${reference}`}
        size="sm"
        commandfor={dialog}
        command="show-modal"
      />
      <Dialog id={dialog} title={`Was ${money(amount, currency)} for ${reference} paid?`}>
        <Form
          hx-post={`${settlementsRoute}/${encodeURIComponent(batchId)}/items/${id}/resolve`}
          hx-target="#settlement-items"
          hx-swap="outerMorph"
          data-refresh="#settlement-items"
        >
          <div class="body">
            <fieldset class="field">
              <legend>Outcome</legend>
              <div class="stack" style="--gap: var(--space-2)">
                <label class="check">
                  <input type="radio" name="outcome" value="settled" required />
                  <span>
                    Paid <small>The recipient has the money.</small>
                  </span>
                </label>
                <label class="check">
                  <input type="radio" name="outcome" value="failed" required />
                  <span>
                    Not paid <small>{transferId === null ? notSent : takenBack}</small>
                  </span>
                </label>
              </div>
            </fieldset>
            <TextField
              label="How you found out"
              name="note"
              id={`${dialog}-note`}
              required
              maxlength={1000}
              autocomplete="off"
              hint="Such as what the provider’s dashboard or support says. The audit log shows it."
            />
          </div>
          <DialogButtons dialog={dialog} submit="Save outcome" />
        </Form>
      </Dialog>
    </>
  )
}

const notSent = 'It fails, and isn’t sent again.'
const takenBack = 'It fails, and its transfer is reversed.'
