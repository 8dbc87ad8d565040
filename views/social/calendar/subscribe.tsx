import type { CalendarFeed, NewCalendarFeed } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Form } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { ShownOnce } from '#views/ui/shown-once.tsx'
import { timeText, viewerZone } from '#views/ui/time.tsx'

export const subscribeDialog = 'subscribe'

interface SubscribeDialogProps {
  brand: { id: string; name: string }
  /** Of the reader, for this brand. */
  feeds: readonly CalendarFeed[]
}

export const SubscribeDialog = ({ brand, feeds }: SubscribeDialogProps) => (
  <Dialog id={subscribeDialog} title="Subscribe to the calendar">
    <Form hx-post="/api/calendar/feeds" hx-target="this" hx-swap="outerHTML">
      <input type="hidden" name="brandId" value={brand.id} />
      <div class="body">
        <p safe>
          {`Calendar programs, such as those of Google, Apple and Microsoft, show the posts of ${brand.name} at a secret address of yours. It works as long as you have access to the calendar.`}
        </p>
        <FeedList feeds={feeds} />
        {feeds.length > 0 ? (
          <p class="muted small">A new address replaces this one, which then stops working.</p>
        ) : null}
      </div>
      <DialogButtons dialog={subscribeDialog} submit={feeds.length > 0 ? 'Replace address' : 'Create address'} />
    </Form>
  </Dialog>
)

export const FeedList = ({ feeds }: { feeds: readonly CalendarFeed[] }) =>
  feeds.length > 0 ? (
    <ul class="list" aria-label="Calendar addresses">
      {feeds.map((feed) => (
        <li>
          <span class="grow">
            <span safe>{`Created ${timeText(feed.createdAt, viewerZone(), 'shortDay')}`}</span>
            <small class="muted">
              {feed.lastUsedAt ? `Last used ${timeText(feed.lastUsedAt, viewerZone(), 'moment')}` : 'Not used yet'}
            </small>
          </span>
          <Button
            label="Revoke"
            size="sm"
            variant="quiet-danger"
            hx-delete={`/api/calendar/feeds/${feed.id}`}
            hx-swap="none"
            hx-confirm="Revoke this address? Calendar programs that use it stop showing posts."
          />
        </li>
      ))}
    </ul>
  ) : (
    <></>
  )

export const CreatedFeed = ({ url, brandId }: NewCalendarFeed) => (
  <ShownOnce
    secret={url}
    title="Subscribe to the calendar"
    label="Your calendar address"
    copyLabel="Copy address"
    warning={{ title: 'Copy it now', text: 'You won’t be able to see it again. Atrium only stores a hash of it.' }}
    alreadyShown={{ title: 'This address was already shown', text: 'If you lost it, replace it.' }}
    done={`/workspace/calendar?brandId=${brandId}`}
  >
    <>
      Add it in your calendar program as a subscription by URL. Anyone who has it can read the posts, so keep it secret.
    </>
  </ShownOnce>
)
