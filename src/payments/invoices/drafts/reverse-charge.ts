import { eq } from 'drizzle-orm'
import type { Database } from '#lib/db.ts'
import { conflict, invalid } from '#lib/errors.ts'
import { vatCountryOf, vatPrefixOf, type TaxedParty } from '../../contract/tax-number.ts'
import { merchants } from '../../schema.ts'
import { readLines, type InvoiceRow } from '../rows.ts'

interface Sale {
  seller: TaxedParty
  buyer: TaxedParty
  /** Without reverse charge. */
  isTaxed: boolean
}

/**
 * Whether the buyer owes the VAT (PAY-35): as `wanted`, else for what is taxed between VAT numbers of two countries of the
 * European Union. @throws {Problem} 422 when it is wanted without VAT numbers of two countries
 */
export function isReverseCharge({ seller, buyer, isTaxed }: Sale, wanted: boolean | null): boolean {
  if (wanted) requireTwoCountries(seller.taxNumber, buyer.taxNumber)
  const [from, to] = [vatCountryOf(seller), vatCountryOf(buyer)]
  return wanted ?? (isTaxed && from !== null && to !== null && from !== to)
}

function requireTwoCountries(seller: string | null, buyer: string | null): void {
  const [from, to] = [vatPrefixOf(seller), vatPrefixOf(buyer)]
  if (to === null)
    throw invalid([{ path: 'buyer.taxNumber', message: 'Reverse charge needs the buyer’s VAT number of the EU.' }])
  if (from === null)
    throw invalid([
      { path: 'merchantId', message: 'Reverse charge needs the VAT number of the merchant. Add it first.' },
    ])
  if (from === to)
    throw invalid([
      {
        path: 'reverseCharge',
        message: `Both VAT numbers are of ${from}. For a domestic reverse charge, send lines without tax, and its reason as the note.`,
      },
    ])
}

/** Locks the merchant until the draft is issued. */
export async function readSeller(tx: Database, merchantId: string): Promise<TaxedParty> {
  const [merchant] = await tx
    .select({ taxNumber: merchants.taxNumber, address: merchants.address })
    .from(merchants)
    .where(eq(merchants.id, merchantId))
    .for('share')
  return merchant ?? { taxNumber: null, address: null }
}

/** Its merchant can have changed since the draft was saved. @throws {Problem} 409 `reverse_charge`, 422 */
export async function requireSameTax(tx: Database, invoice: InvoiceRow): Promise<void> {
  const { merchantId, orderId, reverseCharge, reverseChargeWanted } = invoice
  const seller = await readSeller(tx, merchantId)
  const buyer = { taxNumber: invoice.buyerTaxNumber, address: invoice.buyerAddress }
  const lines = await readLines(tx, invoice.id)
  const isTaxed = orderId === null && (reverseCharge || lines.some(({ taxRate }) => taxRate > 0))
  if (isReverseCharge({ seller, buyer, isTaxed }, reverseChargeWanted) === reverseCharge) return
  throw conflict(
    'reverse_charge',
    'The tax number or country of the merchant changed since this draft was saved, and with it who owes the VAT. Save the draft again.',
    { merchantId, reverseCharge: !reverseCharge },
  )
}
