import type { OwnOrganizationDeletion } from '#identity/types'
import { Button } from '#views/ui/button.tsx'
import { Empty, Notice } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { timeText, viewerZone } from '#views/ui/time.tsx'

interface OrganizationDeletionsProps {
  /** The person’s organizations with a scheduled deletion. */
  deletions: OwnOrganizationDeletion[]
}

const dayOf = (at: string): string => timeText(at, viewerZone(), 'longDay')

/** The person’s organizations that will be deleted, with date and cancellation. */
export const OrganizationDeletions = ({ deletions }: OrganizationDeletionsProps) => (
  <div class="page" style="--measure: 36rem">
    <ScheduledDeletions deletions={deletions} />
  </div>
)

/** A section for each scheduled deletion. */
export const ScheduledDeletions = ({ deletions }: OrganizationDeletionsProps) => (
  <div class="stack" id="deletions" style="--gap: var(--space-8)">
    {deletions.length > 0 ? (
      deletions.map((deletion) => <ScheduledDeletion deletion={deletion} />)
    ) : (
      <Empty icon="building-2" title="No deletions" text="None of your organizations is scheduled for deletion." />
    )}
  </div>
)

const ScheduledDeletion = ({ deletion }: { deletion: OwnOrganizationDeletion }) => (
  <section
    class="section"
    id={`scheduled-${deletion.organizationId}`}
    aria-labelledby={`deletion-${deletion.organizationId}`}
  >
    <h2 id={`deletion-${deletion.organizationId}`} class="wrap-anywhere" safe>
      {deletion.name}
    </h2>
    <Notice
      tone="danger"
      title={`Will be deleted on ${dayOf(deletion.deletesAt)}`}
      text={`Requested by ${deletion.requestedBy?.name ?? 'a deleted account'} on ${dayOf(deletion.requestedAt)}. Until then the organization is locked: scheduled posts aren’t published and API keys don’t work. Then everything is permanently deleted.`}
    />
    {deletion.can.cancel ? (
      <Form
        class="actions"
        hx-delete={`/api/organizations/${deletion.organizationId}/deletion`}
        hx-target="#deletions"
        hx-swap="outerMorph"
      >
        <Button label="Cancel deletion" variant="primary" type="submit" />
      </Form>
    ) : (
      <p class="muted">Only owners can cancel the deletion.</p>
    )}
  </section>
)
