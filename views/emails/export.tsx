import { dayInWords } from '#lib/time.ts'
import { letter } from './letter.tsx'

interface ReadyExport {
  href: string
  expiresAt: Date
  ofOrganization: boolean
}

export const exportLetter = ({ href, expiresAt, ofOrganization }: ReadyExport) =>
  letter({
    subject: 'Your Atrium export is ready',
    paragraphs: [
      `The data export for ${ofOrganization ? 'your organization' : 'your account'} is ready. You can download it until ${dayInWords(expiresAt)}.`,
    ],
    action: { label: 'Download the export', href },
    notes: ['You need to be signed in to download it. If you didn’t request this export, change your password.'],
  })
