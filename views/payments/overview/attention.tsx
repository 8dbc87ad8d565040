import type { PaymentsDashboard } from '#payments/types'
import { Empty } from '#views/ui/feedback.tsx'
import { Icon, type IconName } from '#views/ui/icon.tsx'
import { Badge } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { money } from '../money.ts'
import { ordersPath } from '../orders/filters.tsx'

type Item = PaymentsDashboard['attention'][number]

const attentionWords: Record<Item['kind'], { icon: IconName; title: (amount: string) => string }> = {
  dispute: { icon: 'shield-alert', title: (amount) => `Respond to a dispute of ${amount}` },
  refund_approval: { icon: 'users', title: (amount) => `Approve a refund of ${amount}` },
  refund_unknown: { icon: 'circle-help', title: (amount) => `Refund of ${amount}: outcome unknown` },
  payment_unknown: { icon: 'circle-help', title: (amount) => `Payment of ${amount}: outcome unknown` },
}

export const Attention = ({ dashboard: { attention } }: { dashboard: PaymentsDashboard }) => (
  <section class="card" aria-labelledby="attention">
    <header>
      <h2 id="attention">Needs attention</h2>
      <Badge label={attention.length} count />
    </header>
    {attention.length === 0 ? (
      <Empty
        icon="circle-check"
        title="Nothing to do"
        text="Disputes, refunds to approve and unknown outcomes appear here."
        small
      />
    ) : (
      <ul class="list" data-links style="--pad: var(--space-4)">
        {attention.map((item) => (
          <AttentionItem item={item} />
        ))}
      </ul>
    )}
  </section>
)

const AttentionItem = ({ item }: { item: Item }) => (
  <li>
    <Icon name={attentionWords[item.kind].icon} />
    <span class="grow">
      <a class="row-link" href={`${ordersPath}/${item.orderId}`} safe>
        {attentionWords[item.kind].title(money(item.amount, item.currency))}
      </a>
      <small class="wrap-anywhere">
        <span safe>{`Order ${item.orderNumber}`}</span>
        {item.at ? (
          <>
            {item.kind === 'dispute' ? ', due ' : ', next check '}
            <Time at={item.at} form="moment" />
          </>
        ) : null}
      </small>
    </span>
  </li>
)
