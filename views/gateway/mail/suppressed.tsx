import type { Suppression, SuppressionList } from '#gateway/types'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Form, TextField } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { listHref, Pager } from '#views/ui/lists.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { Time } from '#views/ui/time.tsx'

export interface SuppressedProps {
  list: SuppressionList
  q?: string
}

const path = '/gateway/mail/suppressed'
const dialog = 'suppress-address'
const changes = { 'hx-target': '#suppressed', 'hx-swap': 'outerMorph' } as const

export const SuppressedPage = ({ list, q }: SuppressedProps) => (
  <>
    <PageHeader title="Suppressed addresses" crumbs={[{ href: '/gateway/mail', label: 'Email log' }]}>
      {list.can.update ? (
        <div class="actions">
          <Button label="Suppress address" icon="plus" variant="primary" commandfor={dialog} command="show-modal" />
        </div>
      ) : null}
    </PageHeader>
    <div class="page stack" style="--measure: none">
      <p class="muted">
        Nothing is sent to these addresses, except sign-in links and other mail of the platform. An address is added
        when it bounces permanently or its owner reports spam.
      </p>
      <form class="filters" role="search" aria-label="Search addresses" action={path}>
        <label class="input">
          <Icon name="search" />
          <input type="search" name="q" placeholder="Address" aria-label="Address" value={q} />
        </label>
      </form>
      <Suppressed list={list} q={q} />
    </div>
    {list.can.update ? (
      <Dialog id={dialog} title="Suppress an address">
        <Form hx-post="/api/suppressions" {...changes}>
          <div class="body">
            <TextField
              label="Address"
              name="address"
              id="suppressed-address"
              type="email"
              required
              autofocus
              autocomplete="off"
            />
            <TextField label="Note" name="detail" id="suppressed-detail" maxlength="500" hint="Such as why." />
          </div>
          <DialogButtons dialog={dialog} submit="Suppress" />
        </Form>
      </Dialog>
    ) : null}
  </>
)

const reasons: Record<Suppression['reason'], string> = {
  bounce: 'Bounced',
  complaint: 'Reported as spam',
  manual: 'Added by hand',
}

export const Suppressed = ({ list: { items, nextCursor, can }, q }: SuppressedProps) => (
  <div id="suppressed" class="card">
    {items.length > 0 ? (
      <>
        <ul class="list" data-settings aria-label="Suppressed addresses">
          {items.map(({ id, address, reason, detail, createdAt }) => (
            <li>
              <span class="grow">
                <span class="wrap-anywhere" safe>
                  {address}
                </span>
                <small class="wrap-anywhere" safe>
                  {[reasons[reason], detail].filter(Boolean).join('. ')}
                </small>
              </span>
              <small class="muted nowrap">
                <Time at={createdAt} form="shortDay" />
              </small>
              {can.update ? (
                <Button
                  label="Allow sending"
                  aria-label={`Allow sending to ${address}`}
                  size="sm"
                  hx-delete={`/api/suppressions/${id}`}
                  {...changes}
                />
              ) : null}
            </li>
          ))}
        </ul>
        {nextCursor === null ? null : (
          <Pager
            label="More addresses"
            summary={`${items.length} shown`}
            next={listHref(path, { q, cursor: nextCursor })}
          />
        )}
      </>
    ) : q ? (
      <Empty icon="search" title="No results" text="No suppressed address contains this." small />
    ) : (
      <Empty icon="circle-check" title="No suppressed addresses" text="All addresses can receive your emails." small />
    )}
  </div>
)
