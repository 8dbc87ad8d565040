import type { OrganizationDetail, OrganizationSso } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { TextField, Form } from '#views/ui/form.tsx'
import { SettingsSection } from '#views/ui/settings.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { CopyRow, SettingRow, statuses } from './setting-rows.tsx'

interface SingleSignOnFormsProps {
  organizationId: string
  sso: OrganizationSso | null
}

interface SingleSignOnProps {
  organization: OrganizationDetail
  sso: OrganizationSso | null
}

export const SingleSignOn = ({ organization: { id, slug, ssoCallbackUrl }, sso }: SingleSignOnProps) => (
  <SettingsSection
    id="single-sign-on"
    title="Single sign-on"
    text="Members sign in with your OpenID Provider. People with an email address at one of your verified domains join as viewers. Members you invited can connect it under Security. These sessions only give access to this organization."
  >
    <div class="stack">
      <SingleSignOnForms organizationId={id} sso={sso} />
      <details class="unfold">
        <summary>What your provider needs</summary>
        <div class="card">
          <ul class="list" aria-label="What your provider needs">
            <CopyRow label="Callback URL" text={ssoCallbackUrl ?? ''} />
            <CopyRow label="Sign-in page for members" text={signInUrl(slug, ssoCallbackUrl)} />
          </ul>
        </div>
      </details>
    </div>
  </SettingsSection>
)

const signInUrl = (slug: string, callbackUrl: string | null): string => {
  const path = `/login/organization?slug=${encodeURIComponent(slug)}`
  return callbackUrl ? new URL(path, callbackUrl).href : path
}

const replacesForms = { 'hx-target': '#sso', 'hx-swap': 'outerMorph' } as const
const dialog = 'sso-provider'

export const SingleSignOnForms = (props: SingleSignOnFormsProps) => (
  <div class="card" id="sso">
    {props.sso ? <Provider {...props} sso={props.sso} /> : <None />}
    <ProviderDialog {...props} />
  </div>
)

const None = () => (
  <Empty
    icon="log-in"
    small
    title="Use your own identity provider"
    text="Members sign in with your provider, and lose access when you remove them there."
  >
    <Button label="Set up single sign-on" variant="primary" size="sm" commandfor={dialog} command="show-modal" />
  </Empty>
)

interface WithProvider {
  organizationId: string
  sso: OrganizationSso
}

const Provider = ({ organizationId, sso }: WithProvider) => (
  <>
    <ul class="list" aria-label="Single sign-on">
      <SettingRow icon="key-round" name="Identity provider" text={sso.issuer}>
        <Button
          label="Edit"
          aria-label="Edit the identity provider"
          size="sm"
          commandfor={dialog}
          command="show-modal"
        />
      </SettingRow>
      <Requirement organizationId={organizationId} sso={sso} />
    </ul>
    <footer>
      <Form
        hx-delete={`/api/organizations/${organizationId}/sign-in`}
        hx-confirm="Remove single sign-on? Sessions that it opened end, and members sign in another way."
        {...replacesForms}
      >
        <Button label="Remove single sign-on" variant="quiet-danger" size="sm" type="submit" />
      </Form>
    </footer>
  </>
)

const Requirement = ({ organizationId, sso }: WithProvider) => (
  <SettingRow
    icon="lock"
    name="Require single sign-on"
    status={sso.required ? statuses.on : statuses.off}
    text="Owners are exempt, so they can’t get locked out."
  >
    <Form hx-put={`/api/organizations/${organizationId}/sign-in`} {...replacesForms}>
      <input type="hidden" name="issuer" value={sso.issuer} />
      <input type="hidden" name="clientId" value={sso.clientId} />
      <input type="hidden" name="required" value={String(!sso.required)} />
      <Button
        label={sso.required ? 'Make optional' : 'Require'}
        aria-label={sso.required ? 'Make single sign-on optional' : 'Require single sign-on'}
        id="require-sso"
        size="sm"
        type="submit"
      />
    </Form>
  </SettingRow>
)

const ProviderDialog = ({ organizationId, sso }: SingleSignOnFormsProps) => (
  <Dialog id={dialog} title={sso ? 'Edit the identity provider' : 'Set up single sign-on'}>
    <Form hx-put={`/api/organizations/${organizationId}/sign-in`} {...replacesForms}>
      <div class="body">
        <TextField
          label="Issuer"
          name="issuer"
          type="url"
          value={sso?.issuer}
          hint="For example, https://login.acme.com"
          autocomplete="off"
          required
          autofocus
        />
        <TextField
          label="Client ID"
          name="clientId"
          value={sso?.clientId}
          maxlength={200}
          autocomplete="off"
          required
        />
        <TextField
          label="Client secret"
          name="clientSecret"
          type="password"
          hint={sso ? 'Leave empty to keep the current secret' : undefined}
          maxlength={500}
          autocomplete="off"
          required={!sso}
        />
        {sso?.required ? <input type="hidden" name="required" value="true" /> : null}
      </div>
      <DialogButtons dialog={dialog} submit="Save" />
    </Form>
  </Dialog>
)
