import type { MerchantList, VenueList, VenueSales } from '#payments/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { More } from '../filters.tsx'
import { MerchantCard } from './card.tsx'
import { merchantsHref, merchantsPath, merchantsRoute, type MerchantsQuery } from './filters.ts'
import { newMerchantDialog } from './names.ts'
import { VenueTable } from './venues.tsx'

interface MerchantCardsProps {
  list: MerchantList
  query: MerchantsQuery
  venues?: readonly VenueList[]
  sales?: VenueSales | null
}

export const MerchantCards = ({ list, query, venues = [], sales = null }: MerchantCardsProps) => (
  <div id="merchants" class="stack">
    {list.items.map((merchant, at) => {
      const own = venues[at]
      return (
        <MerchantCard merchant={merchant}>
          {own ? <VenueTable list={own} query={{ merchantId: merchant.id, limit: 20 }} sales={sales} /> : null}
        </MerchantCard>
      )
    })}
    {list.items.length > 0 ? (
      <More
        noun="merchants"
        shown={list.items.length}
        nextCursor={list.nextCursor}
        query={{ ...query, limit: list.items.length + 1 }}
        page={merchantsPath}
        from={merchantsRoute}
        target="#merchants"
      />
    ) : (
      <NoMerchants list={list} state={query.state} />
    )}
  </div>
)

const NoMerchants = ({ list, state }: { list: MerchantList; state: MerchantsQuery['state'] }) =>
  state === 'archived' ? (
    <Empty icon="store" title="No archived merchants" text="Merchants that you archive appear here.">
      <ButtonLink label="Show active merchants" href={merchantsHref()} />
    </Empty>
  ) : (
    <Empty
      icon="store"
      title="No merchants yet"
      text="A merchant is who sells: its name, address and tax number are on invoices. The first one is created with your first order."
    >
      {list.can.create ? (
        <Button
          label="New merchant"
          icon="plus"
          variant="primary"
          commandfor={newMerchantDialog}
          command="show-modal"
        />
      ) : null}
    </Empty>
  )
