import { invalid, Problem, type FieldError } from '#lib/errors.ts'
import { Currency, displayMoney } from '#lib/money.ts'
import { parseDecimalAmount } from '../amount.ts'
import type { RefundDraft } from '../contract/refunds.ts'
import type { orderLines, refunds } from '../schema.ts'

type RefundedLine = (typeof refunds.$inferSelect)['lines'][number]

interface Refundable {
  currency: string
  /** What is captured and not reserved by another refund. */
  left: bigint
  lines: readonly Pick<typeof orderLines.$inferSelect, 'position' | 'quantity' | 'total'>[]
  /** Of the order’s refunds that haven’t failed. */
  refunded: readonly RefundedLine[]
}

export interface PricedRefund {
  amount: bigint
  lines: RefundedLine[]
}

/** @throws {Problem} 422 `refund_exceeds_captured`, and for lines that aren’t there */
export function priceRefund(
  draft: Pick<RefundDraft, 'amount' | 'decimalAmount' | 'lines'>,
  of: Refundable,
): PricedRefund {
  const { lines, decimalAmount } = draft
  const typed =
    decimalAmount === undefined
      ? undefined
      : parseDecimalAmount(decimalAmount, of.currency, { path: 'decimalAmount', least: 1n })
  const parts = lines ? priceLines(lines, of) : []
  const wanted = lines ? parts.reduce((sum, part) => sum + BigInt(part.amount), 0n) : (draft.amount ?? typed ?? of.left)
  if (wanted > of.left || of.left <= 0n)
    throw exceedsCaptured(of, lines ? 'lines' : typed === undefined ? 'amount' : 'decimalAmount')
  if (wanted <= 0n) throw invalid([{ path: 'lines', message: 'There is nothing to refund for these lines.' }])
  return { amount: wanted, lines: parts }
}

type WantedLine = NonNullable<RefundDraft['lines']>[number]

function priceLines(wanted: readonly WantedLine[], { lines, refunded }: Refundable): RefundedLine[] {
  const errors: FieldError[] = []
  const parts = wanted.flatMap(({ position, quantity }, at) => {
    const line = lines.find((each) => each.position === position)
    const isRepeated = wanted.findIndex((each) => each.position === position) !== at
    if (!line || isRepeated) {
      const message = line ? 'Must be listed once.' : 'The order has no such line.'
      errors.push({ path: `lines.${at}.position`, message })
      return []
    }
    const before = refunded.filter((each) => each.position === position)
    const earlier = { quantity: sumOf(before, 'quantity'), amount: sumOf(before, 'amount') }
    if (quantity > line.quantity - earlier.quantity) {
      const message = `Must be at most ${line.quantity - earlier.quantity}, what isn’t refunded yet.`
      errors.push({ path: `lines.${at}.quantity`, message })
      return []
    }
    return [{ position, quantity, amount: shareOf(line, earlier, quantity) }]
  })
  if (errors.length > 0) throw invalid(errors)
  return parts
}

const sumOf = (parts: readonly RefundedLine[], field: 'quantity' | 'amount'): number =>
  parts.reduce((sum, part) => sum + part[field], 0)

/** Rounded down over all that is refunded of the line, so that its last piece takes the rest. */
function shareOf(
  { total, quantity: all }: Refundable['lines'][number],
  earlier: { quantity: number; amount: number },
  quantity: number,
): number {
  const left = Number(total) - earlier.amount
  const until = earlier.quantity + quantity
  const share = Number((total * BigInt(until)) / BigInt(all)) - earlier.amount
  return Math.max(0, Math.min(share, left))
}

export const amountText = (amount: bigint, currency: string): string =>
  displayMoney({ minor: amount, currency: Currency.parse(currency) })

function exceedsCaptured({ left, currency }: Refundable, path: string): Problem {
  const refundable = left > 0n ? left : 0n
  const detail =
    refundable === 0n
      ? 'There is nothing left to refund of what was captured.'
      : `At most ${amountText(refundable, currency)} can be refunded: what was captured, without other refunds.`
  return new Problem(422, 'refund_exceeds_captured', detail, {
    errors: [{ path, message: detail }],
    members: { refundable: Number(refundable) },
  })
}
