import { timeText } from '#views/ui/time.tsx'
import { letter } from './letter.tsx'
import { mailName } from './name.ts'

const dayOf = (at: Date): string => timeText(at, 'UTC', 'longDay')

/** What became of an organization's deletion. */
export type OrganizationDeletionNews =
  | { happened: 'requested'; by: string; deletesAt: Date }
  | { happened: 'cancelled'; by: string }
  | { happened: 'suspended' }
  | { happened: 'soon'; deletesAt: Date }
  | { happened: 'done' }

/** Where the mail leads: to the page of deletions, or to the front page when it is too late. */
type Linked = { href: string }

/** Tells an organization's owners what becomes of its deletion. */
export function organizationDeletionLetter(deletion: OrganizationDeletionNews & Linked & { organization: string }) {
  const { href } = deletion
  const organization = mailName(deletion.organization)
  switch (deletion.happened) {
    case 'requested': {
      const day = dayOf(deletion.deletesAt)
      return letter({
        subject: `${organization} will be deleted on ${day}`,
        paragraphs: [
          `${mailName(deletion.by)} asked to delete ${organization}. On ${day} its brands, posts, files, connected accounts, API keys and members are deleted for good.`,
          'Until then it is locked: members can’t work in it, scheduled posts wait, and API keys are refused.',
        ],
        action: { label: 'See or cancel the deletion', href },
        notes: ['Every owner can cancel it until that day.'],
      })
    }
    case 'soon': {
      const day = dayOf(deletion.deletesAt)
      return letter({
        subject: `${organization} will be deleted on ${day}`,
        paragraphs: [`On ${day} everything in ${organization} is deleted for good. Nothing can bring it back then.`],
        action: { label: 'See or cancel the deletion', href },
        notes: ['If you want it to be deleted, there is nothing to do.'],
      })
    }
    case 'cancelled':
      return letter({
        subject: `${organization} will not be deleted`,
        paragraphs: [
          `${mailName(deletion.by)} cancelled the deletion of ${organization}. Its members can work again, and posts that came due in the meantime are published.`,
        ],
        action: { label: `Open ${organization}`, href: new URL('/', href).href },
        notes: ['You get this mail as an owner.'],
      })
    case 'suspended':
      return letter({
        subject: `${organization} was suspended: its deletion is on hold`,
        paragraphs: [
          `Atrium suspended ${organization}, so its deletion is on hold. Nothing is deleted while it is suspended.`,
        ],
        action: { label: 'Open Atrium', href: new URL('/', href).href },
        notes: ['Once the suspension is lifted, the deletion begins again, and owners have 30 days to cancel it.'],
      })
    default:
      return letter({
        subject: `${organization} was deleted`,
        paragraphs: [
          `${organization} was deleted with its brands, posts, files, connected accounts and API keys. What it published stays on the networks.`,
        ],
        action: { label: 'Open Atrium', href },
        notes: ['You get this mail as one of its last owners.'],
      })
  }
}

/** What became of an account's deletion. */
export type AccountDeletionNews =
  | { happened: 'requested'; deletesAt: Date }
  | { happened: 'cancelled' }
  | { happened: 'soon'; deletesAt: Date }
  | { happened: 'done' }

/** Tells a person what becomes of their account's deletion. `href` is where they sign in. */
export function accountDeletionLetter(deletion: AccountDeletionNews & Linked) {
  const { href } = deletion
  switch (deletion.happened) {
    case 'requested': {
      const day = dayOf(deletion.deletesAt)
      return letter({
        subject: `Your Atrium account will be deleted on ${day}`,
        paragraphs: [
          `You asked to delete your account. It is signed out everywhere, and on ${day} your personal data is deleted for good.`,
          'Until then API keys that you made are refused.',
        ],
        action: { label: 'Sign in to keep the account', href },
        notes: ['If it wasn’t you, sign in, cancel the deletion and change your password.'],
      })
    }
    case 'soon':
      return letter({
        subject: `Your Atrium account will be deleted on ${dayOf(deletion.deletesAt)}`,
        paragraphs: [`On ${dayOf(deletion.deletesAt)} your personal data is deleted for good.`],
        action: { label: 'Sign in to keep the account', href },
        notes: ['If you want it to be deleted, there is nothing to do.'],
      })
    case 'cancelled':
      return letter({
        subject: 'Your Atrium account will not be deleted',
        paragraphs: [
          'The deletion of your account was cancelled. You can sign in again, and your API keys work again.',
        ],
        action: { label: 'Sign in', href },
        notes: ['If it wasn’t you, change your password at once.'],
      })
    default:
      return letter({
        subject: 'Your Atrium account was deleted',
        paragraphs: ['Your account was deleted. This is the last mail that you get from us.'],
        action: { label: 'Open Atrium', href },
        notes: ['What you made in organizations stays with them, without your name.'],
      })
  }
}
