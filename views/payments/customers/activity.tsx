import type { CustomerActivity, CustomerActivityList } from '#payments/types'
import { Icon } from '#views/ui/icon.tsx'
import { Time, TimesIn } from '#views/ui/time.tsx'
import { More } from '../filters.tsx'
import { money } from '../money.ts'
import { describeEvent, type EventWords } from '../orders/event-words.ts'
import { ordersPath } from '../orders/filters.tsx'
import { customersPath, customersRoute } from './filters.tsx'

export interface ActivityProps {
  activity: CustomerActivityList
  query: { limit: number; cursor?: string | undefined }
}

export const CustomerActivityView = ({ activity, query: { limit, cursor } }: ActivityProps) => (
  <section class="section" id="activity" aria-labelledby="activity-title">
    <header>
      <h2 id="activity-title">Activity</h2>
      <TimesIn />
    </header>
    {activity.items.length > 0 ? (
      <>
        <ol class="timeline">
          {activity.items.map((entry) => (
            <Entry entry={entry} />
          ))}
        </ol>
        <More
          noun="events"
          shown={activity.items.length}
          nextCursor={activity.nextCursor}
          query={{ limit, ...(cursor !== undefined && { cursor }) }}
          page={`${customersPath}/${activity.customerId}`}
          from={`${customersRoute}/${activity.customerId}/activity`}
          target="#activity"
        />
      </>
    ) : (
      <p class="muted">Nothing happened yet. Orders, payments, refunds, invoices and changes appear here.</p>
    )}
  </section>
)

const Entry = ({ entry }: { entry: CustomerActivity }) => {
  const { title, detail, icon, state } = wordsOf(entry)
  const by = entry.byName ? `By ${entry.byName}.` : null
  return (
    <li data-state={state}>
      <span class="mark">
        <Icon name={icon} />
      </span>
      <div>
        <div class="head">
          <b class="wrap-anywhere" safe>
            {title}
          </b>
          <Time at={entry.at} form="moment" />
        </div>
        <small class="wrap-anywhere">
          <Subject entry={entry} />
          <span safe>{[detail, by].filter(Boolean).join(' ')}</span>
        </small>
      </div>
    </li>
  )
}

const Subject = ({ entry: { order, invoice } }: { entry: CustomerActivity }) =>
  order ? (
    <>
      <a class="link" href={`${ordersPath}/${order.id}`} safe>
        {`Order ${order.number}`}
      </a>
      {'. '}
    </>
  ) : invoice ? (
    <>
      <a class="link" href={`/pay/invoices/${invoice.id}`} safe>
        {invoice.number ?? 'Document'}
      </a>
      {'. '}
    </>
  ) : (
    <></>
  )

const changes: Record<string, EventWords | undefined> = {
  createCustomer: { title: 'Customer created', icon: 'user-plus' },
  updateCustomer: { title: 'Details changed', icon: 'pen-line' },
  archiveCustomer: { title: 'Archived', icon: 'pause' },
  restoreCustomer: { title: 'Restored', icon: 'undo-2' },
  deleteCustomer: { title: 'Personal data deleted', icon: 'trash-2' },
  createPaymentMethodSetup: { title: 'Page to save a card created', icon: 'credit-card' },
  setDefaultPaymentMethod: { title: 'Default payment method changed', icon: 'star' },
  removePaymentMethod: { title: 'Payment method removed', icon: 'credit-card' },
}

function wordsOf(entry: CustomerActivity): EventWords {
  const { source, kind, facts, currency } = entry
  if (source === 'customer') return changes[kind] ?? { title: 'Changed', icon: 'pen-line' }
  if (source === 'order') return describeEvent(entry, currency ?? '')
  const amount = typeof facts['amount'] === 'number' ? money(facts['amount'], currency ?? '') : ''
  return { title: `${kind === 'invoice' ? 'Invoice' : 'Credit note'} of ${amount} issued`, icon: 'file-text' }
}
