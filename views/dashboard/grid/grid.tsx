import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Menu, MenuItem } from '#views/ui/overlays.tsx'
import { WidgetCard } from './card.tsx'
import type { GridWidget, WidgetItem } from './types.ts'

interface GridProps {
  widgets: readonly GridWidget[]
  version: number
  can: { updateDefault: boolean }
  /** Those that needn’t load. */
  loaded?: readonly WidgetItem[]
}

export const Grid = ({ widgets, version, can, loaded = [] }: GridProps) => (
  <>
    <h1 class="visually-hidden">Dashboard</h1>
    <widget-grid class="widgets" data-version={version}>
      {widgets.map((widget) => (
        <WidgetCard widget={widget} item={loaded.find(({ app }) => app === widget.app)} />
      ))}
      <template>
        <div class="body">
          <p class="muted">Couldn’t load this widget.</p>
          <div class="actions">
            <Button label="Try again" icon="rotate-cw" size="sm" data-retry />
          </div>
        </div>
      </template>
    </widget-grid>
    <p class="visually-hidden" role="status" id="grid-news" />
    {widgets.length === 0 ? <NoApps /> : <BelowWidgets widgets={widgets} version={version} can={can} />}
    <noscript>
      <p class="page muted">Widgets need JavaScript. Each name leads to its app.</p>
    </noscript>
  </>
)

const NoApps = () => (
  <Empty icon="layout-grid" title="No widgets yet" text="The apps of your organization show here what is going on.">
    <ButtonLink label="Show apps" href="/apps" />
  </Empty>
)

/** The hidden ones when there are some, and what can be done with a layout that the person arranged. */
const BelowWidgets = ({ widgets, version, can }: GridProps) => {
  const count = widgets.filter(({ hidden }) => hidden).length
  return (
    <>
      <div id="all-hidden" hidden={count < widgets.length}>
        <Empty
          icon="eye-off"
          title="All widgets are hidden"
          text="Show them again from the menu below, or open an app."
        >
          <ButtonLink label="Show apps" href="/apps" />
        </Empty>
      </div>
      <div class="below-widgets">
        <div id="hidden-widgets" hidden={count === 0}>
          <Button label={`Hidden widgets (${count})`} variant="ghost" icon="eye-off" popovertarget="hidden-menu" />
          <Menu id="hidden-menu">
            {widgets.map(({ app, name, hidden }) => (
              <MenuItem label={`Show ${name}`} icon="eye" data-show={app} hidden={!hidden} />
            ))}
          </Menu>
        </div>
        <div id="own-layout" hidden={version === 0}>
          <Button label="Layout" variant="ghost" icon="layout-grid" popovertarget="layout-menu" />
          <Menu id="layout-menu">
            <MenuItem label="Reset to default" icon="rotate-cw" data-reset-layout />
            {can.updateDefault ? <MenuItem label="Use as default" icon="users" data-use-as-default /> : null}
          </Menu>
        </div>
      </div>
    </>
  )
}
