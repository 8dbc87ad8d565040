import { and, eq, gte, ilike, lt, or } from 'drizzle-orm'
import { containsPattern } from '#lib/db.ts'
import { emailMessages, emailRecipients } from '../schema.ts'

export interface LogFilter {
  q?: string | undefined
  senderId?: string | undefined
  applicationId?: string | undefined
  from?: Date | undefined
  until?: Date | undefined
}

/** The part that recipients answer alone. */
export const isAmong = (organizationId: string, { senderId, from, until }: LogFilter) =>
  and(
    eq(emailRecipients.organizationId, organizationId),
    senderId === undefined ? undefined : eq(emailRecipients.senderId, senderId),
    from && gte(emailRecipients.createdAt, from),
    until && lt(emailRecipients.createdAt, until),
  )

/** The part for which the email is read, too. */
export function isAbout({ q, applicationId }: LogFilter) {
  const words = q === undefined || q === '' ? null : containsPattern(q)
  return and(
    words === null ? undefined : or(ilike(emailMessages.subject, words), ilike(emailRecipients.address, words)),
    applicationId === undefined ? undefined : eq(emailMessages.applicationId, applicationId),
  )
}
