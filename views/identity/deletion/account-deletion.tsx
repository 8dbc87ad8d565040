import type { CancelableAccountDeletion } from '#identity/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { timeText, viewerZone } from '#views/ui/time.tsx'
import { Choices, DoorCard } from '../sign-in/door-card.tsx'

interface AccountDeletionProps {
  /** Null for a browser that hasn’t just signed in. */
  deletion: CancelableAccountDeletion | null
}

export const AccountDeletion = ({ deletion }: AccountDeletionProps) =>
  deletion ? (
    <AccountDeletionCard deletion={deletion} />
  ) : (
    <DoorCard title="Sign in to continue" lead={<>Sign in to see or cancel the deletion of your account.</>}>
      <ButtonLink label="Sign in" variant="primary" size="lg" block href="/login" />
    </DoorCard>
  )

export const AccountDeletionCard = ({ deletion }: { deletion: CancelableAccountDeletion }) => (
  <DoorCard title={`Your account will be deleted on ${timeText(deletion.deletesAt, viewerZone(), 'longDay')}`}>
    <p class="wrap-anywhere" safe>
      {`You’re signed out everywhere, and API keys that you created don’t work. On that day, the personal data of ${deletion.email} will be permanently deleted.`}
    </p>
    <Choices>
      <Form hx-delete="/api/auth/me/deletion">
        <Button label="Cancel deletion" variant="primary" size="lg" block type="submit" />
      </Form>
      <ButtonLink label="Use another account" variant="ghost" size="lg" block href="/login" />
    </Choices>
  </DoorCard>
)
