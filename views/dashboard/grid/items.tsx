import { capitalize } from '#lib/text.ts'
import { localDay } from '#lib/time.ts'
import { Button } from '#views/ui/button.tsx'
import { isNetwork, NetworkMark, StatusMark, type StatusLook } from '#views/ui/marks.tsx'
import { Time, viewerZone } from '#views/ui/time.tsx'
import { hrefIn } from './links.ts'
import type { WidgetItem } from './types.ts'

type Item = WidgetItem['payload']['items'][number]

/** Below a chart there is room for fewer. */
const maxShown = 4
const maxBelowChart = 2

export const Items = ({ item: { payload, href } }: { item: WidgetItem }) => (
  <ul class="list" data-links data-wrap={payload.items.some(({ actions }) => actions)}>
    {shownOf(payload).map((each) => (
      <ItemRow item={each} href={hrefIn(href, each.href)} />
    ))}
  </ul>
)

/** What a person can do here comes first, and doesn’t take the place of what failed. */
function shownOf({ items, series }: WidgetItem['payload']): Item[] {
  const others = items.filter(({ actions }) => !actions)
  return [...items.filter(({ actions }) => actions), ...others.slice(0, series?.length ? maxBelowChart : maxShown)]
}

const ItemRow = ({ item, href }: { item: Item; href: string }) => {
  const network = item.icon?.replace(/^net-/, '') ?? ''
  return (
    <li>
      {isNetwork(network) ? <NetworkMark network={network} /> : null}
      <span class="grow">
        <a class="row-link" href={href} safe>
          {item.title}
        </a>
        {item.subtitle ? (
          <small class="truncate" safe>
            {item.subtitle}
          </small>
        ) : null}
      </span>
      {item.actions ? <ItemActions actions={item.actions} title={item.title} /> : <ItemState item={item} />}
    </li>
  )
}

interface ItemActionsProps {
  actions: NonNullable<Item['actions']>
  title: string
}

/** Done in place: the widget is read again. */
const ItemActions = ({ actions, title }: ItemActionsProps) => (
  <span class="actions">
    {actions.map(({ label, method, href, body }) => (
      <Button
        label={label}
        size="sm"
        aria-label={`${label}: ${title}`}
        {...{ [`hx-${method.toLowerCase()}`]: href }}
        hx-vals={JSON.stringify(body)}
        hx-headers={JSON.stringify({ Prefer: 'return=minimal' })}
        hx-swap="none"
        data-refresh
      />
    ))}
  </span>
)

/** What needs a person is said in words, else the time. */
const ItemState = ({ item: { status, at } }: { item: Item }) => {
  const look = looks[status]
  const word = capitalize(status.replaceAll('_', ' '))
  if (look) return <StatusMark {...look} word={word} />
  if (!at) return <></>
  const isToday = localDay(new Date(at), viewerZone()) === localDay(new Date(), viewerZone())
  return (
    <small>
      <Time at={at} form={isToday ? 'time' : 'day'} />
    </small>
  )
}

const alarming = { state: 'failed', icon: 'circle-alert' } as const
const pending = { state: 'waiting', icon: 'hourglass' } as const

const looks: Readonly<Record<string, Omit<StatusLook, 'word'> | undefined>> = {
  failed: alarming,
  overdue: alarming,
  urgent: alarming,
  used_up: alarming,
  near: pending,
  unknown: pending,
  waiting: pending,
}
