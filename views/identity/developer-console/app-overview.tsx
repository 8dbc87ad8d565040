import type { Children } from '@kitajs/html'
import type { AppReview, DeveloperApp, RequestableScope } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { AboutFields, PermissionFields, ScopeChoices, SignInFields } from './app-fields.tsx'
import { inPlace } from './app-place.ts'

export interface AppOverviewProps {
  app: DeveloperApp
  requestable: RequestableScope[]
  /** The latest review, of a rejected app. */
  rejection: AppReview | null
  notice?: Children
}

export const AppOverview = ({ app, requestable, rejection, notice }: AppOverviewProps) => (
  <div class="page settings">
    {notice}
    {app.status === 'submitted' ? (
      <Notice title="This app is under review" text="Withdraw the submission to edit it." />
    ) : null}
    {rejection ? <RejectionNotice app={app} rejection={rejection} /> : null}
    <AppSettings app={app} />
    {app.status === 'submitted' ? null : <EditDialogs app={app} requestable={requestable} />}
  </div>
)

interface RejectionProps {
  /** Links to its reviews. */
  app?: DeveloperApp
  rejection: AppReview
}

export const RejectionNotice = ({ app, rejection: { reason, decidedBy } }: RejectionProps) => (
  <Notice
    tone="warning"
    title={`${decidedBy?.name ?? 'A super admin'} rejected the app`}
    text={reason ? `“${reason}”` : undefined}
  >
    {app ? (
      <div class="actions">
        <ButtonLink label="Show the reviews" size="sm" href={`/developers/apps/${app.id}?tab=review`} />
      </div>
    ) : null}
  </Notice>
)

interface OfApp {
  app: DeveloperApp
}

const dialogs = {
  about: 'edit-about',
  signIn: 'edit-sign-in',
  permissions: 'edit-permissions',
  scopes: 'edit-scopes',
} as const

/** All that can be set, each with its dialog while the app isn't under review. */
export const AppSettings = ({ app }: OfApp) => (
  <>
    <Section app={app} id="about" title="About" text="What people see in the app switcher." label="Edit">
      <Row name="Name" value={app.name} />
      <Row name="Description" value={app.description} />
      <Row name="Address" value={app.webUrl} />
      <li>
        <span class="grow">
          Slug
          <small>
            <code safe>{app.slug}</code>, can’t be changed
          </small>
        </span>
      </li>
    </Section>
    <Section
      app={app}
      id="signIn"
      title="Sign-in"
      text="After signing in, people are only redirected to these exact URLs."
      label="Edit redirect URIs"
    >
      {app.redirectUris.length === 0 ? <NoRows text="No redirect URIs yet" /> : null}
      <>
        {app.redirectUris.map((uri) => (
          <li>
            <Icon name="arrow-up-right" />
            <span class="grow">
              <span class="wrap-anywhere" safe>
                {uri}
              </span>
              <small>{uri === app.handoffUri ? 'Redirect URI and hand-off URI' : 'Redirect URI'}</small>
            </span>
          </li>
        ))}
      </>
    </Section>
    <Section
      app={app}
      id="permissions"
      title="Permissions"
      text="The permissions that people and programs can have in your app. Each action requires one."
      label="Edit permissions"
    >
      {app.permissions.length === 0 ? <NoRows text="No permissions yet" /> : null}
      <>
        {app.permissions.map(({ permission, description }) => (
          <li>
            <span class="grow">
              <span class="wrap-anywhere" safe>
                {description}
              </span>
              <small>
                <code safe>{permission}</code>
              </small>
            </span>
          </li>
        ))}
      </>
    </Section>
    <Section
      app={app}
      id="scopes"
      title="Scopes"
      text="What its keys can do in other services, at most."
      label="Choose scopes"
    >
      {app.scopes.length === 0 ? <NoRows text="No scopes of other services" /> : null}
      <>
        {app.scopes.map((scope) => (
          <li>
            <Icon name="key-round" />
            <span class="grow">
              <code class="wrap-anywhere" safe>
                {scope}
              </code>
            </span>
          </li>
        ))}
      </>
    </Section>
  </>
)

interface SectionProps extends OfApp {
  id: keyof typeof dialogs
  title: string
  text: string
  /** Of the button that opens the dialog. */
  label: string
  children: Children
}

const Section = ({ app, id, title, text, label, children }: SectionProps) => (
  <section class="section" aria-labelledby={`app-${id}-heading`}>
    <header>
      <h2 id={`app-${id}-heading`} safe>
        {title}
      </h2>
      <p safe>{text}</p>
    </header>
    <div class="card">
      <ul class="list" aria-labelledby={`app-${id}-heading`}>
        {children}
      </ul>
      {app.status === 'submitted' ? null : (
        <footer>
          <Button
            id={`${dialogs[id]}-button`}
            label={label}
            icon="pen-line"
            size="sm"
            commandfor={dialogs[id]}
            command="show-modal"
          />
        </footer>
      )}
    </div>
  </section>
)

const Row = ({ name, value }: { name: string; value: string }) => (
  <li>
    <span class="grow">
      <span safe>{name}</span>
      <small class="wrap-anywhere" safe>
        {value}
      </small>
    </span>
  </li>
)

const NoRows = ({ text }: { text: string }) => (
  <li>
    <span class="grow muted" safe>
      {text}
    </span>
  </li>
)

const EditDialogs = ({ app, requestable }: Pick<AppOverviewProps, 'app' | 'requestable'>) => (
  <>
    <EditDialog app={app} id="about" title="About the app">
      <AboutFields app={app} />
    </EditDialog>
    <EditDialog app={app} id="signIn" title="Redirect URIs">
      <SignInFields app={app} />
    </EditDialog>
    <EditDialog app={app} id="permissions" title="Permissions of the app">
      <PermissionFields app={app} />
    </EditDialog>
    <EditDialog app={app} id="scopes" title="Scopes of other services">
      <ScopeChoices app={app} requestable={requestable} />
    </EditDialog>
  </>
)

const EditDialog = ({ app, id, title, children }: Pick<SectionProps, 'app' | 'id' | 'title' | 'children'>) => (
  <Dialog id={dialogs[id]} title={title}>
    <Form hx-patch={`/api/developers/apps/${app.id}`} {...inPlace}>
      <div class="body">{children}</div>
      <DialogButtons dialog={dialogs[id]} submit="Save" />
    </Form>
  </Dialog>
)
