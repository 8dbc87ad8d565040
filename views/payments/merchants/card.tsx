import type { Children } from '@kitajs/html'
import type { Merchant } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { Avatar, Badge } from '#views/ui/marks.tsx'
import { MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import { addressLines, placeText } from '../address.tsx'
import { merchantsRoute } from './filters.ts'
import { editMerchantDialog, formOf } from './names.ts'

interface MerchantCardProps {
  merchant: Merchant
  /** Its venues. */
  children?: Children
}

export const MerchantCard = ({ merchant, children }: MerchantCardProps) => (
  <section class="card merchant" aria-labelledby={`merchant-${merchant.id}`}>
    <header>
      <Avatar name={merchant.name} seed={merchant.id} size="lg" shape="square" />
      <div class="grow">
        <h2 class="wrap-anywhere" id={`merchant-${merchant.id}`} safe>
          {merchant.name}
        </h2>
        <small class="wrap-anywhere" safe>
          {[placeText(merchant.address), merchant.defaultCurrency].filter(Boolean).join(' · ')}
        </small>
      </div>
      {merchant.isDefault ? <Badge label="Default" /> : null}
      {merchant.archivedAt ? <Badge label="Archived" icon="pause" /> : null}
      {merchant.can.update ? <Actions merchant={merchant} /> : null}
    </header>
    <div class="body">
      <Facts merchant={merchant} />
    </div>
    {children}
  </section>
)

const Actions = ({ merchant: { id, name, isDefault, archivedAt } }: { merchant: Merchant }) => (
  <>
    <Button
      label="Edit"
      size="sm"
      aria-label={`Edit ${name}`}
      hx-get={`${merchantsRoute}/${id}`}
      hx-target={`#${formOf(editMerchantDialog)}`}
      hx-swap="innerHTML"
      commandfor={editMerchantDialog}
      command="show-modal"
    />
    {isDefault ? null : (
      <RowMenu id={`menu-${id}`} label={`Actions for ${name}`}>
        {archivedAt ? (
          <MenuItem label="Restore" icon="undo-2" hx-post={`${merchantsRoute}/${id}/restore`} hx-swap="none" />
        ) : (
          <>
            <MenuItem label="Make default" icon="star" hx-put={`${merchantsRoute}/${id}/default`} hx-swap="none" />
            <MenuItem
              label="Archive"
              icon="pause"
              danger
              hx-post={`${merchantsRoute}/${id}/archive`}
              hx-confirm={`Archive ${name}? New orders are refused. Its orders, ledger and invoices stay.`}
              hx-swap="none"
            />
          </>
        )}
      </RowMenu>
    )}
  </>
)

const Facts = ({ merchant }: { merchant: Merchant }) => (
  <div class="merchant-facts">
    <dl class="facts">
      <dt>Legal name</dt>
      <dd class="wrap-anywhere" safe>
        {merchant.legalName ?? merchant.name}
      </dd>
      <dt>Tax number</dt>
      <dd safe>{merchant.taxNumber ?? 'Not set'}</dd>
    </dl>
    <dl class="facts">
      <dt>Address</dt>
      <dd class="wrap-anywhere">
        {merchant.address ? (
          addressLines(merchant.address).map((line) => (
            <>
              <span safe>{line}</span>
              <br />
            </>
          ))
        ) : (
          <span>Not set</span>
        )}
      </dd>
    </dl>
    <dl class="facts">
      <dt>Invoice prefix</dt>
      <dd>
        <code safe>{merchant.invoicePrefix}</code>
      </dd>
      <dt>Time zone</dt>
      <dd class="wrap-anywhere" safe>
        {merchant.timeZone}
      </dd>
      {merchant.archivedAt ? (
        <>
          <dt>Archived</dt>
          <dd>
            <Time at={merchant.archivedAt} form="shortDay" />
          </dd>
        </>
      ) : null}
    </dl>
  </div>
)
