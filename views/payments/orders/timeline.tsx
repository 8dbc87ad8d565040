import type { OrderDetails, OrderEvent, OrderMovement } from '#payments/types'
import { Icon } from '#views/ui/icon.tsx'
import { Time, TimesIn } from '#views/ui/time.tsx'
import { describeEvent } from './event-words.ts'
import { Movement, movementsOf } from './movements.tsx'

export const Timeline = ({ order }: { order: OrderDetails }) => {
  const movements = movementsOf(order)
  return (
    <section class="section" aria-labelledby="timeline">
      <header>
        <h2 id="timeline">Timeline</h2>
        <TimesIn />
      </header>
      <ol class="timeline">
        {order.timeline.map((event) => (
          <Event event={event} currency={order.currency} movements={movements.of(event)} />
        ))}
      </ol>
    </section>
  )
}

interface EventProps {
  event: OrderEvent
  currency: string
  movements: OrderMovement[]
}

const Event = ({ event, currency, movements }: EventProps) => {
  const { title, detail, icon, state } = describeEvent(event, currency)
  const by = event.byName ? `By ${event.byName}.` : null
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
          <Time at={event.at} form="moment" />
        </div>
        {detail || by ? (
          <small class="wrap-anywhere" safe>
            {[detail, by].filter(Boolean).join(' ')}
          </small>
        ) : null}
        {movements.map((movement) => (
          <Movement movement={movement} />
        ))}
      </div>
    </li>
  )
}
