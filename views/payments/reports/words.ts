import { titleOfName } from '#lib/text.ts'
import { listHref } from '#views/ui/lists.tsx'
import { timeText } from '#views/ui/time.tsx'

export const reportsPath = '/pay/reports'
export const takingsRoute = '/api/reports/takings'

/** `Sat 21 Nov` */
export const dayText = (day: string): string => timeText(`${day}T00:00:00Z`, 'UTC', 'day')

/** `21 Nov`, below a column of a chart. */
export const chartDayText = (day: string): string =>
  Temporal.PlainDate.from(day).toLocaleString('en-GB', { day: 'numeric', month: 'short' })

/** `October 2026` */
export const monthText = (month: string): string =>
  Temporal.PlainDate.from(`${month}-01`).toLocaleString('en-GB', { month: 'long', year: 'numeric' })

/** `21 Nov 2026` */
export const shortDayText = (day: string): string => timeText(`${day}T00:00:00Z`, 'UTC', 'shortDay')

const brands: Readonly<Record<string, string>> = {
  amex: 'American Express',
  diners: 'Diners Club',
  eftpos_au: 'eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}

/** The brand of a card. */
export const methodText = (method: string | null): string =>
  method === null ? 'Other' : (brands[method] ?? titleOfName(method))

export const merchantHref = (path: string, merchantId: string | undefined): string => listHref(path, { merchantId })
