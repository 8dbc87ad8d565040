import type { ProviderEndpoint, ProviderEndpoints } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { Form, SelectField, TextField } from '#views/ui/form.tsx'
import { StatusMark } from '#views/ui/marks.tsx'
import { Dialog } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import { providerNames, scopeNames } from './words.ts'

export const endpointsDialog = 'signing-secrets'
const route = '/api/pay/webhook-endpoints'
const replaces = { 'hx-target': '#provider-endpoints', 'hx-swap': 'outerHTML' } as const

/** Loads the endpoints when it opens. */
export const EndpointsDialog = () => (
  <Dialog id={endpointsDialog} title="Signing secrets">
    <div id="provider-endpoints" class="body" hx-get={route} hx-trigger="intersect once" {...replaces} />
    <footer>
      <Button label="Close" variant="ghost" commandfor={endpointsDialog} command="close" />
    </footer>
  </Dialog>
)

/** Secrets are saved here, and never shown. */
export const Endpoints = ({ endpoints: { items, can } }: { endpoints: ProviderEndpoints }) => (
  <div id="provider-endpoints" class="body stack">
    {items.length > 0 ? (
      <>
        <p class="muted">
          Events are accepted only with a valid signature. Secrets are stored encrypted, and not shown again.
        </p>
        {items.map((endpoint) => (
          <Endpoint endpoint={endpoint} canUpdate={can.update} />
        ))}
      </>
    ) : (
      <p>
        No endpoint is registered at the payment provider yet.
        {can.register
          ? ' It is registered with the first payment, or here.'
          : ' It is registered with the first payment.'}
      </p>
    )}
    {can.register ? (
      <div class="actions">
        <Button
          id="register-endpoints"
          label={items.length > 0 ? 'Register again' : 'Register endpoints'}
          icon="webhook"
          hx-post={route}
          {...replaces}
        />
      </div>
    ) : null}
  </div>
)

const nameOf = ({ own, provider, mode, scope }: ProviderEndpoint): string =>
  `${own ? 'Your account' : 'The platform’s account'} at ${providerNames[provider]}, ${mode} mode, ${scopeNames[scope]}`

const Endpoint = ({ endpoint, canUpdate }: { endpoint: ProviderEndpoint; canUpdate: boolean }) => (
  <section class="section" aria-labelledby={`endpoint-${endpoint.id}`}>
    <h3 id={`endpoint-${endpoint.id}`} class="wrap-anywhere" safe>
      {nameOf(endpoint)}
    </h3>
    <dl class="facts">
      <dt>URL</dt>
      <dd>
        <code class="wrap-anywhere" safe>
          {endpoint.url}
        </code>
      </dd>
      <dt>Secret</dt>
      <dd>
        <SecretState endpoint={endpoint} />
      </dd>
      <dt>Last event</dt>
      <dd>{endpoint.lastEventAt ? <Time at={endpoint.lastEventAt} /> : 'None yet'}</dd>
    </dl>
    {canUpdate && endpoint.own ? <SecretForm endpoint={endpoint} /> : null}
  </section>
)

const SecretState = ({ endpoint: { hasSecret, previousSecretEndsAt } }: { endpoint: ProviderEndpoint }) => (
  <>
    {hasSecret ? (
      <StatusMark state="published" icon="circle-check" word="Saved" />
    ) : (
      <StatusMark state="waiting" icon="triangle-alert" word="Missing" />
    )}
    {previousSecretEndsAt ? (
      <small>
        {' '}
        The previous one is valid until <Time at={previousSecretEndsAt} />.
      </small>
    ) : null}
  </>
)

const overlaps = [
  { value: '0', label: 'Expires immediately' },
  { value: '1', label: 'Expires in 1 hour' },
  { value: '24', label: 'Expires in 1 day' },
  { value: '72', label: 'Expires in 3 days' },
]

const SecretForm = ({ endpoint: { id, hasSecret } }: { endpoint: ProviderEndpoint }) => (
  <Form hx-put={`${route}/${id}/secret`} {...replaces}>
    <div class="stack">
      <div class="fields">
        <TextField
          label={hasSecret ? 'New secret' : 'Secret'}
          name="secret"
          id={`secret-${id}`}
          type="password"
          required
          autocomplete="off"
          placeholder="whsec_…"
          hint="From the endpoint’s page at the provider."
        />
        {hasSecret ? (
          <SelectField label="Old secret" name="overlapHours" id={`overlap-${id}`} options={overlaps} value="24" />
        ) : (
          <></>
        )}
      </div>
      <div class="actions">
        <Button label={hasSecret ? 'Rotate secret' : 'Save secret'} type="submit" />
      </div>
    </div>
  </Form>
)
