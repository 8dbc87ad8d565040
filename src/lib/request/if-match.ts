import { invalid } from '../errors.ts'

const tag = /^(?:W\/)?"?(\d{1,9})"?$/

/**
 * Of which the object must have one (RFC 9110); null without a condition. @throws {Problem} 422 for a malformed version
 */
export function expectedVersions(headers: Headers): number[] | null {
  const condition = headers.get('if-match')?.trim()
  if (condition === undefined || condition === '*') return null
  return condition.split(',').map((entry) => {
    const version = tag.exec(entry.trim())?.[1]
    if (!version)
      throw invalid([{ path: 'If-Match', message: 'Must be an ETag, as returned when the object was read.' }])
    return Number(version)
  })
}
