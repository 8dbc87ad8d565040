import type { AvailableApp, InstalledApps } from '#identity/types'
import { Badge } from '#views/ui/marks.tsx'
import { Button } from '#views/ui/button.tsx'
import { PlainAppMark } from '#views/ui/page-header.tsx'
import { SettingName } from '#views/ui/settings.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Form } from '#views/ui/form.tsx'

export interface AppsProps {
  organizationId: string
  installed: InstalledApps
  /** Empty for members who can’t install them. */
  available: AvailableApp[]
}

export const Apps = (props: AppsProps) => (
  <div class="page stack" style="--measure: 60rem">
    <OrganizationApps {...props} />
  </div>
)

/** The identity service has no pages that people open as an app. */
const isOpened = ({ slug }: { slug: string }): boolean => slug !== 'platform-identity'

/** An app changes both lists. */
export const OrganizationApps = ({ organizationId, installed, available }: AppsProps) => (
  <div class="stack" id="organization-apps" style="--gap: var(--space-8)">
    <InstalledAppsSection organizationId={organizationId} installed={installed} />
    <AvailableAppsSection organizationId={organizationId} available={available} />
  </div>
)

const replacesApps = { 'hx-target': '#organization-apps', 'hx-swap': 'outerMorph' } as const

export const InstalledAppsSection = ({
  organizationId,
  installed,
}: Pick<AppsProps, 'organizationId' | 'installed'>) => (
  <section class="section" aria-labelledby="apps">
    <header>
      <h2 id="apps">Installed</h2>
    </header>
    <ul class="list card" data-settings aria-label="Installed apps">
      {installed.items.filter(isOpened).map((app) => (
        <AppRow app={app}>
          {installed.can.remove && app.removable ? (
            <Remove app={app} organizationId={organizationId} />
          ) : (
            <small class="muted">Always included</small>
          )}
        </AppRow>
      ))}
    </ul>
  </section>
)

/** Nothing without any. */
export const AvailableAppsSection = ({
  organizationId,
  available,
}: Pick<AppsProps, 'organizationId' | 'available'>) => {
  const opened = available.filter(isOpened)
  if (opened.length === 0) return <></>
  return (
    <section class="section" aria-labelledby="offered">
      <header>
        <h2 id="offered">Available</h2>
      </header>
      <ul class="list card" data-settings aria-label="Available apps">
        {opened.map((app) => (
          <AppRow app={app}>
            <Install app={app} organizationId={organizationId} />
          </AppRow>
        ))}
      </ul>
    </section>
  )
}

const AppRow = ({ app, children }: { app: AvailableApp; children: JSX.Element }) => (
  <li id={`app-${app.id}`}>
    <PlainAppMark icon={app.icon} />
    <SettingName
      name={app.name}
      detail={<span safe>{app.description}</span>}
      badge={app.firstParty ? null : <Badge label="Third party" />}
    />
    {children}
  </li>
)

interface ActionProps {
  app: AvailableApp
  organizationId: string
}

const Remove = ({ app, organizationId }: ActionProps) => {
  const id = `remove-${app.slug}`
  return (
    <>
      <Button label="Remove" aria-label={`Remove ${app.name}`} size="sm" commandfor={id} command="show-modal" />
      <Dialog id={id} title={`Remove ${app.name}?`}>
        <Form hx-delete={`/api/organizations/${organizationId}/apps/${app.id}`} {...replacesApps}>
          <div class="body">
            <p>Members and API keys lose access to it. Its data is kept in case you install it again.</p>
          </div>
          <DialogButtons dialog={id} submit="Remove" danger focusCancel />
        </Form>
      </Dialog>
    </>
  )
}

const Install = ({ app, organizationId }: ActionProps) => (
  <Form hx-post={`/api/organizations/${organizationId}/apps`} {...replacesApps}>
    <input type="hidden" name="serviceId" value={app.id} />
    <Button label="Install" aria-label={`Install ${app.name}`} size="sm" type="submit" />
  </Form>
)
