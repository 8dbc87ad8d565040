import type { SsoOrganization } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { TextField } from '#views/ui/form.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { DoorCard } from '../sign-in/door-card.tsx'
import { Next, withNext } from '../sign-in/next.tsx'
import { ProviderButtons } from '../sign-in/social-logins.tsx'

interface OrganizationSignInProps {
  slug?: string
  /** Null when no organization has single sign-on under that name. */
  organization: SsoOrganization | null
  next?: string
}

export const OrganizationSignIn = (props: OrganizationSignInProps) => (
  <>
    <OrganizationSignInCard {...props} />
    <footer>
      <a class="link" href={withNext('/login', props.next)}>
        Sign in another way
      </a>
    </footer>
  </>
)

export const OrganizationSignInCard = ({ slug, organization, next }: OrganizationSignInProps) => (
  <DoorCard
    title={organization ? `Sign in to ${organization.name}` : 'Use single sign-on'}
    lead={organization ? undefined : <>You’ll sign in with your organization’s own provider.</>}
  >
    {organization ? <ProviderButtons providers={[organization]} next={next} /> : <Search slug={slug} next={next} />}
  </DoorCard>
)

const Search = ({ slug, next }: Pick<OrganizationSignInProps, 'slug' | 'next'>) => (
  <form class="stack" action="/login/organization">
    {slug ? <Notice tone="warning" role="alert" text="No organization with this name has single sign-on." /> : null}
    <Next path={next} />
    <TextField
      label="Organization"
      name="slug"
      value={slug}
      hint="The organization’s slug, such as acme-coffee"
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
