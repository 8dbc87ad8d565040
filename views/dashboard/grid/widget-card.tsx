import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Time } from '#views/ui/time.tsx'
import { ageId, WidgetAge } from './age.tsx'
import { Items } from './items.tsx'
import { hrefIn } from './links.ts'
import { Metrics } from './metrics.tsx'
import { Series } from './series.tsx'
import type { WidgetItem } from './types.ts'

/** The contents of widgets, which replace those of their cards. */
export const WidgetCards = ({ items }: { items: readonly WidgetItem[] }) => (
  <>
    {items.map((item) => (
      <>
        <WidgetBody item={item} />
        <hx-partial hx-target={`#${ageId(item.app)}`} hx-swap="outerHTML">
          <WidgetAge app={item.app} item={item} />
        </hx-partial>
      </>
    ))}
  </>
)

export const WidgetBody = ({ item, item: { payload, state, error, name } }: { item: WidgetItem }) => (
  <div class="body" data-state={state}>
    {payload.metrics.length > 0 ? <Metrics item={item} /> : null}
    {payload.series?.some(({ points }) => points.some(({ value }) => Number(value) !== 0)) ? (
      <Series name={name} series={payload.series} />
    ) : null}
    {payload.items.length > 0 ? <Items item={item} /> : null}
    {isEmpty(item) ? <p class="muted">Nothing to show yet.</p> : null}
    {error ? <Fault item={item} detail={error.detail} /> : null}
    <Actions item={item} />
  </div>
)

const isEmpty = ({ state, payload: { metrics, items, series } }: WidgetItem): boolean =>
  state !== 'overview' && metrics.length + items.length + (series?.length ?? 0) === 0

const Fault = ({ item: { state, fetchedAt }, detail }: { item: WidgetItem; detail: string }) => (
  <small class="wrap-anywhere">
    <span safe>{detail}</span>
    {state === 'stale' ? (
      <span>
        &#32;Shown is what it said at <Time at={fetchedAt} form="time" />.
      </span>
    ) : null}
  </small>
)

const maxActions = 2

const Actions = ({ item: { payload, state, href } }: { item: WidgetItem }) => (
  <div class="actions">
    {state === 'overview' ? <Button label="Try again" icon="rotate-cw" size="sm" data-retry /> : null}
    {payload.actions.slice(0, maxActions).map((action) => (
      <ActionButton action={action} href={hrefIn(href, action.href)} />
    ))}
  </div>
)

interface ActionButtonProps {
  action: WidgetItem['payload']['actions'][number]
  href: string
}

/** What changes something is done in place, on this origin only. */
const ActionButton = ({ action: { label, method }, href }: ActionButtonProps) => {
  if (method === 'GET') return <ButtonLink label={label} size="sm" href={href} />
  if (!href.startsWith('/')) return <></>
  return <Button label={label} size="sm" {...{ [`hx-${method.toLowerCase()}`]: href }} hx-swap="none" />
}
