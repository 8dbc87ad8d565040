import { z } from 'zod'
import { invalidRequest } from '../wire/error.ts'

const known = new Set(
  `usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bhd bif bmd bnd bob brl bsd btn bwp byn bzd cad cdf chf clp
  cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel ghs gip gmd gnf gtq gyd hkd hnl htg huf idr ils inr isk
  jmd jod jpy kes kgs khr kmf krw kwd kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn nad
  ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sek sgd shp sle sos srd std szl thb
  tjs tnd top try ttd twd tzs uah ugx uyu uzs vnd vuv wst xaf xcd xcg xof xpf yer zar zmw`.split(/\s+/),
)

export const currency = z
  .string()
  .transform((code) => code.toLowerCase())
  .refine((code) => known.has(code), 'Invalid currency')

const withoutDecimals = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const withThreeDecimals = new Set('bhd jod kwd omr tnd'.split(' '))

/** Amounts must be multiples: these have no decimals today, or only two in card payments. */
const steps: Record<string, number> = { isk: 100, ugx: 100, bhd: 10, jod: 10, kwd: 10, omr: 10, tnd: 10 }

/** Smallest amounts that Stripe charges, in the currency’s minor unit; for other currencies 1. */
const smallest: Record<string, number> = {
  aed: 200,
  aud: 50,
  bgn: 100,
  brl: 50,
  cad: 50,
  chf: 50,
  czk: 1500,
  dkk: 250,
  eur: 50,
  gbp: 30,
  hkd: 400,
  huf: 17_500,
  inr: 50,
  jpy: 50,
  mxn: 1000,
  myr: 200,
  nok: 300,
  nzd: 50,
  pln: 200,
  ron: 200,
  sek: 300,
  sgd: 50,
  thb: 1000,
  usd: 50,
}
const largestOf = (code: string): number => (code === 'idr' ? 999_999_999_999 : 99_999_999)

/** @throws {StripeError} for an amount that Stripe doesn’t charge */
export function checkAmount(amount: number, code: string, param = 'amount'): void {
  const min = smallest[code] ?? 1
  if (amount < min)
    throw invalidRequest(`Amount must be at least ${formatAmount(min, code)} ${code}`, param, 'amount_too_small')
  const largest = largestOf(code)
  if (amount > largest)
    throw invalidRequest(
      `Amount must be no more than ${formatAmount(largest, code)} ${code}`,
      param,
      'amount_too_large',
    )
  checkStep(amount, code, { param })
}

const payoutSteps: Record<string, number> = { ...steps, huf: 100, twd: 100 }

/** @throws {StripeError} for a part of the smallest amount of a payment, or of a payout */
export function checkStep(amount: number, code: string, { param = 'amount', isPayout = false } = {}): void {
  const step = (isPayout ? payoutSteps : steps)[code] ?? 1
  if (amount % step !== 0)
    throw invalidRequest(`Amounts in ${code} must be divisible by ${step}.`, param, 'invalid_charge_amount')
}

/** In Stripe’s units, which have two decimals for most currencies. */
export function formatAmount(amount: number, code: string): string {
  const digits = withoutDecimals.has(code) ? 0 : withThreeDecimals.has(code) ? 3 : 2
  return new Intl.NumberFormat('en-GB', {
    style: 'currency',
    currency: code.toUpperCase(),
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount / 10 ** digits)
}
