import { Icon } from '#views/ui/icon.tsx'
import type { ComposerProps } from './composer.tsx'
import { PostPreview } from './post-preview.tsx'

/** What the networks will show, one account below the other. */
export const ComposerPreview = ({ accounts, brand, post }: ComposerProps) => (
  <aside aria-label="Preview">
    <h2>Preview</h2>
    <p class="muted small" data-none>
      Choose an account to see the post there.
    </p>
    <>
      {accounts.map(({ connectionId, provider, name }) => (
        <div data-account={connectionId} hidden>
          <PostPreview network={provider} brand={brand} account={name} text={post?.text ?? ''} images={[]}>
            <footer hidden>
              <Icon name="list-tree" />
              <output />
            </footer>
          </PostPreview>
        </div>
      ))}
    </>
  </aside>
)
