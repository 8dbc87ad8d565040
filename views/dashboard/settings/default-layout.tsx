import type { Dashboard, DashboardSettings } from '#dashboard/types'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Badge } from '#views/ui/marks.tsx'
import { Setting, SettingsSection } from '#views/ui/settings.tsx'
import { fieldsOfBody } from '../actions/fields-of-body.ts'
import { sizeName } from '../grid/sizes.ts'

export interface DashboardSettingsProps {
  settings: DashboardSettings
  /** As the viewer sees it. */
  dashboard: Dashboard
}

const place = 'default-layout'

export const DashboardSettingsPage = (props: DashboardSettingsProps) => (
  <div class="page settings">
    <DefaultLayout {...props} />
  </div>
)

export const DefaultLayout = ({ settings, settings: { widgets, can }, dashboard }: DashboardSettingsProps) => (
  <SettingsSection
    id={place}
    title="Default layout"
    text="How members see the dashboard until they arrange it themselves."
    actions={can.update ? <Changes settings={settings} dashboard={dashboard} /> : undefined}
  >
    <div class="card">
      <ul class="list" aria-label="Widgets of the default layout">
        {widgets.map(({ app, columns, hidden }) => (
          <Setting
            icon="layout-grid"
            name={dashboard.widgets.find((widget) => widget.app === app)?.name ?? app}
            badge={hidden ? <Badge label="Hidden" /> : undefined}
          >
            <small safe>{sizeName(columns)}</small>
          </Setting>
        ))}
      </ul>
      {widgets.length === 0 ? <p class="muted">No installed app has a widget yet.</p> : null}
    </div>
  </SettingsSection>
)

/** What the viewer arranged on the dashboard becomes the default. */
const Changes = ({ settings: { version, custom }, dashboard }: DashboardSettingsProps) => {
  const own = dashboard.widgets.map(({ app, columns, hidden }) => ({ app, columns, hidden }))
  return (
    <>
      {dashboard.version > 0 ? (
        <Change label="Use my layout" version={version} fields={fieldsOfBody({ widgets: own })} />
      ) : (
        <small>
          To change it, arrange your <a href="/dashboard">dashboard</a> first.
        </small>
      )}
      {custom ? <Change label="Use the usual layout" version={version} fields={[['widgets', '']]} /> : null}
    </>
  )
}

interface ChangeProps {
  label: string
  version: number
  fields: [name: string, value: string][]
}

const Change = ({ label, version, fields }: ChangeProps) => (
  <Form hx-put="/api/dashboard/settings" hx-target={`#${place}`} hx-swap="outerMorph">
    <input type="hidden" name="version" value={String(version)} />
    {fields.map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <Button label={label} size="sm" type="submit" />
  </Form>
)
