import type { AccountChart, ExportAccount } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { ReportTabs } from './tabs.tsx'
import { reportsPath } from './words.ts'

export const AccountsPage = ({ chart }: { chart: AccountChart }) => (
  <>
    <PageHeader title="Accounts" crumbs={[{ href: reportsPath, label: 'Reports' }]} />
    <ReportTabs current="accounts" merchantId={undefined} />
    <div class="page stack">
      <p class="muted">
        The numbers and names that the accounting export has. Accounts of tax rates can be set by the API.
      </p>
      <AccountsForm chart={chart} />
    </div>
  </>
)

const meanings: Record<ExportAccount, string> = {
  clearing: 'Balance at the provider',
  fees: 'Fees of the provider',
  revenue: 'Revenue',
  tax: 'Tax on revenue',
  refunds_in_transit: 'Refunds in transit',
  disputes_held: 'Disputes that are open',
  float: 'Paid out for settlements',
  settlements_payable: 'Settlements payable',
  conversion: 'Conversion of currencies',
  bank: 'Paid out to the bank',
  top_ups: 'Added to the balance',
  reserves: 'Held back by the provider',
  adjustments: 'Adjustments by the provider',
  opening: 'Balance before the first order',
  suspense: 'Movements that aren’t assigned',
  corrections: 'Counterpart of corrections',
}

export const AccountsForm = ({ chart: { accounts, rates, version } }: { chart: AccountChart }) => (
  <div id="accounts">
    <Form
      hx-put="/api/reports/accounts"
      hx-headers={JSON.stringify({ 'If-Match': `"${version}"` })}
      hx-target="#accounts"
      hx-swap="outerMorph"
    >
      <div class="card body stack">
        {accounts.map(({ account, code, name }, at) => (
          <fieldset class="fields">
            <legend class="small muted" safe>
              {meanings[account]}
            </legend>
            <input type="hidden" name={`accounts[${at}][account]`} value={account} />
            <TextField
              label="Code"
              name={`accounts[${at}][code]`}
              id={`account-${at}-code`}
              value={code}
              required
              maxlength={20}
            />
            <TextField
              label="Name"
              name={`accounts[${at}][name]`}
              id={`account-${at}-name`}
              value={name}
              required
              maxlength={100}
            />
          </fieldset>
        ))}
        {rates.map(({ rate, revenue, tax, taxCode }) => (
          <p class="muted" safe>
            {`${rate}%: revenue ${revenue ?? 'as above'}, tax ${tax ?? 'as above'}, tax code ${taxCode ?? 'none'}`}
          </p>
        ))}
        <Button label="Save" variant="primary" type="submit" />
      </div>
    </Form>
  </div>
)
