import { FirstBrand } from './brand-switcher.tsx'
import { Empty } from '#views/ui/feedback.tsx'

export interface NoBrandProps {
  canCreateBrand: boolean
}

export const NoBrand = ({ canCreateBrand }: NoBrandProps) =>
  canCreateBrand ? (
    <FirstBrand />
  ) : (
    <Empty
      icon="megaphone"
      heading="h1"
      title="No brand yet"
      text="Posts and accounts belong to a brand. Ask an admin of your organization to create one."
    />
  )
