import type { CalendarPost, PostDetails, Queue, QueueTime } from '#social/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Form, SelectField } from '#views/ui/form.tsx'
import { timeText, zoneName } from '#views/ui/time.tsx'
import { accountName, excerpt, networkNames, type Place } from '../posts/post-text.ts'
import { isSameAccount } from './same-account.ts'

interface MoveInQueueProps {
  post: PostDetails
  place: Place
  /** Around the post. */
  queue: Queue
  /** The queue that it leads back to. */
  backHref: string
  /** Why the form was refused, which without scripts is shown again. */
  problem?: string
}

/** A plain form: it works without scripts, and for the keyboard. */
export const MoveInQueue = ({ post, place: { zone, now }, queue, backHref, problem }: MoveInQueueProps) => {
  const listed = queue.items.flatMap(({ posts }) => posts).find(({ id }) => id === post.id)
  const slots = queue.items.filter(({ isSlot, at }) => isSlot && at !== post.scheduledAt)
  return (
    <>
      <header class="page-header">
        <h1>Move post to a slot</h1>
      </header>
      <div class="page" style="--measure: 32rem">
        <div class="stack">
          {problem ? <Notice tone="danger" role="alert" text={problem} /> : null}
          <p class="muted" safe>
            {`${networkNames[post.provider]}, ${accountName(post.provider, post.accountName)}: ${excerpt(post.text) || 'Post without text'}`}
          </p>
          {post.threadId ? <Notice text="The unpublished posts of its thread move with it." /> : null}
          {slots.length === 0 ? <Notice text="The brand has no other slot around this post." /> : null}
          <Form hx-post="/api/queue/moves" class="stack">
            <input type="hidden" name="postId" value={post.id} />
            <input type="hidden" name="version" value={String(post.version)} />
            {slots.length > 0 ? (
              <SelectField
                label="Slot"
                name="to"
                id="to"
                hint={`Times in ${zone} (${zoneName(now, zone)}). A post of the same account in the slot gets the time of this one.`}
                options={slots.map((slot) => ({ value: slot.at, label: nameOf(slot, zone, listed) }))}
                value={slots.find(({ at }) => at > (post.scheduledAt ?? ''))?.at}
              />
            ) : null}
            <div class="actions">
              {slots.length > 0 ? <Button label="Move" variant="primary" type="submit" /> : null}
              <ButtonLink label="Cancel" variant="ghost" href={backHref} />
            </div>
          </Form>
        </div>
      </div>
    </>
  )
}

function nameOf({ at, isFree, posts }: QueueTime, zone: string, moved: CalendarPost | undefined): string {
  const time = timeText(at, zone, 'moment')
  if (isFree) return `${time}, free`
  const swapped = moved && posts.find((post) => isSameAccount(post, moved))
  return swapped ? `${time}, swap with “${swapped.excerpt.slice(0, 40)}”` : `${time}, with other posts`
}
