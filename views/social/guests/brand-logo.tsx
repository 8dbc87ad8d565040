import type { GuestReview } from '#social/types'
import { Avatar } from '#views/ui/marks.tsx'

export const BrandLogo = ({ brand: { id, name, logoUrl } }: Pick<GuestReview, 'brand'>) => (
  <Avatar name={name} seed={id} size="xl" shape="square" image={logoUrl} />
)
