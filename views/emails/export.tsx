import { dayInWords } from '#lib/time.ts'
import { letter } from './letter.tsx'

interface ReadyExport {
  href: string
  expiresAt: Date
  ofOrganization: boolean
}

/** The mail to the person who requested an export when it is ready. */
export const exportLetter = ({ href, expiresAt, ofOrganization }: ReadyExport) =>
  letter({
    subject: 'Your Atrium export is ready',
    paragraphs: [
      `The export of ${ofOrganization ? 'your organization' : 'your account'} is ready. You can download it until ${dayInWords(expiresAt)}.`,
    ],
    action: { label: 'Download the export', href },
    notes: ['You have to be signed in. If it wasn’t you who asked for it, change your password.'],
  })
