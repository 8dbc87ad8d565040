import type { Billing } from '#dashboard/types'
import { ButtonLink } from '#views/ui/button.tsx'
import { actions, DataTable, number } from '#views/ui/data-table.tsx'
import { Badge } from '#views/ui/marks.tsx'
import { SettingsSection } from '#views/ui/settings.tsx'
import { Time } from '#views/ui/time.tsx'
import { price } from './price.ts'

type Invoice = Billing['invoices'][number]

const words: Readonly<Record<Invoice['status'], string>> = {
  draft: 'Draft',
  open: 'Open',
  paid: 'Paid',
  uncollectible: 'Unpaid',
  void: 'Void',
}

interface Props {
  invoices: Billing['invoices']
  planned: Billing['plannedInvoice']
}

export const BillingInvoices = ({ invoices, planned }: Props) => (
  <SettingsSection id="invoices" title="Invoices" text="Also sent by email.">
    {invoices.length === 0 && !planned ? (
      <p class="muted">No invoices yet.</p>
    ) : (
      <div class="card">
        <DataTable caption="Invoices" columns={['Invoice', 'Status', 'Date', number('Amount'), actions]}>
          <tbody>
            {planned ? <Planned {...planned} /> : null}
            {invoices.map((invoice) => (
              <Row {...invoice} />
            ))}
          </tbody>
        </DataTable>
      </div>
    )}
  </SettingsSection>
)

const Planned = ({ at, amount, currency }: NonNullable<Props['planned']>) => (
  <tr>
    <td data-at="title">Next invoice</td>
    <td data-at="sub">
      <Badge label="Planned" />
      <small>Before taxes and credits</small>
    </td>
    <td data-at="time">
      <Time at={at} form="shortDay" />
    </td>
    <td data-num data-at="end" safe>
      {price(amount, currency)}
    </td>
    <td data-at="menu" />
  </tr>
)

const Row = ({ number: name, status, total, currency, url, pdfUrl, issuedAt }: Invoice) => (
  <tr>
    <td data-at="title">
      {url ? (
        <a href={url} safe>
          {name ?? 'Draft'}
        </a>
      ) : (
        <span safe>{name ?? 'Draft'}</span>
      )}
    </td>
    <td data-at="sub">
      <Badge label={words[status]} tone={status === 'open' || status === 'uncollectible' ? 'danger' : undefined} />
    </td>
    <td data-at="time">
      <Time at={issuedAt} form="shortDay" />
    </td>
    <td data-num data-at="end" safe>
      {price(total, currency)}
    </td>
    <td data-at="menu">
      {status === 'open' && url ? <ButtonLink label="Pay" size="sm" variant="primary" href={url} /> : null}
      {pdfUrl ? (
        <ButtonLink label={`Download ${name ?? 'the draft'}`} icon="download" iconOnly variant="ghost" href={pdfUrl} />
      ) : null}
    </td>
  </tr>
)
