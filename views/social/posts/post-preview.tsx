import type { Children } from '@kitajs/html'
import type { Post } from '#social/types'
import { Avatar } from '#views/ui/marks.tsx'
import { accountName, networkNames } from './post-text.ts'
import { type Shot, Shots } from './shots.tsx'

interface PostPreviewProps {
  network: Post['provider']
  brand: { id: string; name: string; logoUrl?: string | null }
  account: string | null
  text: string
  images: readonly Shot[]
  when?: string
  children?: Children
}

export const PostPreview = ({ network, brand, account, text, images, when, children }: PostPreviewProps) => (
  <article class="preview" aria-label={`On ${networkNames[network]}`}>
    <header>
      <Avatar name={brand.name} seed={brand.id} size="xl" image={brand.logoUrl} network={network} />
      <div class="grow">
        <strong class="truncate" safe>
          {brand.name}
        </strong>
        <small class="muted" safe>
          {[accountName(network, account), when].filter(Boolean).join(' · ')}
        </small>
      </div>
    </header>
    <p data-text safe>
      {text}
    </p>
    <Shots images={images} />
    {children}
  </article>
)
