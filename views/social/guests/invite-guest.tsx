import type { NewReviewLink } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Form, SelectField, TextField } from '#views/ui/form.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { ShownOnce } from '#views/ui/shown-once.tsx'

interface InviteGuestProps {
  brandId: string
  /** At most 100. The guest sees these and no others. */
  postIds: readonly string[]
  /** When a page has several. */
  id?: string
}

/** A button with its dialog. For people who can review posts of the brand. */
export const InviteGuest = ({ brandId, postIds, id = 'invite-guest' }: InviteGuestProps) => (
  <>
    <Button label="Invite a guest" icon="link" commandfor={id} command="show-modal" />
    <Dialog id={id} title="Invite a guest">
      <Form hx-post="/api/review-links" hx-target="this" hx-swap="outerHTML">
        <input type="hidden" name="brandId" value={brandId} />
        <>
          {postIds.map((postId) => (
            <input type="hidden" name="postIds[]" value={postId} />
          ))}
        </>
        <div class="body stack">
          <p class="muted small" safe>
            {`Anyone with the link can see ${postIds.length === 1 ? 'this post and its comments' : `these ${postIds.length} posts and their comments`}, without an account. Send it to one person.`}
          </p>
          <TextField
            label="Guest’s name"
            name="guestName"
            id={`${id}-name`}
            maxlength="80"
            autocomplete="off"
            hint="Optional. Without it, the guest is asked once."
          />
          <SelectField
            label="Expires"
            name="expiresInDays"
            id={`${id}-days`}
            value="7"
            options={[1, 7, 30, 90].map((days) => ({
              value: String(days),
              label: days === 1 ? 'In 1 day' : `In ${days} days`,
            }))}
          />
          <label class="check">
            <input type="checkbox" name="canDecide" value="true" checked />
            <span>Can approve and request changes</span>
          </label>
          <Button
            label={`Show links to ${postIds.length === 1 ? 'this post' : 'these posts'}`}
            variant="ghost"
            size="sm"
            hx-get={linksHref(brandId, postIds)}
            hx-target={`#${id}-links`}
            hx-swap="innerHTML"
          />
        </div>
        <DialogButtons dialog={id} submit="Create link" />
      </Form>
      {/* Outside of the form, whose fields the buttons of the list would send. */}
      <div id={`${id}-links`} class="links" />
    </Dialog>
  </>
)

const linksHref = (brandId: string, postIds: readonly string[]): string =>
  `/api/review-links?${new URLSearchParams([['brandId', brandId], ...postIds.map((id) => ['postIds[]', id]), ['limit', '100']])}`

export const CreatedLink = ({ url, guestName, postIds }: NewReviewLink) => (
  <ShownOnce
    secret={url}
    title="Invite a guest"
    label="Review link"
    copyLabel="Copy link"
    warning={{ title: 'Copy it now', text: 'You won’t be able to see it again. Atrium only stores a hash of it.' }}
    alreadyShown={{ title: 'This link was already shown', text: 'If you lost it, revoke it and create another one.' }}
    done={`/workspace/posts/${postIds[0]}`}
  >
    <span safe>{`Send it to ${guestName ?? 'your guest'} yourself. You can revoke it at any time.`}</span>
  </ShownOnce>
)
