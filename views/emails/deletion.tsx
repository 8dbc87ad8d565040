import { timeText } from '#views/ui/time.tsx'
import { letter } from './letter.tsx'
import { mailName } from './name.ts'

const dayOf = (at: Date): string => timeText(at, 'UTC', 'longDay')

export type OrganizationDeletionNews =
  | { happened: 'requested'; by: string; deletesAt: Date }
  | { happened: 'canceled'; by: string }
  | { happened: 'suspended' }
  | { happened: 'soon'; deletesAt: Date }
  | { happened: 'done' }

/** The mail's link: the page of deletions, or the front page when nothing can be canceled anymore. */
type Linked = { href: string }

export function organizationDeletionLetter(deletion: OrganizationDeletionNews & Linked & { organization: string }) {
  const { href } = deletion
  const organization = mailName(deletion.organization)
  switch (deletion.happened) {
    case 'requested': {
      const day = dayOf(deletion.deletesAt)
      return letter({
        subject: `${organization} will be deleted on ${day}`,
        paragraphs: [
          `${mailName(deletion.by)} requested the deletion of ${organization}. On ${day}, its brands, posts, files, connected accounts, API keys and members will be permanently deleted.`,
          'Until then the organization is locked: members can’t work in it, scheduled posts aren’t published, and API keys are rejected.',
        ],
        action: { label: 'Review or cancel the deletion', href },
        notes: ['Any owner can cancel the deletion until then.'],
      })
    }
    case 'soon': {
      const day = dayOf(deletion.deletesAt)
      return letter({
        subject: `${organization} will be deleted on ${day}`,
        paragraphs: [`On ${day}, everything in ${organization} will be permanently deleted. This can’t be undone.`],
        action: { label: 'Review or cancel the deletion', href },
        notes: ['If you still want to delete it, you don’t need to do anything.'],
      })
    }
    case 'canceled':
      return letter({
        subject: `${organization} will not be deleted`,
        paragraphs: [
          `${mailName(deletion.by)} canceled the deletion of ${organization}. Members have access again, and posts that were due in the meantime are being published.`,
        ],
        action: { label: `Open ${organization}`, href: new URL('/', href).href },
        notes: ['You’re receiving this because you’re an owner.'],
      })
    case 'suspended':
      return letter({
        subject: `${organization} was suspended and its deletion is on hold`,
        paragraphs: [
          `The platform’s operator suspended ${organization}, so its deletion is on hold. Nothing is deleted during the suspension.`,
        ],
        action: { label: 'Open Atrium', href: new URL('/', href).href },
        notes: ['When the suspension is lifted, a new 30-day period starts in which owners can cancel the deletion.'],
      })
    default:
      return letter({
        subject: `${organization} was deleted`,
        paragraphs: [
          `${organization} was permanently deleted, including its brands, posts, files, connected accounts and API keys. Posts that were already published stay on the networks.`,
        ],
        action: { label: 'Open Atrium', href },
        notes: ['You’re receiving this because you were an owner.'],
      })
  }
}

export type AccountDeletionNews =
  | { happened: 'requested'; deletesAt: Date }
  | { happened: 'canceled' }
  | { happened: 'soon'; deletesAt: Date }
  | { happened: 'done' }

export function accountDeletionLetter(deletion: AccountDeletionNews & Linked) {
  const { href } = deletion
  switch (deletion.happened) {
    case 'requested': {
      const day = dayOf(deletion.deletesAt)
      return letter({
        subject: `Your Atrium account will be deleted on ${day}`,
        paragraphs: [
          `You requested the deletion of your account. You’ve been signed out everywhere, and on ${day} your personal data will be permanently deleted.`,
          'Until then, the API keys that you created don’t work.',
        ],
        action: { label: 'Sign in to cancel the deletion', href },
        notes: ['If this wasn’t you, sign in, cancel the deletion and change your password.'],
      })
    }
    case 'soon':
      return letter({
        subject: `Your Atrium account will be deleted on ${dayOf(deletion.deletesAt)}`,
        paragraphs: [`On ${dayOf(deletion.deletesAt)}, your personal data will be permanently deleted.`],
        action: { label: 'Sign in to cancel the deletion', href },
        notes: ['If you still want to delete it, you don’t need to do anything.'],
      })
    case 'canceled':
      return letter({
        subject: 'Your Atrium account will not be deleted',
        paragraphs: ['The deletion of your account was canceled. You can sign in, and your API keys work again.'],
        action: { label: 'Sign in', href },
        notes: ['If this wasn’t you, change your password now.'],
      })
    default:
      return letter({
        subject: 'Your Atrium account was deleted',
        paragraphs: ['Your account was deleted. This is our last email to you.'],
        action: { label: 'Open Atrium', href },
        notes: ['Content you created in organizations stays there, without your name.'],
      })
  }
}
