import { ButtonLink } from './button.tsx'

type PagerProps = {
  /** Such as `More posts`. */
  label: string
  /** `Showing 20 of 128`. */
  summary: string
  next?: string
  /** `Older` where the next page replaces this one. */
  action?: string
} & Omit<JSX.HtmlAnchorTag, 'children' | 'href'>

export const Pager = ({ label, summary, next, action = 'Load more', ...attributes }: PagerProps) => (
  <nav class="pager" aria-label={label}>
    <span safe>{summary}</span>
    {next ? <ButtonLink label={action} size="sm" href={next} rel="next" {...attributes} /> : null}
  </nav>
)

/** The URL of a list with the parameters that are not empty. */
export function listHref(path: string, parameters: object): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path
}

/** The URL of the next page of the list at `url`. */
export const nextHref = ({ pathname, searchParams }: URL, cursor: string): string =>
  listHref(pathname, { ...Object.fromEntries(searchParams), cursor })

interface MoreRowsProps {
  /** What is paged: `More posts`. */
  label: string
  /** `Showing 20 of 128`. */
  summary: string
  /** The URL of the next page. */
  next?: string
  /** The URL of the list's operation, which responds with the next rows; the page's own when not set. */
  from?: string
  columns: number
}

/** Replaced by the next rows and their own last row. */
export const MoreRows = ({ label, summary, next, from = next, columns }: MoreRowsProps) => (
  <tbody class="more">
    <tr data-group>
      <td colspan={columns} data-at="title">
        <Pager
          label={label}
          summary={summary}
          next={next}
          hx-get={from}
          hx-target="closest tbody"
          hx-select="tbody"
          hx-swap="outerHTML"
        />
      </td>
    </tr>
  </tbody>
)
