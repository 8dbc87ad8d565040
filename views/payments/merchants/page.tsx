import type { MerchantList, VenueList, VenueSales } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { MerchantCards } from './cards.tsx'
import { EditDialog, NewMerchantDialog, NewVenueDialog } from './dialogs.tsx'
import { merchantsHref, type MerchantsQuery } from './filters.ts'
import { editMerchantDialog, editVenueDialog, newMerchantDialog, newVenueDialog } from './names.ts'

export interface MerchantsProps {
  merchants: MerchantList
  /** Of each merchant in its order; none without the permission. */
  venues: readonly VenueList[]
  /** Null without the permission. */
  sales: VenueSales | null
  query: MerchantsQuery
}

export const MerchantsPage = ({ merchants, venues, sales, query }: MerchantsProps) => {
  const canAddVenue = venues.some(({ can }) => can.create)
  return (
    <>
      <PageHeader title="Merchants and venues">
        <div class="actions">
          {canAddVenue ? (
            <Button label="New venue" icon="plus" commandfor={newVenueDialog} command="show-modal" />
          ) : null}
          {merchants.can.create ? (
            <Button label="New merchant" variant="ghost" commandfor={newMerchantDialog} command="show-modal" />
          ) : null}
        </div>
      </PageHeader>
      <nav class="tabs" aria-label="Show">
        <a href={merchantsHref()} aria-current={query.state === 'archived' ? undefined : 'page'}>
          Active
        </a>
        <a href={merchantsHref('archived')} aria-current={query.state === 'archived' ? 'page' : undefined}>
          Archived
        </a>
      </nav>
      <div class="page stack" style="--measure: none">
        <MerchantCards list={merchants} query={query} venues={venues} sales={sales} />
      </div>
      {merchants.can.create ? (
        <>
          <NewMerchantDialog />
          <EditDialog id={editMerchantDialog} title="Edit merchant" />
        </>
      ) : null}
      {canAddVenue ? (
        <>
          <NewVenueDialog merchants={merchants.items.filter(({ archivedAt }) => archivedAt === null)} />
          <EditDialog id={editVenueDialog} title="Edit venue" />
        </>
      ) : null}
    </>
  )
}
