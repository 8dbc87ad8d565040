import { ButtonLink } from './button.tsx'
import { Notice } from './feedback.tsx'

interface PlanNoticeProps {
  standing: 'unpaid' | 'ended' | undefined
  role: string | null
}

/** What everyone in an organization can’t do while its plan isn’t paid, and who can change that. */
export const PlanNotice = ({ standing, role }: PlanNoticeProps) => {
  if (!standing) return <></>
  const isOwner = role === 'owner'
  const { title, text, forOwner, forMember } = words[standing]
  return (
    <Notice tone="danger" title={title} text={`${text} ${isOwner ? forOwner : forMember}`}>
      {isOwner ? (
        <div class="actions">
          <ButtonLink label="Open billing" href="/settings/billing" />
        </div>
      ) : null}
    </Notice>
  )
}

const words = {
  unpaid: {
    title: 'An invoice isn’t paid',
    text: 'No apps can be installed and no one can join. What is installed keeps working.',
    forOwner: 'Pay it to lift this.',
    forMember: 'An owner of the organization can pay it.',
  },
  ended: {
    title: 'The subscription has ended',
    text: 'Paid apps are suspended and no one can join. The data of the apps is kept.',
    forOwner: 'Subscribe again to have everything back.',
    forMember: 'Everything is back when an owner of the organization subscribes again.',
  },
}
