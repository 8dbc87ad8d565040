import type { Brand, TransferTarget } from '#social/types'
import { formatCount, formatCounted } from './brand-counts.ts'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Setting, SettingsSection } from '#views/ui/settings.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { SelectField, Form } from '#views/ui/form.tsx'

interface BrandTransferProps {
  brand: Brand
  targets: TransferTarget[]
}

const dialog = 'transfer-brand'

/** When the person belongs to another organization (SOC-02). */
export const BrandTransfer = ({ brand, targets }: BrandTransferProps) => (
  <SettingsSection id="transfer" title="Transfer" text="Owners and admins only.">
    <div class="card">
      {targets.length > 0 ? (
        <ul class="list" aria-label="Transfer">
          <Setting
            name="Move to another organization"
            detail="Its accounts and posts move with it. Members and API keys of this organization lose access immediately."
          >
            <Button label="Transfer brand" size="sm" commandfor={dialog} command="show-modal" />
          </Setting>
        </ul>
      ) : (
        <ul class="list" aria-label="Transfer">
          <li>
            <div class="whole">
              <TransferTargets targets={targets} />
            </div>
            <ButtonLink label="Your organizations" size="sm" href="/settings/workspaces" />
          </li>
        </ul>
      )}
    </div>
    {targets.length > 0 ? <TransferDialog brand={brand} targets={targets} /> : null}
  </SettingsSection>
)

export const TransferTargets = ({ targets }: Pick<BrandTransferProps, 'targets'>) =>
  targets.length > 0 ? (
    <SelectField
      label="New organization"
      name="targetOrganizationId"
      options={targets.map(({ id, name }) => ({ value: id, label: name }))}
    />
  ) : (
    <p class="muted prose">
      You can transfer a brand to another organization where you can create brands. Join or create another organization
      first.
    </p>
  )

const TransferDialog = ({ brand, targets }: BrandTransferProps) => (
  <Dialog id={dialog} title="Transfer this brand?">
    <Form hx-post={`/api/brands/${brand.id}/transfer-organization`}>
      <div class="body">
        <p class="wrap-anywhere" safe>{`${brand.name} will move to the organization you choose.`}</p>
        <ul class="bullets">
          <li safe>{describeContent(brand)}</li>
          <li>Members and API keys of this organization lose access immediately.</li>
          <li>Only people who can edit brands in the new organization can transfer it back.</li>
        </ul>
        <TransferTargets targets={targets} />
      </div>
      <DialogButtons dialog={dialog} submit="Transfer brand" danger focusCancel />
    </Form>
  </Dialog>
)

function describeContent({ counts: { accounts, posts, scheduled } }: Brand): string {
  const content =
    accounts === null
      ? formatCounted(posts, 'post')
      : `${formatCounted(accounts, 'account')} and ${formatCounted(posts, 'post')}`
  const moved = `${content} move with it.`
  if (scheduled === 0) return moved
  return `${moved} ${scheduled === 1 ? 'The scheduled post' : `The ${formatCount(scheduled)} scheduled posts`} will still be published on time.`
}
