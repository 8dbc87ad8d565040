import { timeText } from '#views/ui/time.tsx'
import { letter } from './letter.tsx'
import { mailName } from './name.ts'

const dayOf = (at: Date): string => timeText(at, 'UTC', 'longDay')

/** What became of an organization's deletion. */
export type OrganizationDeletionNews =
  { happened: 'requested'; by: string; deletesAt: Date } | { happened: 'cancelled'; by: string }

type OrganizationDeletion = OrganizationDeletionNews & { organization: string; href: string }

/** Tells an organization's owners that it will be deleted, or will not. */
export const organizationDeletionLetter = (deletion: OrganizationDeletion) => {
  const named = { ...deletion, organization: mailName(deletion.organization), by: mailName(deletion.by) }
  return named.happened === 'requested' ? requested(named) : cancelled(named)
}

const requested = ({ organization, href, by, deletesAt }: Extract<OrganizationDeletion, { happened: 'requested' }>) =>
  letter({
    subject: `${organization} will be deleted on ${dayOf(deletesAt)}`,
    paragraphs: [
      `${by} asked to delete ${organization}. On ${dayOf(deletesAt)} its brands, posts, files, connected accounts, API keys and members are deleted for good.`,
      'Until then nobody works in it: its scheduled posts wait, and its API keys are refused.',
    ],
    action: { label: 'See or cancel the deletion', href },
    notes: ['Every owner can cancel it until that day.'],
  })

const cancelled = ({ organization, href, by }: Extract<OrganizationDeletion, { happened: 'cancelled' }>) =>
  letter({
    subject: `${organization} will not be deleted`,
    paragraphs: [
      `${by} cancelled the deletion of ${organization}. Everybody in it can work again, and posts that came due meanwhile are published.`,
    ],
    action: { label: `Open ${organization}`, href: new URL('/', href).href },
    notes: ['You get this mail as an owner.'],
  })

/** What became of an account's deletion. */
export type AccountDeletionNews = { happened: 'requested'; deletesAt: Date } | { happened: 'cancelled' }

/** Tells a person that their account will be deleted, or will not. `href` is where they sign in. */
export const accountDeletionLetter = (deletion: AccountDeletionNews & { href: string }) =>
  deletion.happened === 'requested'
    ? letter({
        subject: `Your Atrium account will be deleted on ${dayOf(deletion.deletesAt)}`,
        paragraphs: [
          `You asked to delete your account. It is signed out everywhere, and on ${dayOf(deletion.deletesAt)} your personal data is deleted for good.`,
          'Until then API keys that you made are refused.',
        ],
        action: { label: 'Sign in to keep the account', href: deletion.href },
        notes: ['If it wasn’t you, sign in, cancel the deletion and change your password.'],
      })
    : letter({
        subject: 'Your Atrium account will not be deleted',
        paragraphs: [
          'The deletion of your account was cancelled. You can sign in again, and your API keys work again.',
        ],
        action: { label: 'Sign in', href: deletion.href },
        notes: ['If it wasn’t you, change your password at once.'],
      })
