import type { Customer, CustomerList } from '#payments/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { actions, DataTable, number } from '#views/ui/data-table.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Avatar, StatusMark } from '#views/ui/marks.tsx'
import { MenuLink, RowMenu } from '#views/ui/overlays.tsx'
import { Time, viewerZoneName } from '#views/ui/time.tsx'
import { More } from '../filters.tsx'
import { ordersHref } from '../orders/filters.tsx'
import { CopyId } from '../orders/table.tsx'
import { orderStates } from '../orders/words.ts'
import { customersHref, customersPath, customersRoute, isNarrowed, type CustomersQuery } from './filters.tsx'
import { newCustomerDialog } from './names.ts'
import { countOrders, customerText, spentText } from './words.ts'

interface CustomerTableProps {
  list: CustomerList
  query: CustomersQuery
}

export const CustomerTable = ({ list, query }: CustomerTableProps) => (
  <div id="customers">
    {list.items.length > 0 ? <Rows list={list} query={query} /> : <NoCustomers list={list} query={query} />}
  </div>
)

const Rows = ({ list, query }: CustomerTableProps) => (
  <>
    <DataTable
      name="customer-table"
      caption="Customers, newest first"
      columns={[
        'Customer',
        'Needs action',
        number('Orders'),
        number('Spent'),
        number(`Last order (${viewerZoneName()})`),
        actions,
      ]}
    >
      <tbody>
        {list.items.map((customer) => (
          <Row customer={customer} />
        ))}
      </tbody>
    </DataTable>
    <More
      noun="customers"
      shown={list.items.length}
      nextCursor={list.nextCursor}
      query={query}
      page={customersPath}
      from={customersRoute}
      target="#customers"
    />
  </>
)

const Row = ({ customer }: { customer: Customer }) => {
  const href = `${customersPath}/${customer.id}`
  const name = customerText(customer)
  return (
    <tr id={`customer-${customer.id}`}>
      <td data-at="title">
        <span class="row">
          <Avatar name={name} seed={customer.id} />
          <span class="grow wrap-anywhere">
            <a class="row-link" href={href} safe>
              {name}
            </a>
            {customer.name && customer.email ? <small safe>{customer.email}</small> : null}
          </span>
        </span>
      </td>
      <td data-at="sub">
        {customer.attention ? <StatusMark {...orderStates[customer.attention]} /> : null}
        {customer.archivedAt ? <Archived customer={customer} /> : null}
      </td>
      <td data-num>{countOrders(customer)}</td>
      <td data-num data-at="end">
        <b safe>{spentText(customer)}</b>
      </td>
      <td data-num data-at="time">
        {customer.lastOrderAt ? <Time at={customer.lastOrderAt} form="moment" /> : '–'}
      </td>
      <td data-at="menu">
        <RowMenu id={`menu-${customer.id}`} label={`Actions for ${name}`}>
          <MenuLink label="Show customer" icon="user" href={href} />
          <MenuLink label="Show orders" icon="receipt" href={ordersHref({ customerId: customer.id })} />
          <CopyId id={customer.id} />
        </RowMenu>
      </td>
    </tr>
  )
}

const Archived = ({ customer: { erasedAt } }: { customer: Customer }) => (
  <StatusMark state="draft" icon="pause" word={erasedAt ? 'Personal data deleted' : 'Archived'} />
)

const NoCustomers = ({ list, query }: CustomerTableProps) =>
  isNarrowed(query) || query.cursor || query.kind || query.attention || query.state === 'archived' ? (
    <Empty icon="search" title="No matching customers" text="Try fewer filters.">
      <ButtonLink label="Show all customers" href={customersHref({})} />
    </Empty>
  ) : (
    <Empty
      icon="users"
      title="No customers yet"
      text="Add the people and companies who buy from you. Their orders, totals and payment methods are in one place then."
    >
      {list.can.create ? (
        <Button
          label="New customer"
          icon="plus"
          variant="primary"
          commandfor={newCustomerDialog}
          command="show-modal"
        />
      ) : null}
    </Empty>
  )
