import { ButtonLink } from '#views/ui/button.tsx'
import { listHref } from '#views/ui/lists.tsx'

interface ExportLinkProps {
  /** The path of the operation. */
  from: string
  query: object
  label?: string
}

/** Downloads all rows that match the filters. */
export const ExportLink = ({ from, query, label = 'Export CSV' }: ExportLinkProps) => {
  const { limit: _, cursor: __, ...filter }: { limit?: unknown; cursor?: unknown } = query
  return (
    <span class="wide-only">
      <ButtonLink label={label} icon="download" variant="ghost" href={listHref(from, filter)} />
    </span>
  )
}
