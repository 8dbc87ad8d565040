import type { ProposedCorrection, ReconciliationDifference } from '#payments/types'
import { listHref } from '#views/ui/lists.tsx'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Fold } from '#views/ui/fold.tsx'
import { Field, Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { liveAt } from '#views/ui/live.ts'
import { Badge } from '#views/ui/marks.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import { More } from '../filters.tsx'
import { accountNames } from '../ledger/words.ts'
import { money } from '../money.ts'
import type { DifferencesProps } from './props.ts'
import { Settled } from './settled.tsx'
import { differenceIcons, reconciliationPath, reconciliationRoute, reconciliationTopic } from './words.ts'

const route = `${reconciliationRoute}/differences`
const changes = { 'hx-target': '#differences', 'hx-swap': 'outerMorph', 'data-refresh': '#differences' } as const

/** Open ones as cards, others as a table. */
export const Differences = (props: DifferencesProps) =>
  props.query.status === 'open' ? <Open {...props} /> : <Settled {...props} />

const Open = ({ list: { items, nextCursor }, query, organizationId }: DifferencesProps) => (
  <section
    class="section"
    id="differences"
    aria-labelledby="differences-title"
    {...liveAt(listHref(route, query), reconciliationTopic(organizationId))}
  >
    <header>
      <h2 id="differences-title">Open differences</h2>
      {items.length > 0 ? <Badge label={nextCursor === null ? items.length : `${items.length}+`} count /> : null}
      <small class="below">Nothing is recorded until you decide</small>
    </header>
    {items.length === 0 ? (
      <Empty
        icon="shield-check"
        title="No open differences"
        text="What the ledger and the payment provider don’t agree about appears here, with what to do about it."
        small
      />
    ) : (
      <div class="stack" style="--gap: .75rem">
        {items.map((difference) => (
          <Card difference={difference} />
        ))}
        {nextCursor === null ? null : (
          <More
            noun="differences"
            shown={items.length}
            nextCursor={nextCursor}
            query={query}
            page={reconciliationPath}
            from={route}
            target="#differences"
          />
        )}
      </div>
    )}
  </section>
)

interface OfDifference {
  difference: ReconciliationDifference
}

const Card = ({ difference }: OfDifference) => {
  const { id, kind, title, advice, orderNumber, occurredAt, proposal, currency } = difference
  return (
    <section class="card difference" id={`difference-${id}`} aria-labelledby={`difference-${id}-title`}>
      <span class="app-mark" data-tone="plain">
        <Icon name={differenceIcons[kind]} />
      </span>
      <div class="body">
        <h3 id={`difference-${id}-title`} class="wrap-anywhere" safe>
          {title}
        </h3>
        <p class="wrap-anywhere">
          {orderNumber ? <span safe>{`Order ${orderNumber}. `}</span> : null}
          {occurredAt ? (
            <>
              <Time at={occurredAt} form="moment" />
              {'. '}
            </>
          ) : null}
          <span safe>{advice}</span>
        </p>
        {kind === 'run_failed' ? null : <Sides difference={difference} />}
        {proposal.length > 0 && currency ? (
          <Fold summary="Entries to record">
            {proposal.map((correction) => (
              <Entries correction={correction} />
            ))}
          </Fold>
        ) : null}
      </div>
      <Decisions difference={difference} />
    </section>
  )
}

/** A movement of which only the fee differs shows fees. */
const isOfFee = ({ kind, ledgerAmount, providerAmount, ledgerFee, providerFee }: ReconciliationDifference): boolean =>
  kind === 'amount_differs' &&
  ledgerFee !== null &&
  providerFee !== null &&
  (providerAmount ?? 0) - (ledgerAmount ?? 0) === ledgerFee - providerFee

const Sides = ({ difference }: OfDifference) => {
  const { kind, currency, ledgerState, providerState } = difference
  const ofFee = isOfFee(difference)
  const ours = ofFee ? difference.ledgerFee : difference.ledgerAmount
  const theirs = ofFee ? difference.providerFee : difference.providerAmount
  const amount = (units: number | null) => (units === null ? 'Nothing' : money(units, currency ?? ''))
  const gap = (theirs ?? 0) - (ours ?? 0)
  return (
    <dl class="stats" style="--min: 7rem">
      <div class="stat">
        <dt>Ledger</dt>
        <dd safe>{amount(ours)}</dd>
        <dd safe>
          {ledgerState ?? (ofFee ? 'fee recorded' : kind === 'missing_in_ledger' ? 'not recorded' : 'recorded')}
        </dd>
      </div>
      <div class="stat">
        <dt>Provider</dt>
        <dd safe>{amount(theirs)}</dd>
        <dd safe>{providerState ?? (ofFee ? 'fee charged' : (difference.providerReference ?? 'balance'))}</dd>
      </div>
      {gap === 0 ? null : (
        <div class="stat">
          <dt>Difference</dt>
          <dd>
            <span class="off" safe>
              {money(gap, currency ?? '')}
            </span>
          </dd>
        </div>
      )}
    </dl>
  )
}

const shownAmount = (amount: number, currency: string): string => (amount > 0 ? money(amount, currency) : '')

const Entries = ({ correction: { entries, currency } }: { correction: ProposedCorrection }) => (
  <table class="table">
    <caption class="visually-hidden">Entries to record</caption>
    <thead>
      <tr>
        <th scope="col">Account</th>
        <th scope="col" data-num>
          Debit
        </th>
        <th scope="col" data-num>
          Credit
        </th>
      </tr>
    </thead>
    <tbody>
      {entries.map(({ account, amount }) => (
        <tr>
          <th scope="row" safe>
            {accountNames[account]}
          </th>
          <td data-num safe>
            {shownAmount(amount, currency)}
          </td>
          <td data-num safe>
            {shownAmount(-amount, currency)}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Decisions = ({ difference }: OfDifference) => {
  const { id, title, can, orderId, batchId } = difference
  const at = `${route}/${id}`
  return (
    <div class="actions">
      {can.record ? (
        <Button
          id={`record-${id}`}
          label={recordLabel(difference)}
          aria-label={`${recordLabel(difference)}: ${title}`}
          variant="primary"
          hx-post={`${at}/record`}
          hx-confirm={`${title}. Record the entries in the ledger? They can’t be deleted later, only corrected.`}
          {...changes}
        />
      ) : null}
      {can.check ? (
        <Button
          id={`check-${id}`}
          label="Check at the provider"
          aria-label={`Check at the provider: ${title}`}
          icon="rotate-cw"
          hx-post={`${at}/check`}
          {...changes}
        />
      ) : null}
      {can.explain ? (
        <>
          <Button
            id={`open-explain-${id}`}
            label="Mark as explained"
            aria-label={`Mark as explained: ${title}`}
            icon="pen-line"
            variant="ghost"
            commandfor={`explain-${id}`}
            command="show-modal"
          />
          <ExplainDialog difference={difference} />
        </>
      ) : null}
      {orderId ? <ButtonLink label="View order" variant="ghost" href={`/pay/orders/${orderId}`} /> : null}
      {batchId ? (
        <ButtonLink label="View batch" variant="ghost" href={`/pay/settlements/${encodeURIComponent(batchId)}`} />
      ) : null}
    </div>
  )
}

const recordLabel = ({ kind }: ReconciliationDifference): string =>
  kind === 'missing_at_provider' ? 'Record the return' : 'Record the difference'

const ExplainDialog = ({ difference: { id, title } }: OfDifference) => (
  <Dialog id={`explain-${id}`} title="Mark as explained">
    <Form hx-post={`${route}/${id}/explain`} {...changes}>
      <div class="body stack">
        <p
          class="muted wrap-anywhere"
          safe
        >{`${title}. Nothing is recorded. It is open again if its amounts change.`}</p>
        <Field label="Explanation" id={`note-${id}`}>
          <textarea
            class="input"
            id={`note-${id}`}
            name="note"
            required
            maxlength={1000}
            aria-describedby={`note-${id}-error`}
          />
        </Field>
      </div>
      <DialogButtons dialog={`explain-${id}`} submit="Mark as explained" />
    </Form>
  </Dialog>
)
