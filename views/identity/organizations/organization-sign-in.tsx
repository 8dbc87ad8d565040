import { Button } from '#views/ui/button.tsx'
import { TextField } from '#views/ui/field.tsx'
import { Notice } from '#views/ui/notice.tsx'
import { DoorCard } from '../sign-in/door-card.tsx'
import { Next, withNext } from '../sign-in/next.tsx'
import { UpstreamButtons } from '../sign-in/social-logins.tsx'

interface OrganizationSignInProps {
  /** What was asked for. */
  slug?: string
  /** The organization of that slug, when it has a sign-in of its own. */
  organization?: { id: string; name: string }
  next?: string
}

/** Signing in by the provider of an organization. */
export const OrganizationSignIn = ({ slug, organization, next }: OrganizationSignInProps) => (
  <>
    <DoorCard title={organization ? `Sign in to ${organization.name}` : 'Sign in to your organization'}>
      {organization ? <UpstreamButtons providers={[organization]} next={next} /> : <Ask slug={slug} next={next} />}
    </DoorCard>
    <footer>
      <a class="link" href={withNext('/login', next)}>
        Sign in another way
      </a>
    </footer>
  </>
)

const Ask = ({ slug, next }: Pick<OrganizationSignInProps, 'slug' | 'next'>) => (
  <form class="stack" action="/login/organization">
    {slug ? <Notice tone="warning" role="alert" text="No organization with this name has single sign-on." /> : null}
    <Next path={next} />
    <TextField
      label="Organization"
      name="slug"
      value={slug}
      hint="Its name in URLs, such as acme-coffee"
      autocomplete="organization"
      autocapitalize="none"
      spellcheck="false"
      maxlength={48}
      required
      autofocus
    />
    <Button label="Continue" variant="primary" size="lg" block type="submit" />
  </form>
)
