export type Platform = 'ios' | 'android'

/** Null for computers. An iPad that asks for desktop pages counts as one. */
export function platformOf(userAgent: string | null): Platform | null {
  if (userAgent === null) return null
  if (/\b(iPhone|iPad|iPod)\b/.test(userAgent)) return 'ios'
  return /\bAndroid\b/.test(userAgent) ? 'android' : null
}
