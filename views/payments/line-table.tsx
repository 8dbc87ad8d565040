import { DataTable, number } from '#views/ui/data-table.tsx'
import { money } from './money.ts'

interface Line {
  name: string
  quantity: number
  unitAmount: number
  discount: number
  amount: number
}

interface LineTableProps {
  caption: string
  /** What a line is called. */
  heading: string
  lines: readonly Line[]
  currency: string
}

/** What an order or invoice is for. */
export const LineTable = ({ caption, heading, lines, currency }: LineTableProps) => (
  <DataTable caption={caption} columns={[heading, number('Quantity'), number('Price'), number('Amount')]}>
    <tbody>
      {lines.map(({ name, quantity, unitAmount, discount, amount }) => (
        <tr>
          <td data-at="title" class="wrap-anywhere">
            <span safe>{name}</span>
            {discount > 0 ? <small class="muted" safe>{` ${money(discount, currency)} off`}</small> : null}
          </td>
          <td data-num data-at="sub">
            <span class="narrow-only muted" safe>{`${quantity} × ${money(unitAmount, currency)}`}</span>
            <span class="wide-only">{quantity}</span>
          </td>
          <td data-num safe>
            {money(unitAmount, currency)}
          </td>
          <td data-num data-at="end" safe>
            {money(amount, currency)}
          </td>
        </tr>
      ))}
    </tbody>
  </DataTable>
)
