import { Time } from '#views/ui/time.tsx'

interface DeletionStatusProps {
  code: string
  requestedAt: Date | string | null
}

export const DeletionStatus = ({ code, requestedAt }: DeletionStatusProps) => (
  <div class="stack">
    <h1>The data was deleted</h1>
    <p>
      The name, the IDs and the access of the Instagram account were deleted
      {requestedAt ? (
        <>
          {' '}
          on request of <Time at={requestedAt} />
        </>
      ) : null}
      . Backups that still contain them are deleted as they expire.
    </p>
    <p>
      Confirmation code: <code safe>{code}</code>
    </p>
  </div>
)
