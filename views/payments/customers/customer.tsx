import type { Customer, CustomerDetails, OrderPayment, SavedPaymentMethodList } from '#payments/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Badge, StatusMark } from '#views/ui/marks.tsx'
import { Menu, MenuItem, MenuLink } from '#views/ui/overlays.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { Time, viewerZoneName } from '#views/ui/time.tsx'
import { money } from '../money.ts'
import { ordersHref, ordersPath } from '../orders/filters.tsx'
import { CopyId } from '../orders/table.tsx'
import { cardText, orderStates, paymentStates } from '../orders/words.ts'
import { CustomerActivityView, type ActivityProps } from './activity.tsx'
import { CustomerAside } from './aside.tsx'
import { DeleteCustomerDialog, EditCustomerDialog } from './dialogs.tsx'
import { customersPath, customersRoute } from './filters.tsx'
import { deleteCustomerDialog, editCustomerDialog } from './names.ts'
import { PaymentMethods } from './payment-methods.tsx'
import { countOrders, customerText } from './words.ts'

interface OfCustomer {
  customer: CustomerDetails
}

interface CustomerProps extends OfCustomer {
  /** Parts of the page that have operations of their own. */
  methods?: SavedPaymentMethodList
  activity?: { list: ActivityProps['activity']; query: ActivityProps['query'] }
  isReturning?: boolean
}

export const CustomerView = ({ customer, methods, activity, isReturning = false }: CustomerProps) => (
  <div id="customer">
    <CustomerHeader customer={customer} />
    <div class="page split">
      <div class="stack" style="--gap: var(--space-8)">
        {customer.erasedAt ? (
          <Notice title="Personal data deleted" text="Orders and ledger entries stay under this pseudonym." />
        ) : null}
        <Totals customer={customer} />
        {methods ? <PaymentMethods methods={methods} isReturning={isReturning} /> : null}
        <Orders customer={customer} />
        <Payments customer={customer} />
        {activity ? <CustomerActivityView activity={activity.list} query={activity.query} /> : null}
      </div>
      <CustomerAside customer={customer} />
    </div>
  </div>
)

const CustomerHeader = ({ customer }: OfCustomer) => (
  <PageHeader
    title={customerText(customer)}
    crumbs={[{ href: customersPath, label: 'Customers' }]}
    status={customer.archivedAt && !customer.erasedAt ? <Badge label="Archived" icon="pause" /> : null}
  >
    <div class="actions">
      {customer.can.update ? (
        <Button label="Edit" icon="pen-line" commandfor={editCustomerDialog} command="show-modal" />
      ) : null}
      <Button label="More actions" icon="ellipsis" iconOnly popovertarget="customer-menu" />
      <Menu id="customer-menu">
        <CopyId id={customer.id} />
        <MenuLink label="Show as JSON" icon="code" href={`${customersRoute}/${customer.id}?format=json`} />
        {customer.can.update ? <Changes customer={customer} /> : null}
      </Menu>
    </div>
    {customer.can.update ? (
      <>
        <EditCustomerDialog customer={customer} />
        <DeleteCustomerDialog customer={customer} />
      </>
    ) : null}
  </PageHeader>
)

const Changes = ({ customer: { id, archivedAt } }: { customer: Customer }) => (
  <>
    <hr />
    {archivedAt ? (
      <MenuItem label="Restore" icon="undo-2" hx-post={`${customersRoute}/${id}/restore`} hx-swap="none" />
    ) : (
      <MenuItem label="Archive" icon="pause" hx-post={`${customersRoute}/${id}/archive`} hx-swap="none" />
    )}
    <MenuItem
      label="Delete personal data"
      icon="trash-2"
      danger
      commandfor={deleteCustomerDialog}
      command="show-modal"
    />
  </>
)

const Totals = ({ customer }: OfCustomer) => (
  <section class="card" aria-label="Totals">
    <div class="body stack">
      {customer.totals.length > 0 ? (
        customer.totals.map(({ currency, orders, spent, refunded }) => (
          <dl class="stats">
            <Stat name={`Spent (${currency})`} value={money(spent, currency)} />
            <Stat name="Orders" value={String(orders)} />
            <Stat name="Refunded" value={money(refunded, currency)} />
          </dl>
        ))
      ) : (
        <p class="muted">Nothing ordered yet.</p>
      )}
      {customer.openDisputes > 0 ? (
        <StatusMark state="failed" icon="shield-alert" word={`Open disputes: ${customer.openDisputes}`} />
      ) : null}
    </div>
  </section>
)

const Stat = ({ name, value }: { name: string; value: string }) => (
  <div class="stat">
    <dt safe>{name}</dt>
    <dd safe>{value}</dd>
  </div>
)

const Orders = ({ customer }: OfCustomer) => (
  <section class="section" aria-labelledby="customer-orders">
    <header>
      <h2 id="customer-orders">Orders</h2>
      {countOrders(customer) > customer.latestOrders.length ? (
        <a class="link small" href={ordersHref({ customerId: customer.id })} safe>
          {`All ${countOrders(customer)}`}
        </a>
      ) : null}
    </header>
    {customer.latestOrders.length > 0 ? (
      <div class="card">
        <table class="table orders" data-list>
          <caption class="visually-hidden" safe>{`Orders of ${customerText(customer)}`}</caption>
          <thead>
            <tr>
              <th scope="col" data-num>
                Amount
              </th>
              <th scope="col">Status</th>
              <th scope="col">Order</th>
              <th scope="col">Venue</th>
              <th scope="col" data-num safe>{`Time (${viewerZoneName()})`}</th>
            </tr>
          </thead>
          <tbody>
            {customer.latestOrders.map((order) => (
              <tr>
                <td data-num data-at="end">
                  <b safe>{money(order.total, order.currency)}</b>
                </td>
                <td data-at="sub">
                  <StatusMark {...orderStates[order.status]} />
                </td>
                <td data-at="title" class="nowrap">
                  <a class="row-link" href={`${ordersPath}/${order.id}`} safe>
                    {order.number}
                  </a>
                </td>
                <td class="wrap-anywhere" safe>
                  {order.venue?.name ?? order.merchant.name}
                </td>
                <td data-num data-at="time">
                  <Time at={order.createdAt} form="moment" />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    ) : (
      <p class="muted">No orders yet. Orders that you create for this customer appear here.</p>
    )}
  </section>
)

const Payments = ({ customer: { latestPayments } }: OfCustomer) =>
  latestPayments.length > 0 ? (
    <section class="section" aria-labelledby="customer-payments">
      <h2 id="customer-payments">Payments</h2>
      <div class="card">
        <ul class="list" style="--pad: var(--space-4)">
          {latestPayments.map((payment) => (
            <PaymentRow payment={payment} />
          ))}
        </ul>
      </div>
    </section>
  ) : (
    <></>
  )

const PaymentRow = ({ payment }: { payment: OrderPayment }) => (
  <li>
    <span class="grow">
      <span safe>{money(payment.amount, payment.currency)}</span>
      <small class="wrap-anywhere" safe>
        {payment.failure?.message ?? (payment.card ? cardText(payment.card) : 'No card yet')}
      </small>
    </span>
    <StatusMark {...paymentStates[payment.status]} />
    <ButtonLink label="Order" size="sm" variant="ghost" href={`${ordersPath}/${payment.orderId}`} />
  </li>
)
