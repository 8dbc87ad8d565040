import type { TakingsFilter } from '#payments/types'
import { listHref } from '#views/ui/lists.tsx'
import { timeText } from '#views/ui/time.tsx'

export const reportsPath = '/pay/reports'
export const takingsRoute = '/api/reports/takings'

export const reportHref = (query: Partial<TakingsFilter>, change: Partial<TakingsFilter> = {}): string => {
  const { limit: _, cursor: __, ...filter } = { ...query, ...change }
  return listHref(reportsPath, filter)
}

/** `Sat 21 Nov` */
export const dayText = (day: string): string => timeText(`${day}T00:00:00Z`, 'UTC', 'day')

/** `October 2026` */
export const monthText = (month: string): string =>
  Temporal.PlainDate.from(`${month}-01`).toLocaleString('en-GB', { month: 'long', year: 'numeric' })

/** `21 Nov 2026` */
export const shortDayText = (day: string): string => timeText(`${day}T00:00:00Z`, 'UTC', 'shortDay')

export const merchantHref = (path: string, merchantId: string | undefined): string => listHref(path, { merchantId })
