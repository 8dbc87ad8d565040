import type { Post } from '#social/types'
import { Icon } from '#views/ui/icon.tsx'
import type { Account } from './composer-targets.tsx'
import { PostPreview } from './post-preview.tsx'

interface ComposerPreviewProps {
  accounts: Account[]
  brand: { id: string; name: string }
  post: Post | null
}

export const ComposerPreview = ({ accounts, brand, post }: ComposerPreviewProps) => (
  <aside aria-label="Preview" id="preview">
    <h2>Preview</h2>
    <p class="muted small" data-none>
      Select an account to preview.
    </p>
    <>
      {accounts.map(({ value, provider, name }) => (
        <div data-account={value} hidden>
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
