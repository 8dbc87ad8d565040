import type { Order, OrderList } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { actions, DataTable, number } from '#views/ui/data-table.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { listHref } from '#views/ui/lists.tsx'
import { liveAt } from '#views/ui/live.ts'
import { StatusMark } from '#views/ui/marks.tsx'
import { MenuItem, MenuLink, RowMenu } from '#views/ui/overlays.tsx'
import { Time, viewerZone, viewerZoneName } from '#views/ui/time.tsx'
import { More } from '../filters.tsx'
import { money } from '../money.ts'
import { NoRows } from '../no-rows.tsx'
import { isNarrowed, ordersHref, ordersPath, ordersTopic, type OrdersFilter } from './filters.tsx'
import { newOrderDialog } from './new-dialog.tsx'
import { cardText, customerText, orderStates } from './words.ts'

export interface OrderQuery extends OrdersFilter {
  limit: number
  cursor?: string
}

interface OrderTableProps {
  list: OrderList
  query: OrderQuery
  organizationId: string | undefined
}

export const OrderTable = ({ list, query, organizationId }: OrderTableProps) => (
  <div id="orders" {...liveAt(listHref('/api/orders', query), ordersTopic(organizationId))}>
    {list.items.length > 0 ? <Rows list={list} query={query} /> : <NoOrders list={list} filter={query} />}
  </div>
)

const Rows = ({ list, query }: Omit<OrderTableProps, 'organizationId'>) => (
  <>
    <DataTable
      name="orders"
      caption={`Orders, newest first, times in ${viewerZone()}`}
      columns={[
        number('Amount'),
        'Status',
        'Order',
        'Customer',
        'Method',
        'Venue',
        number(`Time (${viewerZoneName()})`),
        actions,
      ]}
    >
      <tbody>
        {list.items.map((order) => (
          <Row order={order} canRefund={list.can.refund} />
        ))}
      </tbody>
    </DataTable>
    <More
      noun="orders"
      shown={list.items.length}
      nextCursor={list.nextCursor}
      query={query}
      page={ordersPath}
      from="/api/orders"
      target="#orders"
    />
  </>
)

const orderHref = ({ id }: Pick<Order, 'id'>): string => `${ordersPath}/${id}`

const Row = ({ order, canRefund }: { order: Order; canRefund: boolean }) => (
  <tr id={`order-${order.id}`}>
    <td data-num data-at="end">
      <b safe>{money(order.total, order.currency)}</b>
    </td>
    <td data-at="sub">
      <StatusMark {...orderStates[order.status]} />
    </td>
    <td>
      <a class="row-link" href={orderHref(order)} safe>
        {order.number}
      </a>
    </td>
    <td data-at="title" class="wrap-anywhere">
      <a class="row-link narrow-only" href={orderHref(order)} safe>
        {`${order.number} · `}
      </a>
      <span safe>{customerText(order)}</span>
      {order.customer.name && order.customer.email ? (
        <small class="wide-only muted" safe>
          {order.customer.email}
        </small>
      ) : null}
    </td>
    <td safe>{cardText(order.card)}</td>
    <td class="wrap-anywhere" safe>
      {order.venue?.name ?? order.merchant.name}
    </td>
    <td data-num data-at="time">
      <Time at={order.createdAt} form="moment" />
    </td>
    <td data-at="menu">
      <RowMenu id={`menu-${order.id}`} label={`Actions for ${order.number}`}>
        <MenuLink label="Show order" icon="receipt" href={orderHref(order)} />
        {canRefund && order.captured > order.refunded ? (
          <MenuLink label="Refund" icon="undo-2" href={`${orderHref(order)}#refund`} />
        ) : null}
        <CopyId id={order.id} />
      </RowMenu>
    </td>
  </tr>
)

/** An item of a menu. */
export const CopyId = ({ id }: { id: string }) => (
  <copy-text>
    <output class="visually-hidden" safe>
      {id}
    </output>
    <MenuItem label="Copy ID" icon="copy" data-copy />
    <span class="muted small" role="status" />
  </copy-text>
)

const NoOrders = ({ list, filter }: { list: OrderList; filter: OrderQuery }) => (
  <NoRows
    noun="orders"
    isNarrowed={isNarrowed(filter) || filter.cursor !== undefined}
    clear={ordersHref({ status: filter.status })}
    all={ordersPath}
    status={filter.status && orderStates[filter.status]}
  >
    <Empty
      icon="receipt"
      title="No orders yet"
      text="Create your first order, send its payment link to the customer, and see the money arrive here."
    >
      {list.can.create ? (
        <Button label="New order" icon="plus" variant="primary" commandfor={newOrderDialog} command="show-modal" />
      ) : null}
    </Empty>
  </NoRows>
)
