import type { EntitlementState, InstalledApp } from '#identity/types'
import { Badge } from '#views/ui/badge.tsx'
import { Button } from '#views/ui/button.tsx'
import { Dialog } from '#views/ui/dialog.tsx'
import { Form } from '#views/ui/form.tsx'

type App = Omit<InstalledApp, 'installedAt'>

export interface OrganizationPlanProps {
  organizationId: string
  entitlement: EntitlementState
  installed: App[]
  /** What could be installed; nothing for those who may not. */
  offered: App[]
  /** Admins install and remove. */
  mayInstall: boolean
}

/** What an organization has paid for, and its apps. */
export const OrganizationPlan = ({ entitlement, offered, ...apps }: OrganizationPlanProps) => (
  <>
    <section class="section" aria-labelledby="plan">
      <h2 id="plan">Plan</h2>
      <dl class="facts">
        <dt>Plan</dt>
        <dd safe>{planName(entitlement)}</dd>
        <dt>Paid apps</dt>
        <dd safe>{usage(entitlement.used, entitlement.allowed)}</dd>
        <dt>Seats</dt>
        <dd safe>{usage(entitlement.seats.used, entitlement.seats.paid)}</dd>
      </dl>
      <p class="muted small">A seat is one person or one agent. Third-party apps never count.</p>
    </section>
    <section class="section" aria-labelledby="apps">
      <h2 id="apps">Apps</h2>
      <ul class="list" aria-label="Installed apps">
        {apps.installed.map((app) => (
          <Line app={app}>
            {apps.mayInstall && app.removable ? <Remove app={app} organizationId={apps.organizationId} /> : <></>}
          </Line>
        ))}
      </ul>
    </section>
    {offered.length > 0 ? (
      <section class="section" aria-labelledby="offered">
        <h2 id="offered">More apps</h2>
        <ul class="list" aria-label="Apps to install">
          {offered.map((app) => (
            <Line app={app}>
              <Install app={app} organizationId={apps.organizationId} />
            </Line>
          ))}
        </ul>
      </section>
    ) : null}
  </>
)

const planName = ({ mode, paidAppCount }: EntitlementState): string => {
  if (mode === 'count') return `${paidAppCount ?? 'Chosen'} paid apps`
  return mode === 'all' ? 'Everything' : 'Free'
}

const usage = (used: number, allowed: number | null): string =>
  allowed === null ? `${used}, unlimited` : `${used} of ${allowed}`

const Line = ({ app, children }: { app: App; children: JSX.Element }) => (
  <li>
    <span class="grow">
      <span safe>{app.name}</span> {app.paid ? <Badge label="Paid" /> : null}
      <small class="wrap-anywhere" safe>
        {app.description}
      </small>
    </span>
    {children}
  </li>
)

interface ActProps {
  app: App
  organizationId: string
}

const Remove = ({ app, organizationId }: ActProps) => {
  const id = `remove-${app.slug}`
  return (
    <>
      <Button label="Remove" aria-label={`Remove ${app.name}`} size="sm" commandfor={id} command="show-modal" />
      <Dialog id={id} title={`Remove ${app.name}?`}>
        <Form hx-delete={`/api/organizations/${organizationId}/apps/${app.id}`}>
          <div class="body">
            <p>Members and API keys lose access to it. Its data stays in case you install it again.</p>
          </div>
          <footer>
            <Button label="Cancel" variant="ghost" commandfor={id} command="close" autofocus />
            <Button label="Remove" variant="danger" type="submit" />
          </footer>
        </Form>
      </Dialog>
    </>
  )
}

const Install = ({ app, organizationId }: ActProps) => (
  <Form hx-post={`/api/organizations/${organizationId}/apps`}>
    <input type="hidden" name="serviceId" value={app.id} />
    <Button label="Install" aria-label={`Install ${app.name}`} size="sm" type="submit" />
  </Form>
)
