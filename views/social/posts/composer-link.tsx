import type { LinkPreview, Post } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Icon } from '#views/ui/icon.tsx'
import type { Account } from './composer-targets.tsx'

interface LinkPreviewFieldProps {
  accounts: Account[]
  post: Post | null
}

/** The card of a page below the post. Its script offers to add one for a link of the text, on networks that take it. */
export const LinkPreviewField = ({ accounts, post }: LinkPreviewFieldProps) => {
  const card = post?.linkPreview ?? null
  if (post && !card && accounts.every(({ limits }) => limits.linkPreview === null)) return <></>
  return (
    <fieldset
      class="field"
      id="link-preview"
      data-card={card ? JSON.stringify(card) : undefined}
      aria-describedby="link-preview-error"
      hidden={!card}
    >
      <legend>Link preview</legend>
      <div class="link-preview" data-shown hidden={!card}>
        <img alt="" hidden />
        <div class="grow">
          <b class="wrap-anywhere" data-title safe>
            {card?.title ?? ''}
          </b>
          <small class="muted wrap-anywhere" data-about safe>
            {aboutOf(card)}
          </small>
        </div>
        <Button label="Remove link preview" icon="x" iconOnly variant="ghost" size="sm" data-link="remove" />
      </div>
      {card ? (
        <noscript>
          <label class="check">
            <input type="checkbox" name="linkPreview.url" value="" />
            <span>Remove the link preview</span>
          </label>
        </noscript>
      ) : null}
      <div class="row" data-wrap>
        <Button label="Add link preview" icon="link" size="sm" data-link="add" hidden />
        <small class="muted truncate" data-url role="status" />
      </div>
      <p class="error" id="link-preview-error" role="status">
        <Icon name="circle-alert" />
        <span />
      </p>
    </fieldset>
  )
}

const aboutOf = (card: LinkPreview | null): string =>
  card ? [URL.parse(card.url)?.host, card.description].filter(Boolean).join(' · ') : ''
