import type { OwnSignIn } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { TextField } from '#views/ui/field.tsx'
import { Form } from '#views/ui/form.tsx'

export interface OwnSignInProps {
  organization: { id: string; slug: string }
  /** Null where there is none yet. */
  ownSignIn: OwnSignIn | null
  callbackUrl: string
}

/** The organization's own way to sign in. */
export const OwnSignInSection = ({ organization: { id, slug }, ownSignIn, callbackUrl }: OwnSignInProps) => (
  <section class="section stack" aria-labelledby="own-sign-in">
    <h2 id="own-sign-in">Single sign-on (OIDC)</h2>
    <p class="muted">
      Members sign in with your OpenID Provider. People with an address at one of your verified domains join as viewers.
      Members you invited can connect it under Security. These sessions work in this organization only.
    </p>
    <dl class="facts">
      <dt>Callback</dt>
      <dd class="mono wrap-anywhere" safe>
        {callbackUrl}
      </dd>
      <dt>Sign-in page</dt>
      <dd class="mono wrap-anywhere" safe>{`/login/organization?slug=${slug}`}</dd>
    </dl>
    <Form class="stack" hx-put={`/api/organizations/${id}/sign-in`}>
      <TextField
        label="Issuer"
        name="issuer"
        type="url"
        value={ownSignIn?.issuer}
        hint="Such as https://login.acme.com"
        autocomplete="off"
        required
      />
      <TextField
        label="Client id"
        name="clientId"
        value={ownSignIn?.clientId}
        maxlength={200}
        autocomplete="off"
        required
      />
      <TextField
        label="Client secret"
        name="clientSecret"
        type="password"
        hint={ownSignIn ? 'Leave it empty to keep the current one' : undefined}
        maxlength={500}
        autocomplete="off"
        required={!ownSignIn}
      />
      <label class="check">
        <input type="checkbox" name="required" value="true" checked={ownSignIn?.required} />
        <span>
          Require single sign-on
          <small class="muted">
            Members must sign in this way. Owners are exempt, so that they can’t be locked out
          </small>
        </span>
      </label>
      <div class="actions">
        <Button label="Save" variant="primary" type="submit" />
      </div>
    </Form>
    {ownSignIn ? (
      <Form hx-delete={`/api/organizations/${id}/sign-in`}>
        <Button label="Remove single sign-on" variant="quiet-danger" type="submit" />
      </Form>
    ) : null}
  </section>
)
