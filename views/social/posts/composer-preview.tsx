import { assetUrl } from '#lib/assets.ts'
import type { Post } from '#social/types'
import type { Account } from './composer-targets.tsx'
import { PostPreview } from './post-preview.tsx'

interface ComposerPreviewProps {
  accounts: Account[]
  brand: { id: string; name: string }
  post: Post | null
}

export const ComposerPreview = ({ accounts, brand, post }: ComposerPreviewProps) => (
  <aside aria-label="Preview" id="preview" data-styles={assetUrl('css/screens/composer-networks.css')}>
    <h2>Preview</h2>
    <p class="muted small" data-none>
      Select an account to preview.
    </p>
    <>
      {accounts.map(({ value, provider, name }) => (
        <div data-account={value} data-provider={provider} hidden>
          <PostPreview
            network={provider}
            brand={brand}
            account={name}
            text={post?.text ?? 'Your post appears here as you type.'}
            images={[]}
          />
        </div>
      ))}
    </>
  </aside>
)
