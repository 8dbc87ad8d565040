import type { Letter } from '#lib/mail.ts'
import { timeText } from '#views/ui/time.tsx'
import { letter } from './letter.tsx'

export type DemoLetterKind = 'booked' | 'moved' | 'canceled' | 'withdrawn' | 'reminder'

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
  withdrawn: {
    subject: 'Your Atrium demo invitation is withdrawn',
    sentence: (when) =>
      `The demo on ${when} was booked with your email address. The address was corrected, so the invitation no longer applies to you.`,
    note: 'The attached message removes it from your calendar.',
  },
  reminder: {
    subject: 'Your Atrium demo is tomorrow',
    sentence: (when) => `Your demo is on ${when}.`,
    note: 'Can’t make it? Move or cancel it with the link above, so that someone else can have the time.',
  },
}

const labels: Partial<Record<DemoLetterKind, string>> = { canceled: 'See the booking', withdrawn: 'Book a demo' }

const unknown = 'If you didn’t book a demo, someone entered your address by mistake. You can cancel it.'

/** Contains nothing that the visitor wrote, who can be anyone. */
export const demoLetter = ({ kind, startsAt, timeZone, url, meetingUrl, calendar }: DemoLetterProps): Letter => {
  const { subject, sentence, note } = words[kind]
  const when = `${timeText(startsAt, timeZone, 'date')}, ${timeText(startsAt, timeZone, 'time')} (${timeZone})`
  const isGone = kind === 'canceled' || kind === 'withdrawn'
  const where = meetingUrl && !isGone ? [`Join here: ${meetingUrl}`] : []
  const plain = letter({
    subject,
    paragraphs: [sentence(when), ...where],
    action: { label: labels[kind] ?? 'Move or cancel', href: url },
    notes: kind === 'withdrawn' ? [note] : [note, unknown],
  })
  return { ...plain, ...(calendar && { calendar }) }
}
