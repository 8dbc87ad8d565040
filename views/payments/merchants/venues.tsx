import type { Venue, VenueList, VenueSales } from '#payments/types'
import { actions, DataTable, number } from '#views/ui/data-table.tsx'
import { StatusMark } from '#views/ui/marks.tsx'
import { MenuItem, MenuLink, RowMenu } from '#views/ui/overlays.tsx'
import { addressLines } from '../address.tsx'
import { More } from '../filters.tsx'
import { money } from '../money.ts'
import { ordersHref } from '../orders/filters.tsx'
import { merchantsPath, venuesRoute } from './filters.ts'
import { editVenueDialog, formOf } from './names.ts'

interface VenueTableProps {
  list: VenueList
  query: { merchantId?: string | undefined; limit: number; cursor?: string }
  /** Null where they aren’t known. */
  sales: VenueSales | null
}

const tableId = (merchantId: string | undefined): string => `venues-${merchantId ?? 'all'}`

export const VenueTable = ({ list, query, sales }: VenueTableProps) => (
  <div id={tableId(query.merchantId)}>
    {list.items.length > 0 ? (
      <>
        <Rows items={list.items} sales={sales} />
        <More
          noun="venues"
          shown={list.items.length}
          nextCursor={list.nextCursor}
          query={query}
          page={merchantsPath}
          from={venuesRoute}
          target={`#${tableId(query.merchantId)}`}
        />
      </>
    ) : (
      <p class="muted small no-venues">
        No venues yet. A venue is where this merchant sells, such as a shop or a website.
      </p>
    )}
  </div>
)

const Rows = ({ items, sales }: { items: Venue[]; sales: VenueSales | null }) => (
  <DataTable
    name="venue-table"
    caption={`Venues of ${items[0]?.merchant.name ?? ''}`}
    columns={['Venue', 'Status', ...(sales ? [number('Orders, 7 days'), number('Takings, 7 days')] : []), actions]}
  >
    <tbody>
      {items.map((venue) => (
        <Row venue={venue} sales={sales} />
      ))}
    </tbody>
  </DataTable>
)

const Row = ({ venue, sales }: { venue: Venue; sales: VenueSales | null }) => {
  const own = sales?.items.filter(({ venueId }) => venueId === venue.id) ?? []
  const orders = own.reduce((sum, each) => sum + each.orders, 0)
  return (
    <tr>
      <td data-at="title" class="wrap-anywhere">
        {sales ? (
          <a class="row-link" href={ordersHref({ venueId: venue.id })} safe>
            {venue.name}
          </a>
        ) : (
          <span safe>{venue.name}</span>
        )}
        <small safe>{addressLines(venue.address).join(', ')}</small>
      </td>
      <td data-at="sub">
        {venue.archivedAt ? (
          <StatusMark state="draft" icon="pause" word="Archived" />
        ) : (
          <StatusMark state="published" icon="circle-check" word="Active" />
        )}
      </td>
      {sales ? (
        <>
          <td data-num>{orders}</td>
          <td data-num data-at="end">
            <b safe>{own.map(({ takings, currency }) => money(takings, currency)).join(' + ') || '–'}</b>
          </td>
        </>
      ) : null}
      <td data-at="menu">
        <RowMenu id={`menu-${venue.id}`} label={`Actions for ${venue.name}`}>
          {sales ? <MenuLink label="Show orders" icon="receipt" href={ordersHref({ venueId: venue.id })} /> : null}
          {venue.can.update ? <Changes venue={venue} /> : null}
        </RowMenu>
      </td>
    </tr>
  )
}

const Changes = ({ venue: { id, name, archivedAt } }: { venue: Venue }) => (
  <>
    <MenuItem
      label="Edit"
      icon="pen-line"
      hx-get={`${venuesRoute}/${id}`}
      hx-target={`#${formOf(editVenueDialog)}`}
      hx-swap="innerHTML"
      commandfor={editVenueDialog}
      command="show-modal"
    />
    {archivedAt ? (
      <MenuItem label="Restore" icon="undo-2" hx-post={`${venuesRoute}/${id}/restore`} hx-swap="none" />
    ) : (
      <MenuItem
        label="Archive"
        icon="pause"
        danger
        hx-post={`${venuesRoute}/${id}/archive`}
        hx-confirm={`Archive ${name}? New orders are refused. Its orders stay.`}
        hx-swap="none"
      />
    )}
  </>
)
