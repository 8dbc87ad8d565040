import { Icon } from '#views/ui/icon.tsx'
import { appIcon } from '#views/ui/marks.tsx'
import { launching } from '#views/ui/launching.ts'
import { Button } from '#views/ui/button.tsx'
import { Menu, MenuItem } from '#views/ui/overlays.tsx'
import { WidgetAge } from './age.tsx'
import { sizes } from './sizes.ts'
import { widgetId, type GridWidget, type WidgetItem } from './types.ts'
import { WidgetBody } from './widget-card.tsx'

interface WidgetCardProps {
  widget: GridWidget
  item: WidgetItem | undefined
}

/** The frame of a widget: it stays while its content is replaced. */
export const WidgetCard = ({ widget, item }: WidgetCardProps) => {
  const { app, name, icon, href, columns, hidden, topics } = widget
  const id = widgetId(app)
  const problem = `${id}-problem`
  const isOwn = app === 'platform-dashboard-api'
  const launch = isOwn ? {} : launching({ app, surface: 'widget', problem })
  return (
    <section
      class="card widget"
      id={id}
      data-app={app}
      style={`--cols: ${columns}`}
      hidden={hidden}
      aria-labelledby={`${id}-name`}
      data-live={topics.join(' ')}
      data-reads
      hx-post="/api/widgets"
      hx-vals={JSON.stringify({ 'apps[]': app })}
      hx-trigger={hidden || item ? 'live, refresh' : 'load, live, refresh'}
      hx-target="find .body"
      hx-swap="outerMorph"
    >
      <header>
        <h2>
          <span data-handle>
            <Icon name={isOwn ? 'inbox' : appIcon(icon)} />
          </span>
          <a id={`${id}-name`} href={isOwn ? href : `/launch/${app}`} {...launch} safe>
            {name}
          </a>
        </h2>
        <WidgetAge app={app} item={item} />
        <Button label={`Widget ${name}`} icon="ellipsis" iconOnly variant="ghost" popovertarget={`${id}-menu`} />
        <WidgetMenu id={`${id}-menu`} columns={columns} />
      </header>
      <div class="form-problem" id={problem} />
      {item ? <WidgetBody item={item} /> : <Skeleton />}
    </section>
  )
}

const WidgetMenu = ({ id, columns }: { id: string; columns: number }) => (
  <Menu id={id}>
    <MenuItem label="Move" icon="move" data-move />
    <MenuItem label="Refresh" icon="rotate-cw" data-retry />
    <MenuItem label="Hide" icon="eye-off" data-hide />
    <h3>Size</h3>
    {sizes.map((size) => (
      <button type="button" data-columns={size.columns} aria-current={size.columns === columns ? 'true' : undefined}>
        <Icon name="check" />
        <span>{size.label}</span>
      </button>
    ))}
  </Menu>
)

const Skeleton = () => (
  <div class="body" aria-busy="true">
    <span class="visually-hidden">Loading</span>
    <span class="skeleton" />
    <span class="skeleton" />
    <span class="skeleton" />
    <span class="skeleton" />
  </div>
)
