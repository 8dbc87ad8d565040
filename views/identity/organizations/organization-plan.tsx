import type { AvailableApp, EntitlementState, InstalledApps } from '#identity/types'
import { Badge } from '#views/ui/marks.tsx'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Form } from '#views/ui/form.tsx'

interface OrganizationPlanProps {
  organizationId: string
  entitlement: EntitlementState
  installed: InstalledApps
  available: AvailableApp[]
}

export const OrganizationPlan = ({ organizationId, entitlement, installed, available }: OrganizationPlanProps) => (
  <div class="stack" id="plan-and-apps" style="--gap: var(--space-8)">
    <PlanSection entitlement={entitlement} />
    <InstalledAppsSection organizationId={organizationId} installed={installed} />
    <AvailableAppsSection organizationId={organizationId} available={available} />
  </div>
)

const replacesPlan = { 'hx-target': '#plan-and-apps', 'hx-swap': 'outerMorph' } as const

export const PlanSection = ({ entitlement }: Pick<OrganizationPlanProps, 'entitlement'>) => (
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
    <p class="muted small">Each person or agent uses one seat. Third-party apps don’t count.</p>
  </section>
)

export const InstalledAppsSection = ({
  organizationId,
  installed,
}: Pick<OrganizationPlanProps, 'organizationId' | 'installed'>) => (
  <section class="section" aria-labelledby="apps">
    <h2 id="apps">Apps</h2>
    <ul class="list" aria-label="Installed apps">
      {installed.items.map((app) => (
        <Line app={app}>
          {installed.can.remove && app.removable ? <Remove app={app} organizationId={organizationId} /> : <></>}
        </Line>
      ))}
    </ul>
  </section>
)

export const AvailableAppsSection = ({
  organizationId,
  available,
}: Pick<OrganizationPlanProps, 'organizationId' | 'available'>) =>
  available.length > 0 ? (
    <section class="section" aria-labelledby="offered">
      <h2 id="offered">More apps</h2>
      <ul class="list" aria-label="Available apps">
        {available.map((app) => (
          <Line app={app}>
            <Install app={app} organizationId={organizationId} />
          </Line>
        ))}
      </ul>
    </section>
  ) : (
    <></>
  )

const planName = ({ mode, paidAppCount }: EntitlementState): string => {
  if (mode === 'count') return `${paidAppCount ?? 'Selected'} paid apps`
  return mode === 'all' ? 'Everything' : 'Free'
}

const usage = (used: number, allowed: number | null): string =>
  allowed === null ? `${used}, unlimited` : `${used} of ${allowed}`

const Line = ({ app, children }: { app: AvailableApp; children: JSX.Element }) => (
  <li id={`app-${app.id}`}>
    <span class="grow">
      <span safe>{app.name}</span> {app.paid ? <Badge label="Paid" /> : null}
      <small class="wrap-anywhere" safe>
        {app.description}
      </small>
    </span>
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
        <Form hx-delete={`/api/organizations/${organizationId}/apps/${app.id}`} {...replacesPlan}>
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
  <Form hx-post={`/api/organizations/${organizationId}/apps`} {...replacesPlan}>
    <input type="hidden" name="serviceId" value={app.id} />
    <Button label="Install" aria-label={`Install ${app.name}`} size="sm" type="submit" />
  </Form>
)
