import { Pager } from './pager.tsx'

interface MoreRowsProps {
  /** What is paged: `More posts`. */
  label: string
  /** `Showing 20 of 128`. */
  summary: string
  /** The address of the next page; without it the foot only tells. */
  next?: string
  /** The operation that answers the next rows; the page itself when not set. */
  from?: string
  /** How many the table has. */
  columns: number
}

/** Stands after a table's last row; loading more replaces it by the next rows and their own foot. */
export const MoreRows = ({ label, summary, next, from = next, columns }: MoreRowsProps) => (
  <tbody class="more">
    <tr data-group>
      <td colspan={columns}>
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
