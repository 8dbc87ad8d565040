import type { OwnOrganizationDeletion } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { Setting, SettingsSection } from '#views/ui/settings.tsx'
import { timeText, viewerZone } from '#views/ui/time.tsx'

interface ScheduledDeletionsProps {
  /** The person’s organizations with a scheduled deletion. */
  deletions: OwnOrganizationDeletion[]
}

const dayOf = (at: string): string => timeText(at, viewerZone(), 'longDay')

/** The person’s organizations that will be deleted, with date and cancellation. */
export const ScheduledDeletions = ({ deletions }: ScheduledDeletionsProps) => (
  <div class="page settings" id="deletions">
    {deletions.length > 0 ? (
      deletions.map((deletion) => <ScheduledDeletion deletion={deletion} />)
    ) : (
      <Empty icon="building-2" title="No deletions" text="None of your organizations is scheduled for deletion." />
    )}
  </div>
)

const ScheduledDeletion = ({ deletion }: { deletion: OwnOrganizationDeletion }) => (
  <SettingsSection
    id={`scheduled-${deletion.organizationId}`}
    title={deletion.name}
    text="Locked until its deletion: scheduled posts aren’t published, and API keys don’t work."
  >
    <div class="card">
      <ul class="list" aria-label={`Deletion of ${deletion.name}`}>
        <Setting
          icon="trash-2"
          name={`Will be deleted on ${dayOf(deletion.deletesAt)}`}
          detail={<span safe>{detailOf(deletion)}</span>}
        >
          {deletion.can.cancel ? (
            <Form
              hx-delete={`/api/organizations/${deletion.organizationId}/deletion`}
              hx-target="#deletions"
              hx-swap="outerMorph"
            >
              <Button label="Cancel deletion" variant="primary" size="sm" type="submit" />
            </Form>
          ) : null}
        </Setting>
      </ul>
    </div>
  </SettingsSection>
)

const detailOf = ({ requestedBy, requestedAt, can }: OwnOrganizationDeletion): string => {
  const requested = `Requested by ${requestedBy?.name ?? 'a deleted account'} on ${dayOf(requestedAt)}.`
  const next = can.cancel ? 'Nothing can be restored afterwards.' : 'Only owners can cancel it.'
  return `${requested} ${next}`
}
