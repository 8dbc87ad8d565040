import type { Brand, HashtagPlacement, Provider } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { networkNames } from './post-text.ts'
import type { Account } from './composer-targets.tsx'

export type SuggestedHashtags = Pick<Brand, 'defaultHashtags' | 'hashtagPlacements'>

interface HashtagSuggestionProps {
  accounts: Account[]
  brand: SuggestedHashtags
}

/** Offers the hashtags of the brand in a new post. Its script adds them to the text or the first comment. */
export const HashtagSuggestion = ({ accounts, brand }: HashtagSuggestionProps) => {
  const { defaultHashtags, hashtagPlacements } = brand
  if (defaultHashtags.length === 0) return <></>
  const providers = [...new Set(accounts.map(({ provider }) => provider))]
  const placedAt = (placement: HashtagPlacement): Provider[] =>
    providers.filter((provider) => (hashtagPlacements[provider] ?? 'text') === placement)
  const tags = defaultHashtags.join(' ')
  return (
    <hashtag-suggestion class="stack" style="--gap: .5rem" data-tags={tags}>
      <p class="small">
        <span class="muted">Hashtags of the brand: </span>
        <span class="wrap-anywhere" safe>
          {tags}
        </span>
      </p>
      <div class="row" data-wrap>
        <Add label="Add to the text" to="text" providers={placedAt('text')} />
        <Add label="Add to the first comment" to="comment" providers={placedAt('comment')} />
      </div>
    </hashtag-suggestion>
  )
}

const Add = ({ label, to, providers }: { label: string; to: HashtagPlacement; providers: Provider[] }) =>
  providers.length > 0 ? (
    <span class="row">
      <Button label={label} size="sm" data-to={to} data-providers={providers.join(' ')} />
      <small class="muted" safe>
        {providers.map((provider) => networkNames[provider]).join(', ')}
      </small>
    </span>
  ) : (
    <></>
  )
