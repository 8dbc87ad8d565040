import { letter } from './letter.tsx'
import { mailName } from './name.ts'

interface FirstFactor {
  name: string
  email: string
  organization: string
  href: string
}

export const firstFactorLetter = ({ name, email, organization, href }: FirstFactor) =>
  letter({
    subject: `A member of ${mailName(organization)} set up two-factor authentication`,
    paragraphs: [
      `${mailName(name)} (${email}) set up their first second factor and now has access to ${mailName(organization)}. Only their password was required to do this.`,
    ],
    action: { label: 'View members', href },
    notes: ['If you’re not sure it was them, remove them from the organization until they confirm.'],
  })
