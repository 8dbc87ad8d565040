import { z } from 'zod'

export interface Letter {
  subject: string
  text: string
  html: string | Promise<string>
  /** Where mail programs end such emails with one POST (RFC 8058). */
  unsubscribe?: string
  /** An iCalendar file, for an invitation that calendars understand (RFC 6047). */
  calendar?: Calendar
}

const Calendar = z.object({ method: z.enum(['REQUEST', 'CANCEL']), content: z.string() })
type Calendar = z.infer<typeof Calendar>

export const Content = z.object({
  text: z.string(),
  html: z.string(),
  calendar: Calendar.optional(),
  unsubscribe: z.string().optional(),
})
export type Content = z.infer<typeof Content>

/** Also for mails that another service sends. */
export const unsubscribeHeaders = (url: string | undefined): Record<string, string> =>
  url === undefined ? {} : { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }

export interface Outgoing extends Content {
  id: string
  recipient: string
  subject: string
}
