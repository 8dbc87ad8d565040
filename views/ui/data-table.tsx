import type { Children } from '@kitajs/html'

interface Column {
  label: string
  isNumber?: true
  /** Only screen readers get its label. */
  isHidden?: true
}

interface DataTableProps {
  caption: string
  columns: readonly (string | Column)[]
  /** Its own class. */
  name?: string
  children: Children
}

/** On narrow screens a list. The caption and hidden labels are for screen readers. */
export const DataTable = ({ caption, columns, name, children }: DataTableProps) => (
  <table class={['table', name]} data-list>
    <caption class="visually-hidden" safe>
      {caption}
    </caption>
    <thead>
      <tr>
        {columns.map((column) => (
          <Heading column={typeof column === 'string' ? { label: column } : column} />
        ))}
      </tr>
    </thead>
    {children}
  </table>
)

const Heading = ({ column: { label, isNumber, isHidden } }: { column: Column }) =>
  isHidden ? (
    <th scope="col">
      <span class="visually-hidden" safe>
        {label}
      </span>
    </th>
  ) : (
    <th scope="col" data-num={isNumber} safe>
      {label}
    </th>
  )

/** Of a column of numbers. */
export const number = (label: string): Column => ({ label, isNumber: true })

/** Of the column of menus and buttons. */
export const actions: Column = { label: 'Actions', isHidden: true }
