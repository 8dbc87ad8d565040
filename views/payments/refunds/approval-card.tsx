import type { RefundDetails } from '#payments/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { Avatar, StatusMark } from '#views/ui/marks.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import { AloneDialog } from '../alone-dialog.tsx'
import { money } from '../money.ts'
import { customerText, refundReasons, refundStates } from '../orders/words.ts'
import { refundsPath, refundsRoute } from './filters.tsx'

/** The part of the page that a decision replaces. */
export type Place = '#refunds' | '#refund'

interface OfRefund {
  refund: RefundDetails
  place: Place
}

export const changes = (place: Place) =>
  ({ 'hx-target': place, 'hx-swap': 'outerMorph', 'data-refresh': place }) as const

const declineDialog = ({ id }: RefundDetails): string => `decline-${id}`
const approveDialog = ({ id }: RefundDetails): string => `approve-${id}`
const amountOf = ({ amount, currency }: RefundDetails): string => money(amount, currency)

/** What a second person decides about, with what they need to know. */
export const ApprovalCard = ({ refund, place }: OfRefund) => {
  const { id, requestedByName, orderNumber, createdAt } = refund
  const requester = requestedByName ?? 'A program'
  return (
    <section class="card review" id={`approval-${id}`} aria-labelledby={`approval-${id}-title`}>
      <header>
        <Avatar name={requester} seed={refund.requestedBy ?? requester} />
        <div class="grow">
          <h2 id={`approval-${id}-title`} class="wrap-anywhere" safe>
            {`${requester} requested a ${amountOf(refund)} refund`}
          </h2>
          <small class="wrap-anywhere">
            <span safe>{`To ${customerText(refund)} for order ${orderNumber}, `}</span>
            <Time at={createdAt} form="moment" />
          </small>
        </div>
        <StatusMark {...refundStates.needs_approval} />
      </header>
      <div class="body stack">
        <Facts refund={refund} />
        <Explanation refund={refund} />
      </div>
      <footer>
        {refund.can.approve ? <Approve refund={refund} place={place} /> : null}
        {refund.can.decline ? (
          <Button id={`open-decline-${id}`} label="Decline" commandfor={declineDialog(refund)} command="show-modal" />
        ) : null}
        {place === '#refunds' ? (
          <ButtonLink label="Show refund" variant="ghost" href={`${refundsPath}/${id}`} />
        ) : (
          <ButtonLink label="Show order" variant="ghost" href={`/pay/orders/${refund.orderId}`} />
        )}
      </footer>
      {refund.can.decline ? <DeclineDialog refund={refund} place={place} /> : null}
    </section>
  )
}

const Facts = ({ refund: { approval, reason, note, currency } }: Pick<OfRefund, 'refund'>) => (
  <>
    <dl class="facts">
      {approval?.items.map(({ name, quantity }) => (
        <>
          <dt>Item</dt>
          <dd class="wrap-anywhere" safe>{`${quantity} × ${name}`}</dd>
        </>
      ))}
      <dt>Reason</dt>
      <dd safe>{refundReasons[reason]}</dd>
      {approval ? (
        <>
          <dt>Paid</dt>
          <dd safe>{money(approval.paid, currency)}</dd>
          <dt>Already refunded</dt>
          <dd safe>{money(approval.refunded, currency)}</dd>
          <dt>Balance after</dt>
          <dd safe>{money(approval.balanceAfter, currency)}</dd>
        </>
      ) : null}
    </dl>
    {note ? <blockquote class="prose wrap-anywhere" safe>{`“${note}”`}</blockquote> : null}
  </>
)

const Explanation = ({ refund: { approval, can, currency } }: Pick<OfRefund, 'refund'>) => (
  <>
    {can.approve && approval && approval.balanceAfter < 0 ? (
      <Notice
        tone="warning"
        title="The balance doesn’t cover it"
        text="The provider can refuse the refund, or take the difference from your bank account."
      />
    ) : null}
    {can.confirmAlone ? (
      <Notice
        title="No one else can approve this"
        text="You requested it, and no other member has the permission to refund. As the owner you can confirm it with your second factor, which the audit log shows."
      />
    ) : null}
    {can.approve ? null : (
      <Notice
        title="Waiting for a second person"
        text="Another member with the permission to refund has to approve it."
      />
    )}
    <p class="small muted">
      The money reaches the customer in 5 to 10 days. A refund can’t be taken back.
      {approval?.ceiling ? (
        <span safe>{` Refunds above ${money(approval.ceiling, currency)} need a second person.`}</span>
      ) : null}
    </p>
  </>
)

const Approve = ({ refund, place }: OfRefund) =>
  refund.can.confirmAlone ? (
    <>
      <Button
        id={`open-approve-${refund.id}`}
        label={`Approve ${amountOf(refund)}`}
        icon="check"
        variant="primary"
        commandfor={approveDialog(refund)}
        command="show-modal"
      />
      <AloneDialog
        id={approveDialog(refund)}
        title={`Approve ${amountOf(refund)} alone?`}
        submit="Approve"
        codeId={`code-${refund.id}`}
        hx-post={`${refundsRoute}/${refund.id}/approve`}
        {...changes(place)}
      />
    </>
  ) : (
    <Button
      id={`approve-${refund.id}`}
      label={`Approve ${amountOf(refund)}`}
      icon="check"
      variant="primary"
      hx-post={`${refundsRoute}/${refund.id}/approve`}
      {...changes(place)}
    />
  )

const DeclineDialog = ({ refund, place }: OfRefund) => (
  <Dialog id={declineDialog(refund)} title={`Decline the ${amountOf(refund)} refund?`}>
    <Form hx-post={`${refundsRoute}/${refund.id}/decline`} {...changes(place)}>
      <div class="body">
        <TextField
          label="Note"
          name="note"
          id={`decline-note-${refund.id}`}
          maxlength={1000}
          autofocus
          autocomplete="off"
          hint="Optional. The requester sees it."
        />
      </div>
      <DialogButtons dialog={declineDialog(refund)} submit="Decline" danger />
    </Form>
  </Dialog>
)
