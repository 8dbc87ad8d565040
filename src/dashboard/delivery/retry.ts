const minute = 60

/** Seconds to wait after each failed attempt, about five hours in all. */
const delays = [30, 2 * minute, 10 * minute, 30 * minute, 60 * minute, 90 * minute, 120 * minute]
const maxSeconds = 24 * 60 * minute

/** Null after the last one. */
export const delayAfter = (attempts: number): number | null => delays[attempts - 1] ?? null

/** Of `Retry-After`, in seconds or as a date; null without one. At most a day. */
export function retryAfterOf({ headers }: Pick<Response, 'headers'>, at: Date): number | null {
  const text = headers.get('retry-after')?.trim()
  if (!text) return null
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - at.getTime()) / 1000
  return Number.isFinite(seconds) ? Math.min(maxSeconds, Math.max(1, Math.ceil(seconds))) : null
}
