import type { SettlementDetails } from '#payments/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { liveAt } from '#views/ui/live.ts'
import { StatusMark } from '#views/ui/marks.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import { AloneDialog } from '../alone-dialog.tsx'
import { money } from '../money.ts'
import { Callbacks, changesBatch } from './callbacks.tsx'
import { settlementsPath, settlementsRoute, settlementsTopic } from './list.tsx'
import { Progress } from './progress.tsx'
import { secretsDialog } from './secrets.tsx'
import { batchStates, failureTexts, shortAccount } from './words.ts'

interface SettlementProps {
  batch: SettlementDetails
  organizationId: string | undefined
}

type OfBatch = Pick<SettlementProps, 'batch'>

const routeOf = ({ batchId }: SettlementDetails): string => `${settlementsRoute}/${encodeURIComponent(batchId)}`
const totalOf = ({ controlSum, currency }: SettlementDetails): string => money(controlSum, currency)

/** One response has all parts of the page, and each takes its own. */
const livePart = (
  batch: SettlementDetails,
  organizationId: string | undefined,
  part: '#settlement' | '#settlement-callbacks',
) => ({
  ...liveAt(routeOf(batch), settlementsTopic(organizationId)),
  'hx-select': part,
})

/** What a change replaces: all but the items. */
export const SettlementParts = (props: SettlementProps) => (
  <>
    <SettlementView {...props} />
    <SettlementCallbacks {...props} />
  </>
)

export const SettlementCallbacks = ({ batch, organizationId }: SettlementProps) => (
  <div id="settlement-callbacks" class="page" {...livePart(batch, organizationId, '#settlement-callbacks')}>
    <Callbacks batch={batch} />
  </div>
)

export const SettlementView = ({ batch, organizationId }: SettlementProps) => (
  <div id="settlement" {...livePart(batch, organizationId, '#settlement')}>
    <header class="page-header">
      <nav class="crumbs" aria-label="Breadcrumb">
        <a href={settlementsPath}>Settlements</a>
      </nav>
      <h1 class="wrap-anywhere">
        <span safe>{totalOf(batch)}</span>
        <small class="muted" safe>{`Batch ${batch.batchId}`}</small>
      </h1>
      <StatusMark {...batchStates[batch.status]} />
      <div class="actions">
        <span class="wide-only">
          <ButtonLink label="Export items" icon="download" variant="ghost" href={`${routeOf(batch)}/items/export`} />
        </span>
        {batch.can.check && batch.totals.unknown.items === 0 ? <Check batch={batch} label="Check now" /> : null}
      </div>
    </header>
    <div class="page split">
      <div class="stack" style="--gap: var(--space-6)">
        {batch.status === 'needs_approval' ? <ApprovalCard batch={batch} /> : null}
        <Explanation batch={batch} />
        <Progress batch={batch} />
      </div>
      <Facts batch={batch} />
    </div>
  </div>
)

const Check = ({ batch, label }: OfBatch & { label: string }) => (
  <Button id="check-batch" label={label} icon="rotate-cw" hx-post={`${routeOf(batch)}/check`} {...changesBatch} />
)

const Explanation = ({ batch }: OfBatch) => {
  const { totals, currency, failure, missingAmount, nextCheckAt } = batch
  if (totals.unknown.items > 0)
    return (
      <Notice
        tone="warning"
        title={`We don’t know yet whether ${money(totals.unknown.amount, currency)} was sent`}
        text="The provider’s response was lost. To avoid paying twice, it is not sent again before the provider confirms that nothing was made."
      >
        <p>
          {nextCheckAt ? (
            <>
              The next check is on <Time at={nextCheckAt} />.
            </>
          ) : (
            'All automatic checks had no result. Check again, or look it up at the provider.'
          )}
        </p>
        {batch.can.check ? (
          <div class="actions">
            <Check batch={batch} label="Check now" />
          </div>
        ) : null}
      </Notice>
    )
  if (failure === null) return <></>
  return (
    <Notice
      tone="danger"
      title={failureTexts[failure]}
      text={missingAmount === null ? undefined : `${money(missingAmount, currency)} was missing.`}
    />
  )
}

const declineDialog = 'decline-batch'
const approveDialog = 'approve-batch'

const ApprovalCard = ({ batch }: OfBatch) => {
  const { largest, newRecipients, currency, itemCount, ceiling, can } = batch
  return (
    <section class="card" aria-labelledby="approval">
      <header>
        <h2 id="approval" safe>{`Approve ${totalOf(batch)}?`}</h2>
      </header>
      <div class="body stack">
        <dl class="facts">
          <dt>Control sum</dt>
          <dd safe>{`${totalOf(batch)}, matches all ${itemCount.toLocaleString('en')} items`}</dd>
          <dt>Largest item</dt>
          <dd class="wrap-anywhere" safe>
            {`${money(largest.amount, currency)} to ${shortAccount(largest.recipient)}, paid ${largest.paidBefore} times before`}
          </dd>
          <dt>New recipients</dt>
          <dd
            safe
          >{`${newRecipients.count.toLocaleString('en')}, ${money(newRecipients.amount, currency)} in total`}</dd>
        </dl>
        {can.confirmAlone ? (
          <Notice
            title="No one else can approve this"
            text="You requested it, and no other member has the permission. As the owner you can confirm it with your second factor, which the audit log shows."
          />
        ) : null}
        {can.approve ? null : (
          <Notice title="Waiting for a second person" text="Another member with the permission has to approve it." />
        )}
      </div>
      <footer>
        {can.approve ? <Approve batch={batch} /> : null}
        {can.decline ? (
          <Button id="open-decline" label="Decline" commandfor={declineDialog} command="show-modal" />
        ) : null}
        {ceiling === null ? null : (
          <small
            class="push"
            safe
          >{`More than ${money(ceiling, currency)} of one requester within 24 hours needs a second person.`}</small>
        )}
      </footer>
      {can.decline ? (
        <Dialog id={declineDialog} title={`Decline batch ${batch.batchId}?`}>
          <Form hx-post={`${routeOf(batch)}/decline`} {...changesBatch}>
            <div class="body">
              <p>Nothing is paid. The program that sent it is told by a callback. This can’t be undone.</p>
            </div>
            <DialogButtons dialog={declineDialog} submit="Decline" danger focusCancel />
          </Form>
        </Dialog>
      ) : null}
    </section>
  )
}

const Approve = ({ batch }: OfBatch) =>
  batch.can.confirmAlone ? (
    <>
      <Button
        id="open-approve"
        label={`Approve ${totalOf(batch)}`}
        icon="check"
        variant="primary"
        commandfor={approveDialog}
        command="show-modal"
      />
      <AloneDialog
        id={approveDialog}
        title={`Approve ${totalOf(batch)} alone?`}
        submit="Approve"
        codeId="approve-code"
        hx-post={`${routeOf(batch)}/approve`}
        {...changesBatch}
      />
    </>
  ) : (
    <Button
      id="approve-batch-now"
      label={`Approve ${totalOf(batch)}`}
      icon="check"
      variant="primary"
      hx-post={`${routeOf(batch)}/approve`}
      {...changesBatch}
    />
  )

const Facts = ({ batch }: OfBatch) => (
  <aside class="section" aria-labelledby="batch-details">
    <h2 id="batch-details">Details</h2>
    <dl class="facts">
      <dt>From</dt>
      <dd class="wrap-anywhere" safe>
        {batch.requestingService ?? (batch.requesterKind === 'person' ? 'A member' : 'An API key')}
      </dd>
      <dt>Received</dt>
      <dd>
        <Time at={batch.createdAt} form="exact" />
      </dd>
      {batch.finishedAt ? (
        <>
          <dt>Finished</dt>
          <dd>
            <Time at={batch.finishedAt} form="exact" />
          </dd>
        </>
      ) : null}
      <dt>Control sum</dt>
      <dd safe>{`${totalOf(batch)}, matches`}</dd>
      <dt>Currency</dt>
      <dd safe>{batch.currency}</dd>
      <dt>Repeats</dt>
      <dd safe>{batch.repeats === 0 ? 'None' : `${batch.repeats.toLocaleString('en')} identical, ignored`}</dd>
      {batch.decidedAt ? (
        <>
          <dt>Decided</dt>
          <dd>
            <Time at={batch.decidedAt} />
            {batch.confirmedAlone ? ', alone with a second factor' : null}
          </dd>
        </>
      ) : null}
      <dt>Callback URL</dt>
      <dd>
        <code class="wrap-anywhere" safe>
          {batch.callbackUrl}
        </code>
      </dd>
    </dl>
    {batch.can.replay ? (
      <div class="actions">
        <Button label="Callback secrets" icon="key-round" size="sm" commandfor={secretsDialog} command="show-modal" />
      </div>
    ) : null}
  </aside>
)
