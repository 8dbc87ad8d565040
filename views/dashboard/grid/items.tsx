import { capitalize } from '#lib/text.ts'
import { localDay } from '#lib/time.ts'
import { isNetwork, NetworkMark, StatusMark, type StatusLook } from '#views/ui/marks.tsx'
import { Time, viewerZone } from '#views/ui/time.tsx'
import { hrefIn } from './links.ts'
import type { WidgetItem } from './types.ts'

type Item = WidgetItem['payload']['items'][number]

/** Below a chart there is room for fewer. */
const maxShown = 4
const maxBelowChart = 2

export const Items = ({ item: { payload, href } }: { item: WidgetItem }) => (
  <ul class="list" data-links>
    {payload.items.slice(0, payload.series?.length ? maxBelowChart : maxShown).map((each) => (
      <ItemRow item={each} href={hrefIn(href, each.href)} />
    ))}
  </ul>
)

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
      <ItemState item={item} />
    </li>
  )
}

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
