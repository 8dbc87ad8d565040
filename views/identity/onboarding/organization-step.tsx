import type { OwnInvitation, SlugSuggestion } from '#identity/types'
import type { StepFrame } from '#lib/onboarding-step.ts'
import { Button } from '#views/ui/button.tsx'
import { Form, TextField, ZoneField } from '#views/ui/form.tsx'
import { StepCard, StepFooter } from '#views/ui/step-card.tsx'
import { withArticle } from '../organizations/roles.ts'

interface OrganizationStepProps {
  /** Of an owner who comes back. */
  organization: { id: string; name: string; slug: string; timeZone: string | null } | null
  invitations: OwnInvitation[]
  frame: StepFrame
}

export const OrganizationStep = ({ organization, invitations, frame }: OrganizationStepProps) => (
  <>
    {invitations.map((invitation) => (
      <WaitingInvitation {...invitation} />
    ))}
    <StepCard title="Name your organization" lead="Your team works here. You can change all of it later." frame={frame}>
      <Form
        {...(organization
          ? { 'hx-put': `/api/organizations/${organization.id}` }
          : { 'hx-post': '/api/organizations' })}
      >
        <div class="stack" style="--gap: var(--space-5)">
          <TextField
            label="Name"
            name="name"
            id="onboarding-name"
            value={organization?.name}
            autocomplete="organization"
            maxlength={100}
            required
            autofocus
          />
          <SlugField slug={organization?.slug} />
          <ZoneField
            label="Time zone"
            name="timeZone"
            id="onboarding-organization-zone"
            hint="The default for new brands."
            value={organization?.timeZone ?? undefined}
          />
        </div>
        <StepFooter frame={frame} submit="Continue" />
      </Form>
    </StepCard>
  </>
)

const slugStatus = 'slug-status'

const SlugField = ({ slug }: { slug?: string }) => (
  <div class="stack" style="--gap: var(--space-1)">
    <TextField
      label="Short name"
      name="slug"
      id="onboarding-slug"
      value={slug}
      hint={
        slug
          ? 'Lowercase letters, digits and hyphens'
          : 'Lowercase letters, digits and hyphens. Made from the name if empty.'
      }
      autocomplete="off"
      spellcheck="false"
      maxlength={48}
      required={slug !== undefined}
      hx-get="/api/organization-slugs"
      hx-trigger="input changed delay:400ms"
      hx-target={`#${slugStatus}`}
      hx-swap="outerHTML"
      hx-sync="this:replace"
    />
    <p id={slugStatus} role="status" />
  </div>
)

const refusals = {
  taken: 'is taken.',
  reserved: 'is reserved.',
  invalid: 'must be 3 to 48 lowercase letters, digits or hyphens.',
}

export const SlugStatus = ({ slug, reason, suggestion }: SlugSuggestion) => (
  <p id={slugStatus} role="status" class="small muted wrap-anywhere">
    {reason === 'empty' ? null : reason === 'available' ? (
      <span safe>{`${slug} is available.`}</span>
    ) : (
      <span safe>{`${slug} ${refusals[reason]}${suggestion === null ? '' : ` ${suggestion} is available.`}`}</span>
    )}
  </p>
)

const WaitingInvitation = ({ id, organization, role, inviter }: OwnInvitation) => (
  <div class="card">
    <header>
      <h2 class="wrap-anywhere" safe>{`Join ${organization}`}</h2>
      <p class="muted wrap-anywhere" safe>
        {`${inviter ?? 'An owner'} invited you as ${withArticle(role)}.`}
      </p>
    </header>
    <Form hx-post={`/api/auth/me/invitations/${id}/accept`}>
      <Button label={`Join ${organization}`} variant="primary" block type="submit" />
    </Form>
  </div>
)
