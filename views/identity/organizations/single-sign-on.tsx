import type { OrganizationDetail, OrganizationSso } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { TextField, Form } from '#views/ui/form.tsx'

interface SingleSignOnFormsProps {
  organizationId: string
  sso: OrganizationSso | null
}

interface SingleSignOnProps {
  organization: OrganizationDetail
  sso: OrganizationSso | null
}

export const SingleSignOn = ({ organization: { id, slug, ssoCallbackUrl }, sso }: SingleSignOnProps) => (
  <section class="section stack" aria-labelledby="sso-title">
    <h2 id="sso-title">Single sign-on (OIDC)</h2>
    <p class="muted">
      Members sign in with your OpenID Provider. People with an email address at one of your verified domains join as
      viewers. Members you invited can connect it under Security. These sessions only give access to this organization.
    </p>
    <dl class="facts">
      <dt>Callback</dt>
      <dd class="mono wrap-anywhere" safe>
        {ssoCallbackUrl ?? ''}
      </dd>
      <dt>Sign-in page</dt>
      <dd class="mono wrap-anywhere" safe>{`/login/organization?slug=${slug}`}</dd>
    </dl>
    <SingleSignOnForms organizationId={id} sso={sso} />
  </section>
)

const replacesForms = { 'hx-target': '#sso', 'hx-swap': 'outerMorph' } as const

export const SingleSignOnForms = ({ organizationId, sso }: SingleSignOnFormsProps) => (
  <div class="stack" id="sso">
    <Form class="stack" hx-put={`/api/organizations/${organizationId}/sign-in`} {...replacesForms}>
      <TextField
        label="Issuer"
        name="issuer"
        type="url"
        value={sso?.issuer}
        hint="For example, https://login.acme.com"
        autocomplete="off"
        required
      />
      <TextField label="Client ID" name="clientId" value={sso?.clientId} maxlength={200} autocomplete="off" required />
      <TextField
        label="Client secret"
        name="clientSecret"
        type="password"
        hint={sso ? 'Leave empty to keep the current secret' : undefined}
        maxlength={500}
        autocomplete="off"
        required={!sso}
      />
      <label class="check">
        <input type="checkbox" name="required" value="true" checked={sso?.required} />
        <span>
          Require single sign-on
          <small class="muted">Members must use single sign-on. Owners are exempt so they can’t get locked out</small>
        </span>
      </label>
      <div class="actions">
        <Button label="Save" variant="primary" type="submit" />
      </div>
    </Form>
    {sso ? (
      <Form hx-delete={`/api/organizations/${organizationId}/sign-in`} {...replacesForms}>
        <Button label="Remove single sign-on" variant="quiet-danger" type="submit" />
      </Form>
    ) : null}
  </div>
)
