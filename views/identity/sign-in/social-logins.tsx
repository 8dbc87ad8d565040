import type { ProofMethods, SignInProvider, Trouble, ConnectedIdentity } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Form } from '#views/ui/form.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Time } from '#views/ui/time.tsx'
import { Setting } from '#views/ui/settings.tsx'
import { Next } from './next.tsx'
import { ProofField } from './second-factor/proof-field.tsx'

export const ProviderButtons = ({ providers, next }: { providers: SignInProvider[]; next?: string }) => (
  <>
    {providers.map(({ id, name }) => (
      <Form hx-post={`/api/auth/sso/${id}`}>
        <Next path={next} />
        <Button label={`Continue with ${name}`} size="lg" block type="submit" />
      </Form>
    ))}
  </>
)

const words: Record<Trouble['reason'], (name: string) => string> = {
  denied: (name) => `${name} sign-in was canceled. Try again, or sign in another way.`,
  expired: () => 'This sign-in expired, or was started in another browser. Try again.',
  failed: (name) =>
    `We couldn’t verify the response from ${name}. Try again, or sign in another way. If this keeps happening, ask the administrator of ${name} to check its settings.`,
  unverified: (name) =>
    `${name} hasn’t verified your email address. Verify it there first, or sign up with a password.`,
  known: (name) =>
    `An account with your email address already exists. Sign in to it, then connect ${name} in your security settings.`,
  elsewhere: (name) =>
    `Your ${name} account is connected to another Atrium account. Disconnect it from that account first.`,
  unproven: (name) =>
    `${name} hasn’t verified the domain of your email address, so you can’t use its single sign-on. Ask an owner, or sign in another way.`,
  outsider: (name) => `${name} only accepts its own email addresses. Ask its owners to invite you.`,
}

export const SsoFailure = ({ trouble }: { trouble?: Trouble }) =>
  trouble ? (
    <Notice tone="warning" role="alert" text={words[trouble.reason](trouble.name)}>
      {trouble.request ? (
        <p class="small wrap-anywhere" safe>
          {`Reference for support: ${trouble.request}`}
        </p>
      ) : null}
    </Notice>
  ) : (
    <></>
  )

interface ProvidersProps {
  /** The providers that can be connected. */
  providers: SignInProvider[]
  identities: ConnectedIdentity[]
  ways: ProofMethods
}

const place = 'sign-in-providers'

/** The rows of the sign-in providers; none on a server without. */
export const Providers = ({ providers, identities, ways }: ProvidersProps) =>
  providers.length === 0 && identities.length === 0 ? (
    <></>
  ) : (
    <ul class="list" id={place} aria-label="Sign-in providers">
      <ConnectedProviders identities={identities} />
      <ConnectableProviders providers={providers} ways={ways} />
    </ul>
  )

export const ConnectedProviders = ({ identities }: Pick<ProvidersProps, 'identities'>) => (
  <>
    {identities.map(({ id, name, createdAt }) => (
      <Setting
        id={`identity-${id}`}
        icon="link"
        name={name}
        detail={
          <>
            Connected <Time at={createdAt} form="longDay" />
          </>
        }
      >
        <Form hx-delete={`/api/auth/identities/${id}`} hx-target={`#${place}`} hx-swap="outerMorph">
          <Button label="Disconnect" aria-label={`Disconnect ${name}`} size="sm" type="submit" />
        </Form>
      </Setting>
    ))}
  </>
)

export const ConnectableProviders = ({ providers, ways }: Pick<ProvidersProps, 'providers' | 'ways'>) => (
  <>
    {providers.map(({ id, name }) => (
      <Setting id={`provider-${id}`} icon="link" name={name} detail="Not connected">
        <Button
          label="Connect"
          aria-label={`Connect ${name}`}
          size="sm"
          commandfor={connecting(id)}
          command="show-modal"
        />
        <ConnectDialog id={id} name={name} ways={ways} />
      </Setting>
    ))}
  </>
)

const connecting = (id: string): string => `connect-${id}`

const ConnectDialog = ({ id, name, ways }: SignInProvider & { ways: ProofMethods }) => (
  <Dialog id={connecting(id)} title={`Connect ${name}?`}>
    <Form hx-post="/api/auth/identities">
      <input type="hidden" name="provider" value={id} />
      <div class="body">
        <p safe>{`You’ll be able to sign in with ${name}. First, confirm that it’s you.`}</p>
        <ProofField id={connecting(id)} ways={ways} autofocus />
      </div>
      <DialogButtons dialog={connecting(id)} submit="Continue" />
    </Form>
  </Dialog>
)
