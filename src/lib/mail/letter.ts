import { z } from 'zod'

export interface Letter {
  subject: string
  text: string
  html: string | Promise<string>
  /** An iCalendar file, for an invitation that calendars understand (RFC 6047). */
  calendar?: Calendar
}

const Calendar = z.object({ method: z.enum(['REQUEST', 'CANCEL']), content: z.string() })
type Calendar = z.infer<typeof Calendar>

export const Content = z.object({ text: z.string(), html: z.string(), calendar: Calendar.optional() })
export type Content = z.infer<typeof Content>

export interface Outgoing extends Content {
  id: string
  recipient: string
  subject: string
}
