import type { RefundDetails } from '#payments/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { liveAt } from '#views/ui/live.ts'
import { StatusMark } from '#views/ui/marks.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import { money } from '../money.ts'
import { ordersTopic } from '../orders/filters.tsx'
import { accountLost } from '../orders/payments.tsx'
import { customerText, refundReasons, refundStates } from '../orders/words.ts'
import { ApprovalCard, changes } from './approval-card.tsx'
import { refundsPath, refundsRoute } from './filters.tsx'

interface RefundProps {
  refund: RefundDetails
  organizationId: string | undefined
}

export const RefundView = ({ refund, organizationId }: RefundProps) => (
  <div id="refund" {...liveAt(`${refundsRoute}/${refund.id}`, ordersTopic(organizationId))}>
    <header class="page-header">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href={refundsPath}>Refunds</a>
      </nav>
      <h1>
        <span safe>{money(refund.amount, refund.currency)}</span>
        <small class="muted" safe>{`Refund for order ${refund.orderNumber}`}</small>
      </h1>
      <StatusMark {...refundStates[refund.status]} />
      <div class="actions">
        {refund.can.check && refund.status !== 'unknown' ? <Action refund={refund} /> : null}
        {refund.can.cancel ? (
          <Button
            id="cancel-refund"
            label="Cancel refund"
            variant="quiet-danger"
            hx-post={`${refundsRoute}/${refund.id}/cancel`}
            {...changes('#refund')}
          />
        ) : null}
        <ButtonLink label="Show order" icon="receipt" href={`/pay/orders/${refund.orderId}`} />
      </div>
    </header>
    <div class="page stack" style="--gap: var(--space-6)">
      {refund.status === 'needs_approval' ? <ApprovalCard refund={refund} place="#refund" /> : null}
      <Explanation refund={refund} />
      <Details refund={refund} />
    </div>
  </div>
)

type OfRefund = Pick<RefundProps, 'refund'>

const Action = ({ refund }: OfRefund) => (
  <Button
    id="check-refund"
    label="Check now"
    icon="rotate-cw"
    hx-post={`${refundsRoute}/${refund.id}/check`}
    {...changes('#refund')}
  />
)

/** After a look at the provider. */
const Decision = ({ refund: { id } }: OfRefund) => (
  <>
    <Button id="open-made" label="It was made" commandfor="made-dialog" command="show-modal" />
    <Button id="open-not-made" label="It wasn’t made" commandfor="not-made-dialog" command="show-modal" />
    <Dialog id="made-dialog" title="Which refund at the provider is it?">
      <Form hx-post={`${refundsRoute}/${id}/resolve`} {...changes('#refund')}>
        <div class="body">
          <input type="hidden" name="outcome" value="made" />
          <TextField
            label="Provider’s ID"
            name="providerRefundId"
            id="made-id"
            required
            autofocus
            autocomplete="off"
            hint="Of a refund of this payment with the same amount, such as re_1AbC"
          />
        </div>
        <DialogButtons dialog="made-dialog" submit="It was made" />
      </Form>
    </Dialog>
    <Dialog id="not-made-dialog" title="The refund wasn’t made?">
      <Form hx-post={`${refundsRoute}/${id}/resolve`} {...changes('#refund')}>
        <div class="body">
          <input type="hidden" name="outcome" value="not_made" />
          <p>It fails, and its amount can be refunded again. Look it up at the provider before.</p>
        </div>
        <DialogButtons dialog="not-made-dialog" submit="It wasn’t made" danger />
      </Form>
    </Dialog>
  </>
)

const Explanation = ({ refund }: OfRefund) => {
  if (refund.status === 'unknown')
    return (
      <Notice
        tone="warning"
        title="We don’t know yet whether it was made"
        text="The provider’s response was lost. The refund is not sent again under another key, so the customer is never refunded twice."
      >
        {refund.failureReason ? <p safe>{refund.failureReason}</p> : null}
        {refund.nextCheckAt ? (
          <p>
            The next check is on <Time at={refund.nextCheckAt} />.
          </p>
        ) : (
          <p>All automatic checks had no result. Look it up at the provider, then say whether it was made.</p>
        )}
        {refund.can.check ? (
          <div class="actions">
            <Action refund={refund} />
            {refund.can.retry ? (
              <Button
                id="retry-refund"
                label="Send again"
                hx-post={`${refundsRoute}/${refund.id}/retry`}
                {...changes('#refund')}
              />
            ) : null}
            {refund.can.resolve ? <Decision refund={refund} /> : null}
          </div>
        ) : null}
      </Notice>
    )
  return refund.status === 'failed' ? (
    <Notice tone="danger" title="The refund failed" text={refund.failureReason ?? undefined}>
      <p>The money is back in your balance.</p>
    </Notice>
  ) : (
    <></>
  )
}

const Details = ({ refund }: OfRefund) => (
  <section class="section" aria-labelledby="refund-details">
    <h2 id="refund-details">Details</h2>
    {refund.accountLostAt ? <small>{accountLost}</small> : null}
    <dl class="facts">
      <dt>Customer</dt>
      <dd class="wrap-anywhere" safe>
        {customerText(refund)}
      </dd>
      <dt>Reason</dt>
      <dd class="wrap-anywhere" safe>
        {[refundReasons[refund.reason], refund.note].filter(Boolean).join(': ')}
      </dd>
      <dt>Requested</dt>
      <dd class="wrap-anywhere">
        <Time at={refund.createdAt} />
        {refund.requestedByName ? <span safe>{` by ${refund.requestedByName}`}</span> : null}
      </dd>
      {refund.decidedAt ? (
        <>
          <dt>
            {refund.status === 'cancelled' ? 'Declined' : refund.decidedBy ? 'Approved' : 'Found at the provider'}
          </dt>
          <dd class="wrap-anywhere">
            <Time at={refund.decidedAt} />
            {refund.decidedByName ? <span safe>{` by ${refund.decidedByName}`}</span> : null}
            {refund.confirmedAlone ? ', alone with a second factor' : null}
          </dd>
        </>
      ) : null}
      {refund.status === 'cancelled' && refund.failureReason ? (
        <>
          <dt>Why</dt>
          <dd class="wrap-anywhere" safe>
            {refund.failureReason}
          </dd>
        </>
      ) : null}
      {refund.checkedAt ? (
        <>
          <dt>Checked</dt>
          <dd>
            <Time at={refund.checkedAt} />
          </dd>
        </>
      ) : null}
      {refund.settledAt ? (
        <>
          <dt>Settled</dt>
          <dd>
            <Time at={refund.settledAt} />
          </dd>
        </>
      ) : null}
      {refund.providerReference ? (
        <>
          <dt>Provider’s ID</dt>
          <dd>
            <code class="wrap-anywhere" safe>
              {refund.providerReference}
            </code>
          </dd>
        </>
      ) : null}
    </dl>
  </section>
)
