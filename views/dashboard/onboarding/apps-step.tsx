import type { Catalog, CatalogItem } from '#dashboard/types'
import type { StepFrame } from '#lib/onboarding-step.ts'
import { Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { StepCard, StepFooter } from '#views/ui/step-card.tsx'
import { appIcon } from '#views/ui/marks.tsx'

interface AppsStepProps {
  catalog: Catalog
  frame: StepFrame
}

export const AppsStep = ({ catalog, frame }: AppsStepProps) => (
  <StepCard
    title="Choose your apps"
    lead="Start with what you need today. You can add and remove apps anytime."
    frame={frame}
  >
    <Form hx-post="/api/onboarding/apps">
      <fieldset>
        <legend class="visually-hidden">Apps</legend>
        <input type="hidden" name="apps" value="" />
        <div class="choices">
          {catalog.items.map((app, at) => (
            <AppChoice app={app} isFirst={at === 0} />
          ))}
        </div>
      </fieldset>
      <p class="small muted" safe>
        {planText(catalog)}
      </p>
      <StepFooter frame={frame} submit="Continue" />
    </Form>
  </StepCard>
)

const AppChoice = ({ app, isFirst }: { app: CatalogItem; isFirst: boolean }) => {
  const { id, name, installed, can, icon } = app
  const canChange = installed ? can.uninstall : can.install
  return (
    <label class="card choice">
      <span class="app-mark" data-tone="plain">
        <Icon name={appIcon(icon)} />
      </span>
      <span class="grow wrap-anywhere">
        <span safe>{name}</span>
        <small safe>{noteOn(app)}</small>
      </span>
      <input type="checkbox" name="apps" value={id} checked={installed} disabled={!canChange} autofocus={isFirst} />
    </label>
  )
}

function noteOn({ description, installed, covered, can }: CatalogItem): string {
  if (installed && !can.uninstall) return 'Always included'
  return covered ? description : 'Not in your plan'
}

function planText({ plan }: Catalog): string {
  if (!plan || plan.allowed === null || plan.left === null) return 'Your plan has no limit on apps.'
  return `${plan.used} of ${plan.allowed} paid apps in use, ${plan.left} left.`
}
