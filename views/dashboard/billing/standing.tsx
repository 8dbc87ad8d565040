import type { Billing } from '#dashboard/types'
import { counted } from '#lib/text.ts'
import { dayInWords } from '#lib/time.ts'
import { ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'

type Subscription = NonNullable<Billing['subscription']>

const day = (at: string | null): string => (at === null ? 'a later day' : dayInWords(new Date(at)))

/** What is wrong with the payments, what happens next and when. */
export const Standing = ({ subscription, seats }: { subscription: Subscription; seats: Billing['seats'] }) => (
  <>
    <PaymentNotice subscription={subscription} />
    {seats.paid !== null && seats.used > seats.paid ? (
      <Notice
        tone="warning"
        title={`You’re using ${counted(seats.used, 'seat')} but paying for ${seats.paid}`}
        text="Everyone keeps working, but no one can join. Add seats or remove members."
      >
        <ButtonLink label="Manage members" size="sm" href="/settings/members" />
      </Notice>
    ) : null}
  </>
)

const PaymentNotice = ({ subscription }: { subscription: Subscription }) => {
  const { access, dunning, keptUntil, cancelAtPeriodEnd, cancelAt, currentPeriodEndsAt } = subscription
  if (subscription.package === 'free' && (access !== 'full' || dunning))
    return (
      <Notice
        tone="warning"
        title="The yearly verification isn’t paid"
        text={`The organization keeps its seat and its free apps. ${dunning ? 'Pay the open invoice below to verify it again' : 'Contact us to verify it again'}, or choose a package.`}
      />
    )
  if (access === 'ended')
    return (
      <Notice
        tone="danger"
        title="The subscription has ended"
        text={`Paid apps are suspended. Their data is kept until at least ${day(keptUntil)}, and everything is back when you subscribe again.`}
      />
    )
  if (access === 'read_only')
    return (
      <Notice
        tone="danger"
        title="An invoice isn’t paid"
        text={`No apps can be installed and no one can join. As soon as it is paid, everything works again. Nothing is deleted before ${day(keptUntil)}.`}
      />
    )
  if (dunning)
    return (
      <Notice
        tone="warning"
        title="The last payment failed"
        text={`${dunning.nextAttemptAt ? `We try again on ${day(dunning.nextAttemptAt)}.` : 'We won’t try again.'} Everything works until ${day(dunning.readOnlyAt)}; after that no apps can be installed and no one can join until the invoice is paid. Pay it below.`}
      />
    )
  if (cancelAtPeriodEnd)
    return (
      <Notice
        title={`The subscription ends on ${day(cancelAt ?? currentPeriodEndsAt)}`}
        text="Until then everything works. After that paid apps are suspended and their data is kept for 90 days."
      />
    )
  return <span hidden />
}
