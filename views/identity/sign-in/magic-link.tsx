import type { MagicLink as Link } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Time } from '#views/ui/time.tsx'
import { DoorCard } from './door-card.tsx'

interface MagicLinkProps {
  token: string
  /** Null when the link was used or has expired. */
  link: Link | null
}

export const MagicLink = ({ token, link }: MagicLinkProps) =>
  link ? <MagicLinkForm token={token} link={link} /> : <ExpiredLink />

interface MagicLinkFormProps extends MagicLinkProps {
  link: Link
}

export const MagicLinkForm = ({ token, link }: MagicLinkFormProps) => (
  <DoorCard title="Sign in to Atrium">
    <p class="muted wrap-anywhere" safe>
      {link.organization ? `${link.email} in ${link.organization}` : link.email}
    </p>
    {link.firstOpenedAt ? <OpenedBefore at={link.firstOpenedAt} /> : null}
    <Form class="stack" hx-post="/magic-link/consume">
      <input type="hidden" name="token" value={token} />
      <Button label="Continue" variant="primary" size="lg" block type="submit" />
    </Form>
  </DoorCard>
)

const ExpiredLink = () => (
  <DoorCard title="This link is no longer valid">
    <p class="muted">It has expired or was already used. We can email you a new one.</p>
    <ButtonLink label="Email me a new link" variant="primary" size="lg" block href="/login/link" />
    <ButtonLink label="Sign in with a password" size="lg" block href="/login" />
  </DoorCard>
)

const OpenedBefore = ({ at }: { at: string }) => (
  <Notice tone="info">
    <p>
      This link was already opened, <Time at={at} />, perhaps by an email scanner. It still works. If you didn’t request
      it, close this page.
    </p>
  </Notice>
)
