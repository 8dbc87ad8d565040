import type { ReviewLink } from '#social/types'
import { counted } from '#lib/text.ts'
import { Button } from '#views/ui/button.tsx'
import { timeText, viewerZone } from '#views/ui/time.tsx'

export const LinkList = ({ links }: { links: readonly ReviewLink[] }) =>
  links.length > 0 ? (
    <ul class="list" aria-label="Review links">
      {links.map((link) => (
        <LinkRow link={link} />
      ))}
    </ul>
  ) : (
    <p class="muted small">No guest has a link yet.</p>
  )

export const LinkRow = ({ link }: { link: ReviewLink }) => (
  <li id={`review-link-${link.id}`}>
    <span class="grow">
      <span class="wrap-anywhere" safe>
        {link.guestName ?? 'Not opened yet'}
      </span>
      <small class="muted" safe>
        {describe(link)}
      </small>
    </span>
    {link.state === 'revoked' ? null : (
      <>
        <Button
          label="Extend 7 days"
          size="sm"
          variant="ghost"
          aria-label={`Extend 7 days for ${link.guestName ?? 'a guest'}`}
          hx-patch={`/api/review-links/${link.id}`}
          hx-vals='{"expiresInDays": 7}'
          hx-target="closest li"
          hx-swap="outerHTML"
        />
        <Button
          label="Revoke"
          size="sm"
          variant="quiet-danger"
          aria-label={`Revoke for ${link.guestName ?? 'a guest'}`}
          hx-delete={`/api/review-links/${link.id}`}
          hx-target="closest li"
          hx-swap="outerHTML"
          hx-confirm="Revoke this link? It stops working at once, for everyone who has it."
        />
      </>
    )}
  </li>
)

function describe({ state, expiresAt, canDecide, postIds, lastUsedAt, requestedAt }: ReviewLink): string {
  const until = timeText(expiresAt, viewerZone(), 'moment')
  const word = { active: `Expires ${until}`, expired: `Expired ${until}`, revoked: 'Revoked' }[state]
  return [
    word,
    canDecide ? 'Can approve' : 'Can comment',
    counted(postIds.length, 'post'),
    lastUsedAt ? `Last used ${timeText(lastUsedAt, viewerZone(), 'moment')}` : null,
    requestedAt ? 'A new link was requested' : null,
  ]
    .filter(Boolean)
    .join(' · ')
}
