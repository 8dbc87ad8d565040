import type { RefundDetails, RefundFilter, RefundList } from '#payments/types'
import { Button } from '#views/ui/button.tsx'
import { actions, DataTable, number } from '#views/ui/data-table.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { listHref } from '#views/ui/lists.tsx'
import { liveAt } from '#views/ui/live.ts'
import { StatusMark } from '#views/ui/marks.tsx'
import { MenuItem, MenuLink, RowMenu } from '#views/ui/overlays.tsx'
import { Time, viewerZone, viewerZoneName } from '#views/ui/time.tsx'
import { More } from '../filters.tsx'
import { money } from '../money.ts'
import { NoRows } from '../no-rows.tsx'
import { ordersTopic } from '../orders/filters.tsx'
import { CopyId } from '../orders/table.tsx'
import { customerText, refundReasons, refundStates } from '../orders/words.ts'
import { ApprovalCard, changes } from './approval-card.tsx'
import { isNarrowed, refundsHref, refundsPath, refundsRoute } from './filters.tsx'
import { newRefundDialog } from './new-dialog.tsx'

export interface RefundTableProps {
  list: RefundList
  query: RefundFilter
  organizationId: string | undefined
}

/** What waits for an approval, and below it the list. */
export const RefundTable = ({ list, query, organizationId }: RefundTableProps) => (
  <div id="refunds" class="stack" {...liveAt(listHref(refundsRoute, query), ordersTopic(organizationId))}>
    {list.waiting.map((refund) => (
      <ApprovalCard refund={refund} place="#refunds" />
    ))}
    {list.items.length > 0 ? <Rows list={list} query={query} /> : <NoRefunds list={list} query={query} />}
  </div>
)

type ListProps = Omit<RefundTableProps, 'organizationId'>

const Rows = ({ list, query }: ListProps) => (
  <div class="bleed">
    <DataTable
      name="refunds"
      caption={`Refunds, newest first, times in ${viewerZone()}`}
      columns={[
        number('Amount'),
        'Status',
        'Order',
        'Customer',
        'Reason',
        number(`Time (${viewerZoneName()})`),
        actions,
      ]}
    >
      <tbody>
        {list.items.map((refund) => (
          <Row refund={refund} />
        ))}
      </tbody>
    </DataTable>
    <More
      noun="refunds"
      shown={list.items.length}
      nextCursor={list.nextCursor}
      query={query}
      page={refundsPath}
      from={refundsRoute}
      target="#refunds"
    />
  </div>
)

interface OfRefund {
  refund: RefundDetails
}

const Row = ({ refund }: OfRefund) => {
  const href = `${refundsPath}/${refund.id}`
  return (
    <tr id={`refund-${refund.id}`}>
      <td data-num data-at="end">
        <b safe>{money(refund.amount, refund.currency)}</b>
      </td>
      <td data-at="sub">
        <StatusMark {...refundStates[refund.status]} />
        <WhyText refund={refund} />
      </td>
      <td class="nowrap">
        <a class="row-link" href={href} safe>
          {refund.orderNumber}
        </a>
      </td>
      <td data-at="title" class="wrap-anywhere">
        <a class="row-link narrow-only" href={href} safe>
          {`${refund.orderNumber} · `}
        </a>
        <span safe>{customerText(refund)}</span>
      </td>
      <td class="wrap-anywhere">
        <span safe>{refundReasons[refund.reason]}</span>
        {refund.requestedByName ? <small safe>{refund.requestedByName}</small> : null}
      </td>
      <td data-num data-at="time">
        <Time at={refund.createdAt} form="moment" />
      </td>
      <td data-at="menu">
        <RowMenu
          id={`menu-${refund.id}`}
          label={`Actions for the refund of ${money(refund.amount, refund.currency)} of order ${refund.orderNumber}`}
        >
          <MenuLink label="Show order" icon="receipt" href={`/pay/orders/${refund.orderId}`} />
          {refund.can.check ? (
            <MenuItem
              label="Check now"
              icon="rotate-cw"
              hx-post={`${refundsRoute}/${refund.id}/check`}
              {...changes('#refunds')}
            />
          ) : null}
          {refund.can.cancel ? (
            <MenuItem
              label="Cancel refund"
              icon="circle-slash"
              danger
              hx-post={`${refundsRoute}/${refund.id}/cancel`}
              {...changes('#refunds')}
            />
          ) : null}
          <CopyId id={refund.id} />
        </RowMenu>
      </td>
    </tr>
  )
}

const WhyText = ({ refund }: OfRefund) => {
  const { status, nextCheckAt, failureReason } = refund
  if (status === 'unknown')
    return (
      <>
        <small>
          The provider didn’t respond. It is not sent again.
          {nextCheckAt ? (
            <>
              {' '}
              Next check <Time at={nextCheckAt} form="moment" />.
            </>
          ) : null}
        </small>
        {refund.can.check ? (
          <span class="actions">
            <Button
              id={`check-${refund.id}`}
              label="Check now"
              aria-label={`Check now: refund of order ${refund.orderNumber}`}
              icon="rotate-cw"
              size="sm"
              hx-post={`${refundsRoute}/${refund.id}/check`}
              {...changes('#refunds')}
            />
          </span>
        ) : null}
      </>
    )
  if (status === 'needs_approval') return <small>Waiting for a second person</small>
  return failureReason ? (
    <small class="wrap-anywhere" safe>
      {failureReason}
    </small>
  ) : (
    <></>
  )
}

const NoRefunds = ({ list, query }: ListProps) => (
  <NoRows
    noun="refunds"
    isNarrowed={isNarrowed(query) || query.cursor !== undefined}
    clear={refundsHref({ status: query.status })}
    all={refundsPath}
    status={query.status && refundStates[query.status]}
  >
    <Empty
      icon="undo-2"
      title="No refunds yet"
      text="Money that goes back to customers appears here, with who requested and approved it, until it has arrived."
    >
      {list.can.create ? (
        <Button label="New refund" icon="plus" variant="primary" commandfor={newRefundDialog} command="show-modal" />
      ) : null}
    </Empty>
  </NoRows>
)
