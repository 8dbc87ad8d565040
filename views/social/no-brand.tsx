import { FirstBrand } from '#views/shell/new-brand.tsx'
import { Empty } from '#views/ui/empty.tsx'

export interface NoBrandProps {
  /** Whether the person may make one. */
  mayMakeBrand: boolean
}

/** Stands in for every page of a workspace that has no brand yet. */
export const NoBrand = ({ mayMakeBrand }: NoBrandProps) =>
  mayMakeBrand ? (
    <FirstBrand />
  ) : (
    <Empty
      icon="megaphone"
      heading="h1"
      title="No brand yet"
      text="Posts and accounts belong to a brand. Ask an admin of your organization to make the first one."
    />
  )
