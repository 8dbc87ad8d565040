import { invalid } from '#lib/errors.ts'
import type { InvoiceCharges } from '../../contract/invoices.ts'
import { priceOrder, type PricedOrder } from '../../orders/totals.ts'

/** @throws {Problem} 422 for reverse charge with prices that include tax, and those of `priceOrder` */
export function priceInvoice(charges: InvoiceCharges, reverseCharge: boolean): PricedOrder {
  if (!reverseCharge) return priceOrder(charges)
  const isTaxed = charges.lines.some(({ taxRate }) => Number(taxRate ?? 0) > 0)
  if (isTaxed && charges.taxMode === 'inclusive')
    throw invalid([
      {
        path: 'taxMode',
        message: 'The buyer owes the VAT (reverse charge), so prices can’t include it. Send net prices with exclusive.',
      },
    ])
  return priceOrder({ ...charges, lines: charges.lines.map((line) => ({ ...line, taxRate: '0' })) })
}

interface TaxedLine {
  taxRate: number
  tax: bigint
  total: bigint
}

export interface RateTotal {
  /** Millionths. */
  taxRate: number
  net: bigint
  tax: bigint
  total: bigint
}

/** The breakdown of an invoice, the highest rate first. */
export function totalsByRate(lines: readonly TaxedLine[]): RateTotal[] {
  const rates = new Map<number, RateTotal>()
  for (const { taxRate, tax, total } of lines) {
    const sum = rates.get(taxRate) ?? { taxRate, net: 0n, tax: 0n, total: 0n }
    rates.set(taxRate, { taxRate, net: sum.net + total - tax, tax: sum.tax + tax, total: sum.total + total })
  }
  return [...rates.values()].toSorted((one, other) => other.taxRate - one.taxRate)
}
