import type { PostReviews, ReviewChange } from '#social/types'
import { timeText } from '#views/ui/time.tsx'
import type { Place } from '../posts/post-text.ts'
import { fieldNames, nameOf } from './review-text.ts'

interface ChangesProps extends Pick<PostReviews, 'changes' | 'lastApproval'> {
  place: Place
  /** The network, when several are shown together. */
  network?: string
}

/** What differs from the approved content, word by word. */
export const Changes = ({ changes, lastApproval, place, network }: ChangesProps) =>
  lastApproval ? (
    <Versions
      changes={changes}
      before={`approved by ${nameOf(lastApproval.by)}, ${timeText(lastApproval.at, place.zone, 'full')}`}
      now={network ? `Now, on ${network}` : 'Now'}
    />
  ) : (
    <></>
  )

interface VersionsProps {
  changes: readonly ReviewChange[]
  /** Of what is compared: follows the name of the field. */
  before: string
  now: string
}

/** Each changed field before and now. */
export const Versions = ({ changes, before, now }: VersionsProps) => (
  <>
    {changes.map((change) => (
      <div class="versions">
        <div class="version">
          <small class="muted" safe>
            {`${fieldNames[change.field]}, ${before}`}
          </small>
          <Parts change={change} without="added" />
        </div>
        <div class="version">
          <small class="muted" safe>
            {now}
          </small>
          <Parts change={change} without="removed" />
        </div>
      </div>
    ))}
  </>
)

const Parts = ({ change, without }: { change: ReviewChange; without: 'added' | 'removed' }) => (
  <p class="prose wrap-anywhere">
    {change.parts
      .filter(({ kind }) => kind !== without)
      .map(({ kind, text }) =>
        kind === 'added' ? (
          <ins safe>{text}</ins>
        ) : kind === 'removed' ? (
          <del safe>{text}</del>
        ) : (
          <span safe>{text}</span>
        ),
      )}
    {(without === 'added' ? change.before : change.after) === null ? <span class="muted">None</span> : null}
  </p>
)
