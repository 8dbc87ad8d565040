import type { Organization } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Dialog } from '#views/ui/dialog.tsx'
import { SelectField } from '#views/ui/field.tsx'
import { counted } from '#views/ui/counted.ts'
import { Form } from '#views/ui/form.tsx'
import type { BrandLine } from './brands.tsx'

interface BrandTransferProps {
  brand: BrandLine
  targets: Organization[]
}

const dialog = 'transfer-brand'

/** The brand's way to another organization (SOC-02): offered only where there is one to go to. */
export const BrandTransfer = ({ brand, targets }: BrandTransferProps) => (
  <section class="section" aria-labelledby="transfer">
    <h2 id="transfer">Transfer</h2>
    {targets.length > 0 ? (
      <>
        <p class="muted prose">
          Give this brand, with its accounts and posts, to another organization in which you can create brands.
        </p>
        <div class="actions">
          <Button label="Transfer brand" commandfor={dialog} command="show-modal" />
        </div>
        <TransferDialog brand={brand} targets={targets} />
      </>
    ) : (
      <p class="muted prose">
        A brand can go to another organization in which you can create brands. You belong to no other one yet.
      </p>
    )}
  </section>
)

const TransferDialog = ({ brand, targets }: BrandTransferProps) => (
  <Dialog id={dialog} title="Transfer this brand?">
    <Form hx-post={`/api/brands/${brand.id}/transfer-organization`}>
      <div class="body">
        <p class="wrap-anywhere" safe>{`${brand.name} leaves this organization as it is.`}</p>
        <ul class="bullets">
          <li safe>{goesAlong(brand)}</li>
          <li>People and API keys of this organization reach it no more, from that moment on.</li>
          <li>Only people who can change brands in the new organization can give it back.</li>
        </ul>
        <SelectField
          label="New organization"
          name="targetOrganizationId"
          options={targets.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </div>
      <footer>
        <Button label="Keep it here" variant="ghost" commandfor={dialog} command="close" autofocus />
        <Button label="Transfer brand" variant="danger" type="submit" />
      </footer>
    </Form>
  </Dialog>
)

/** What the brand takes with it, in a sentence. */
function goesAlong({ accounts, posts, scheduled }: BrandLine): string {
  const along = `${counted(accounts, 'account')} and ${counted(posts, 'post')} go along, unchanged.`
  if (scheduled === 0) return along
  return `${along} ${scheduled === 1 ? 'The one that is scheduled still goes' : `The ${scheduled} that are scheduled still go`} out at ${scheduled === 1 ? 'its time' : 'their times'}.`
}
