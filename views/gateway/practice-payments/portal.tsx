import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Time } from '#views/ui/time.tsx'

interface Subscription {
  id: string
  amount: string
  endsAt: string | null
}

interface PortalProps {
  action: string
  subscriptions: Subscription[]
  returnUrl: string | null
}

export const PortalCard = ({ action, subscriptions, returnUrl }: PortalProps) => (
  <section class="card">
    <header>
      <h1>Billing</h1>
      <p class="muted">{subscriptions.length === 0 ? 'No subscriptions' : 'Your subscriptions'}</p>
    </header>
    {subscriptions.map((subscription) => (
      <PortalSubscription action={action} subscription={subscription} />
    ))}
    {returnUrl ? <ButtonLink label="Back" href={returnUrl} /> : null}
  </section>
)

const PortalSubscription = ({
  action,
  subscription: { id, amount, endsAt },
}: {
  action: string
  subscription: Subscription
}) => (
  <form class="row" method="post" action={action}>
    <input type="hidden" name="subscription" value={id} />
    <span class="grow">
      <b safe>{amount}</b>
      {endsAt ? (
        <small class="muted">
          Ends <Time at={endsAt} form="date" />
        </small>
      ) : null}
    </span>
    {endsAt ? (
      <Button label="Renew" type="submit" name="outcome" value="renew" />
    ) : (
      <Button label="Cancel subscription" type="submit" name="outcome" value="cancel" />
    )}
  </form>
)
