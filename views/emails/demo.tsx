import type { Letter } from '#lib/mail.ts'
import { timeText } from '#views/ui/time.tsx'
import { letter } from './letter.tsx'

export type DemoLetterKind = 'booked' | 'moved' | 'canceled' | 'reminder'

interface DemoLetterProps {
  kind: DemoLetterKind
  startsAt: Date
  timeZone: string
  /** Of the page that moves and cancels it. */
  url: string
  meetingUrl: string | null
  calendar?: Letter['calendar']
}

const words: Record<DemoLetterKind, { subject: string; sentence: (when: string) => string; note: string }> = {
  booked: {
    subject: 'Your Atrium demo is booked',
    sentence: (when) => `Your demo is booked for ${when}.`,
    note: 'The attached invitation adds it to your calendar. To move or cancel it, use the link above.',
  },
  moved: {
    subject: 'Your Atrium demo has moved',
    sentence: (when) => `Your demo is now on ${when}.`,
    note: 'The attached invitation updates your calendar. To move or cancel it, use the link above.',
  },
  canceled: {
    subject: 'Your Atrium demo is canceled',
    sentence: (when) => `Your demo on ${when} is canceled.`,
    note: 'The attached message removes it from your calendar.',
  },
  reminder: {
    subject: 'Your Atrium demo is tomorrow',
    sentence: (when) => `Your demo is on ${when}.`,
    note: 'Can’t make it? Move or cancel it with the link above, so that someone else can have the time.',
  },
}

/** Contains nothing that the visitor wrote, who can be anyone. */
export const demoLetter = ({ kind, startsAt, timeZone, url, meetingUrl, calendar }: DemoLetterProps): Letter => {
  const { subject, sentence, note } = words[kind]
  const when = `${timeText(startsAt, timeZone, 'date')}, ${timeText(startsAt, timeZone, 'time')} (${timeZone})`
  const where = meetingUrl && kind !== 'canceled' ? [`Join here: ${meetingUrl}`] : []
  const plain = letter({
    subject,
    paragraphs: [sentence(when), ...where],
    action: kind === 'canceled' ? { label: 'See the booking', href: url } : { label: 'Move or cancel', href: url },
    notes: [note, 'If you didn’t book a demo, someone entered your address by mistake. You can cancel it.'],
  })
  return { ...plain, ...(calendar && { calendar }) }
}
