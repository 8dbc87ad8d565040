import { letter } from './letter.tsx'
import { mailName } from './name.ts'

interface FirstFactor {
  name: string
  email: string
  organization: string
  href: string
}

/** Tells an owner of an organization that asks for a second factor that a member has set up their first. */
export const firstFactorLetter = ({ name, email, organization, href }: FirstFactor) =>
  letter({
    subject: `A member of ${mailName(organization)} set up a second factor`,
    paragraphs: [
      `${mailName(name)} (${email}) set up a first second factor and can work in ${mailName(organization)} now. Their password was enough to do that.`,
    ],
    action: { label: 'See the members', href },
    notes: ['If you are not sure that it was them, ask them, and remove them until you know.'],
  })
