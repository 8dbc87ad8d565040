import { invalid, Problem, type FieldError } from '#lib/errors.ts'
import { parseDecimalAmount } from '../amount.ts'
import type { RefundDraft } from '../contract/refunds.ts'
import { amountText, requireAmount, stepOf } from '../provider-amounts.ts'
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
  // What disputes took can leave a rest that the provider doesn’t refund.
  const left = of.left - (of.left % stepOf(of.currency))
  const parts = lines ? priceLines(lines, of) : []
  const wanted = lines ? parts.reduce((sum, part) => sum + BigInt(part.amount), 0n) : (draft.amount ?? typed ?? left)
  const path = lines ? 'lines' : typed === undefined ? 'amount' : 'decimalAmount'
  if (wanted > left || left <= 0n) throw exceedsCaptured({ ...of, left }, path)
  requireAmount(wanted, of.currency, path)
  if (wanted <= 0n) throw invalid([{ path: 'lines', message: 'There is nothing to refund for these lines.' }])
  return { amount: wanted, lines: parts }
}

type WantedLine = NonNullable<RefundDraft['lines']>[number]

function priceLines(wanted: readonly WantedLine[], { currency, lines: sold, refunded }: Refundable): RefundedLine[] {
  const errors: FieldError[] = []
  const step = stepOf(currency)
  const lines = inSteps(sold, step)
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
    return [{ position, quantity, amount: shareOf(line, earlier, quantity, step) }]
  })
  if (errors.length > 0) throw invalid(errors)
  return parts
}

const sumOf = (parts: readonly RefundedLine[], field: 'quantity' | 'amount'): number =>
  parts.reduce((sum, part) => sum + part[field], 0)

/** Totals that can be refunded: each differs by less than a step, and their sum doesn’t. */
function inSteps(lines: Refundable['lines'], step: bigint): Refundable['lines'] {
  const down = (amount: bigint) => amount - (amount % step)
  let until = 0n
  return lines
    .toSorted((one, other) => one.position - other.position)
    .map((line) => {
      const before = down(until)
      until += line.total
      return { ...line, total: down(until) - before }
    })
}

/** Rounded down over all that is refunded of the line, so that its last piece takes the rest. */
function shareOf(
  { total, quantity: all }: Refundable['lines'][number],
  earlier: { quantity: number; amount: number },
  quantity: number,
  step: bigint,
): number {
  const left = Number(total) - earlier.amount
  const until = BigInt(earlier.quantity + quantity)
  const share = Number(((total * until) / (BigInt(all) * step)) * step) - earlier.amount
  return Math.max(0, Math.min(share, left))
}

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
