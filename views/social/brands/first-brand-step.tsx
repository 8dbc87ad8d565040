import type { Brand, Integration } from '#social/types'
import type { StepFrame } from '#lib/onboarding-step.ts'
import { Button } from '#views/ui/button.tsx'
import { Form, ReadOnlyField, TextField, ZoneField } from '#views/ui/form.tsx'
import { LogoButtons, LogoForms, LogoRow } from '#views/ui/logo.tsx'
import { NetworkMark, StatusMark } from '#views/ui/marks.tsx'
import { StepCard, StepFooter, StepLinks } from '#views/ui/step-card.tsx'
import { ConnectDialog, opensConnect } from '../accounts/connect-dialog.tsx'
import { Unconnected, type UnconnectedProps } from '../accounts/unconnected.tsx'
import { brandHref } from './brand-switcher.tsx'

interface FirstBrandStepProps {
  /** The one that exists. */
  brand: Brand | null
  /** The networks that are offered for its accounts; null without permission to read accounts. */
  networks: Integration[] | null
  /** Of the organization. */
  timeZone: string | null
  /** Why a consent page led back without an account. */
  unconnected: UnconnectedProps | null
  frame: StepFrame
}

/** The page at this step, also once it is done. */
export const firstBrandPath = '/onboarding?step=brand'

export const FirstBrandStep = ({ brand, networks, timeZone, unconnected, frame }: FirstBrandStepProps) =>
  brand ? (
    <StepCard
      title="Your first brand is created"
      lead="Posts, accounts and the calendar belong to a brand."
      frame={frame}
    >
      <div class="form">
        {unconnected ? <Unconnected {...unconnected} /> : null}
        {brand.can.update ? (
          <div class="row" id="brand-logo" style="--gap: 1rem">
            <LogoRow of={brand} text="Shown with its name">
              <LogoButtons of={brand} />
            </LogoRow>
          </div>
        ) : null}
        <ReadOnlyField label="Name" id="onboarding-brand" value={brand.name} />
        <ReadOnlyField label="Time zone" id="onboarding-zone" value={brand.timeZone} />
        {networks ? <Networks brand={brand} networks={networks} /> : null}
        <StepLinks frame={frame} />
      </div>
      {brand.can.update ? (
        <LogoForms of={brand} action={`/api/brands/${brand.id}/logo`} sectionId="brand-settings" />
      ) : null}
      {networks
        ? networks
            .filter(({ can }) => can.connect)
            .map((integration) => <ConnectDialog integration={integration} brand={brand} />)
        : null}
    </StepCard>
  ) : (
    <StepCard title="Create your first brand" lead="Posts, accounts and the calendar belong to a brand." frame={frame}>
      <Form hx-post="/api/brands">
        <div class="stack">
          <TextField
            label="Name"
            name="name"
            id="onboarding-brand"
            required
            autofocus
            maxlength={80}
            autocomplete="off"
          />
          <ZoneField
            label="Time zone"
            name="timeZone"
            id="onboarding-zone"
            hint="Posts are scheduled in it."
            value={timeZone ?? undefined}
          />
        </div>
        <StepFooter frame={frame} submit="Create brand" />
      </Form>
    </StepCard>
  )

const Networks = ({ brand, networks }: { brand: Brand; networks: Integration[] }) => (
  <fieldset class="field">
    <legend>
      Connect an account <small class="muted">optional</small>
    </legend>
    <div class="card">
      <ul class="list" aria-label="Accounts">
        {networks.map((integration) => (
          <NetworkRow integration={integration} />
        ))}
      </ul>
      <footer>
        <a class="link small" href={brandHref('/workspace/accounts', brand)}>
          All networks
        </a>
      </footer>
    </div>
  </fieldset>
)

const NetworkRow = ({ integration: { provider, name, connections, attention, can } }: { integration: Integration }) => {
  const active = connections.filter((account) => account.active)
  return (
    <li>
      <NetworkMark network={provider} />
      <span class="grow">
        <span class="wrap-anywhere" safe>
          {name}
        </span>
        {active.length > 0 ? (
          <small class="wrap-anywhere" safe>
            {active.map(({ account }) => account.name).join(', ')}
          </small>
        ) : null}
        {attention ? <small safe>{attention}</small> : null}
      </span>
      {active.length > 0 ? (
        <StatusMark state="published" icon="circle-check" word="Connected" />
      ) : can.connect ? (
        <Button label="Connect" size="sm" aria-label={`Connect ${name}`} {...opensConnect(provider)} />
      ) : null}
    </li>
  )
}
