import type { Children } from '@kitajs/html'
import type { EntitlementState, OrganizationDetail, ProofMethods } from '#identity/types'
import { ChangedOrganizationInFrame } from '#views/shell/navigation.tsx'
import { ButtonLink } from '#views/ui/button.tsx'
import { Form, SaveFooter, ZoneChoice } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { LogoButtons, LogoForms, LogoRow } from '#views/ui/logo.tsx'
import { PlanNotice } from '#views/ui/plan-notice.tsx'
import { PlanSection } from './plan.tsx'
import { CopyRow, RowField, SettingRow } from './setting-rows.tsx'
import { SettingsSection } from '#views/ui/settings.tsx'
import { DeleteOrganization } from '../deletion/delete-organization.tsx'

export interface OrganizationSettingsProps {
  organization: OrganizationDetail
  entitlement: EntitlementState
  role: string
  /** Null for members who can’t delete the organization. */
  proofMethods: ProofMethods | null
}

export const OrganizationSettings = ({ organization, entitlement, role, proofMethods }: OrganizationSettingsProps) => (
  <div class="page settings">
    <PlanNotice standing={entitlement.standing} role={role} />
    <OrganizationSection organization={organization} />
    <PlanSection entitlement={entitlement} />
    {organization.can.update && proofMethods ? <DangerZone organization={organization} ways={proofMethods} /> : null}
  </div>
)

interface OfOwner {
  organization: OrganizationDetail
  ways: ProofMethods
}

/** The response to a change of the name or slug: the section, the frame, and the dialog that asks for the name. */
export const RenamedOrganization = ({ organization, ways }: OfOwner) => (
  <>
    <OrganizationSection organization={organization} />
    <ChangedOrganizationInFrame organization={organization} />
    {organization.can.delete ? (
      <hx-partial hx-target="#danger-zone" hx-swap="outerMorph">
        <DangerZone organization={organization} ways={ways} />
      </hx-partial>
    ) : null}
  </>
)

/** The response to a change of the logo. */
export const OrganizationSectionWithLogo = ({ organization }: { organization: OrganizationDetail }) => (
  <>
    <OrganizationSection organization={organization} />
    <ChangedOrganizationInFrame organization={organization} />
  </>
)

export const OrganizationSection = ({ organization }: { organization: OrganizationDetail }) => (
  <SettingsSection
    id="organization-section"
    title="Identity"
    text={`How ${organization.name} appears to its members and in URLs.`}
  >
    {organization.can.update ? (
      <>
        <Edit organization={organization} />
        <LogoForms
          of={organization}
          action={`/api/organizations/${organization.id}/logo`}
          sectionId="organization-section"
        />
      </>
    ) : (
      <Facts organization={organization} />
    )}
  </SettingsSection>
)

const Edit = ({ organization }: { organization: OrganizationDetail }) => (
  <Form
    class="card"
    hx-put={`/api/organizations/${organization.id}`}
    hx-target="#organization-section"
    hx-swap="outerMorph"
  >
    <ul class="list" aria-label="Identity">
      <Logo organization={organization}>
        <LogoButtons of={organization} />
      </Logo>
      <RowField
        label="Name"
        name="name"
        value={organization.name}
        autocomplete="organization"
        maxlength={100}
        required
      />
      <RowField
        label="Slug"
        name="slug"
        hint="Used in URLs and the API. Lowercase letters, numbers and hyphens."
        value={organization.slug}
        pattern="[a-z0-9][a-z0-9\-]{1,46}[a-z0-9]"
        maxlength={48}
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        required
      />
      <li>
        <span class="grow">
          <label for="timeZone">Time zone</label>
          <small id="timeZone-hint">The default for new brands.</small>
        </span>
        <ZoneChoice
          id="timeZone"
          name="timeZone"
          aria-describedby="timeZone-hint timeZone-error"
          {...(organization.timeZone !== null && { value: organization.timeZone })}
        />
        <p class="error" id="timeZone-error">
          <Icon name="circle-alert" />
          <span />
        </p>
      </li>
      <CopyRow label="ID" text={organization.id} />
    </ul>
    <SaveFooter />
  </Form>
)

const Logo = ({ organization, children }: { organization: OrganizationDetail; children?: Children }) => (
  <li id="organization-logo">
    <LogoRow of={organization} text="Shown to its members">
      {children}
    </LogoRow>
  </li>
)

const Facts = ({ organization }: { organization: OrganizationDetail }) => (
  <div class="card">
    <ul class="list" aria-label="Identity">
      <Logo organization={organization} />
      <SettingRow name="Name" text={organization.name} />
      <SettingRow name="Slug" text={organization.slug} />
      {organization.timeZone === null ? null : <SettingRow name="Time zone" text={organization.timeZone} />}
      <CopyRow label="ID" text={organization.id} />
    </ul>
    <footer>
      <small class="grow muted">Only owners can change this.</small>
    </footer>
  </div>
)

const DangerZone = ({ organization, ways }: OfOwner) => (
  <SettingsSection id="danger-zone" title="Danger zone" text="Only owners see this.">
    <div class="card">
      <ul class="list" aria-label="Danger zone">
        <SettingRow name="Transfer ownership" text="You stay as an admin. Only the new owner can transfer it back.">
          <ButtonLink label="Choose a member" size="sm" href="/settings/members" />
        </SettingRow>
        {organization.can.delete ? <DeleteOrganization organization={organization} ways={ways} /> : null}
      </ul>
    </div>
  </SettingsSection>
)
