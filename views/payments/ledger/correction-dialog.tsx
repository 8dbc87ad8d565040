import type { LedgerBalanceList } from '#payments/types'
import { Field, Form, SelectField, TextField } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { accountNames } from './words.ts'

export const correctionDialog = 'new-correction'

const accounts = Object.entries(accountNames).map(([value, label]) => ({ value, label }))
const morePostings = [1, 2, 3]

/** Each row debits one account and credits another, so the entries always balance. */
export const CorrectionDialog = ({ balances: { items } }: { balances: LedgerBalanceList }) => {
  const merchants = new Map(items.map(({ merchantId, merchantName }) => [merchantId, merchantName ?? 'Merchant']))
  const currencies = [...new Set(items.map(({ currency }) => currency))]
  return (
    <Dialog id={correctionDialog} title="New correction">
      <Form hx-post="/api/ledger/corrections" hx-target="#ledger" hx-swap="outerMorph" data-refresh="#ledger">
        <div class="body stack">
          <p class="muted">
            What was posted never changes. A correction adds entries that balance, with the reason and your name.
          </p>
          <div class="fields">
            <SelectField
              label="Merchant"
              name="merchantId"
              id="correction-merchant"
              options={[...merchants].map(([value, label]) => ({ value, label }))}
            />
            <SelectField
              label="Currency"
              name="currency"
              id="correction-currency"
              options={currencies.map((value) => ({ value, label: value }))}
            />
          </div>
          <Posting at={0} />
          <details class="fold">
            <summary>
              <Icon name="chevron-right" />
              More entries
            </summary>
            <div class="stack">
              {morePostings.map((at) => (
                <Posting at={at} />
              ))}
            </div>
          </details>
          <TextField
            label="Corrects transaction"
            name="correctsSequence"
            id="corrects-sequence"
            inputmode="numeric"
            autocomplete="off"
            placeholder="18,206"
            hint="Optional. Its number in the merchant’s ledger."
          />
          <Field label="Note" id="correction-note">
            <textarea
              class="input"
              id="correction-note"
              name="note"
              required
              maxlength={1000}
              aria-describedby="correction-note-error"
            />
          </Field>
        </div>
        <DialogButtons dialog={correctionDialog} submit="Post correction" />
      </Form>
    </Dialog>
  )
}

const Posting = ({ at }: { at: number }) => (
  <fieldset class="fields posting">
    <legend class="visually-hidden" safe>{`Entries ${at + 1}`}</legend>
    <SelectField
      label="Debit"
      name={`postings[${at}][debit]`}
      id={`posting-${at}-debit`}
      options={accounts}
      value="fees"
    />
    <SelectField
      label="Credit"
      name={`postings[${at}][credit]`}
      id={`posting-${at}-credit`}
      options={accounts}
      value="corrections"
    />
    <TextField
      label="Amount"
      name={`postings[${at}][amount]`}
      id={`posting-${at}-amount`}
      inputmode="decimal"
      autocomplete="off"
      placeholder="0.15"
      required={at === 0}
    />
  </fieldset>
)
