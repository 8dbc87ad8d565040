import type { DeadLetter, DeadLetterList } from '#gateway/types'
import { Button } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { listHref, Pager } from '#views/ui/lists.tsx'
import { Dialog, DialogButtons } from '#views/ui/overlays.tsx'
import { PageHeader } from '#views/ui/page-header.tsx'
import { Time, TimesIn } from '#views/ui/time.tsx'
import { amount } from '../money.ts'

const changes = { 'hx-target': '#dead-letters', 'hx-swap': 'outerMorph' } as const

export const DeadLettersPage = ({ list }: { list: DeadLetterList }) => (
  <>
    <PageHeader title="Dead letters" status={<TimesIn />} />
    <div class="page stack" style="--measure: none">
      <p class="muted">
        Emails that couldn’t be sent within their retries. Those that a mail server rejected are in the email log.
      </p>
      <DeadLetters list={list} />
    </div>
  </>
)

export const DeadLetters = ({ list: { items, count, nextCursor } }: { list: DeadLetterList }) => (
  <section id="dead-letters" class="card" aria-labelledby="dead-letters-title">
    <header>
      <h2 id="dead-letters-title" tabindex="-1" safe>
        {count === 1 ? '1 email' : `${amount(count)} emails`}
      </h2>
    </header>
    {items.length > 0 ? (
      <ul class="list letters-list" data-settings aria-label="Failed emails, newest first">
        {items.map((letter) => (
          <Letter letter={letter} />
        ))}
      </ul>
    ) : (
      <Empty icon="circle-check" title="No dead letters" text="Emails that run out of retries appear here." small />
    )}
    {nextCursor === null ? null : (
      <Pager
        label="More emails"
        summary={`${items.length} shown`}
        next={listHref('/gateway/dead-letters', { cursor: nextCursor })}
        action="Older"
      />
    )}
  </section>
)

const Letter = ({ letter }: { letter: DeadLetter }) => {
  const { id, mailId, subject, recipient, fromAddress, error, attempts, failedAt, can } = letter
  const title = subject || '(no subject)'
  return (
    <li>
      <span class="grow">
        <a class="wrap-anywhere" href={`/gateway/mail/${mailId}`} safe>
          {title}
        </a>
        <small class="wrap-anywhere" safe>{`From ${fromAddress} to ${recipient}`}</small>
        <small class="wrap-anywhere" safe>
          {`${error ?? 'No error message.'} ${attempts === 1 ? '1 attempt' : `${attempts} attempts`}.`}
        </small>
        {failedAt ? (
          <small class="muted">
            <Time at={failedAt} form="moment" />
          </small>
        ) : null}
      </span>
      <span class="actions">
        {can.retry ? (
          <Button
            label="Retry"
            aria-label={`Retry ${title} to ${recipient}`}
            icon="rotate-cw"
            size="sm"
            commandfor={`retry-${id}`}
            command="show-modal"
          />
        ) : null}
        {can.discard ? (
          <Button
            label="Discard"
            aria-label={`Discard ${title} to ${recipient}`}
            size="sm"
            commandfor={`discard-${id}`}
            command="show-modal"
          />
        ) : null}
      </span>
      {can.retry ? (
        <Dialog id={`retry-${id}`} title="Send this email again?">
          <Form hx-post={`/api/dead-letters/${id}/retry`} {...changes}>
            <div class="body">
              <p>If an earlier attempt was interrupted, the recipient can get it twice.</p>
            </div>
            <DialogButtons dialog={`retry-${id}`} submit="Retry" focusCancel />
          </Form>
        </Dialog>
      ) : null}
      {can.discard ? (
        <Dialog id={`discard-${id}`} title="Discard this email?">
          <Form hx-delete={`/api/dead-letters/${id}`} {...changes}>
            <div class="body">
              <p>It isn’t sent anymore. It stays in the email log.</p>
            </div>
            <DialogButtons dialog={`discard-${id}`} submit="Discard" danger focusCancel />
          </Form>
        </Dialog>
      ) : null}
    </li>
  )
}
