import type { MagicLink as Link } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Avatar } from '#views/ui/marks.tsx'
import { Time } from '#views/ui/time.tsx'
import { Choices, DoorCard } from './door-card.tsx'

interface MagicLinkProps {
  token: string
  /** Null when the link was used or has expired. */
  link: Link | null
}

export const MagicLink = ({ token, link }: MagicLinkProps) =>
  link ? (
    <>
      <MagicLinkForm token={token} link={link} />
      <footer>
        <a class="link" href="/login">
          Sign in another way
        </a>
      </footer>
    </>
  ) : (
    <ExpiredLink />
  )

interface MagicLinkFormProps extends MagicLinkProps {
  link: Link
}

export const MagicLinkForm = ({ token, link }: MagicLinkFormProps) => (
  <DoorCard title="Sign in to Atrium" lead={<>One more click, so that an email scanner can’t use up your link.</>}>
    <div class="row">
      <Avatar name={link.name} seed={link.email} size="xl" />
      <span class="grow">
        <span safe>{link.name}</span>
        <small class="wrap-anywhere" safe>
          {link.organization ? `${link.email} in ${link.organization}` : link.email}
        </small>
      </span>
    </div>
    {link.firstOpenedAt ? <OpenedBefore at={link.firstOpenedAt} /> : null}
    <Form class="stack" hx-post="/magic-link/consume">
      <input type="hidden" name="token" value={token} />
      <Button label={`Sign in as ${link.name}`} variant="primary" size="lg" block type="submit" />
    </Form>
  </DoorCard>
)

const ExpiredLink = () => (
  <DoorCard
    title="This link is no longer valid"
    icon="timer-off"
    lead={<>It has expired or was already used. Your account is fine.</>}
  >
    <Choices>
      <ButtonLink label="Email me a new link" variant="primary" size="lg" block href="/login/link" />
      <ButtonLink label="Sign in with a password" size="lg" block href="/login" />
    </Choices>
  </DoorCard>
)

const OpenedBefore = ({ at }: { at: string }) => (
  <Notice tone="info">
    <p>
      This link was already opened, <Time at={at} />. Email programs sometimes do this to scan for threats. If you
      didn’t request it, close this page.
    </p>
  </Notice>
)
