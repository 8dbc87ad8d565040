import type { DemoBookingDetail } from '#dashboard/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { timeText } from '#views/ui/time.tsx'
import { SlotChoice, SlotRefusal, type SlotWeek } from './demo.tsx'
import type { Refusable } from './fields.tsx'

export interface BookingProps extends Refusable {
  token: string
  booking: DemoBookingDetail
  /** Undefined for a canceled one. */
  week?: SlotWeek
  changed?: boolean
}

export const Booking = (props: BookingProps) => {
  const { booking, changed } = props
  const { startsAt, endsAt, timeZone, state } = booking
  const isBooked = state === 'booked'
  return (
    <section class="counter" data-narrow>
      <header>
        <p class="eyebrow">
          <Icon name={isBooked ? 'circle-check' : 'circle-slash'} />
          {isBooked ? 'Booked' : 'Canceled'}
        </p>
        <h1 safe>{`${timeText(startsAt, timeZone, 'date')}, ${timeText(startsAt, timeZone, 'time')}`}</h1>
        <p class="lead" safe>
          {`${timeZone} time, until ${timeText(endsAt, timeZone, 'time')}.`}
        </p>
      </header>
      <div class="stack" style="--gap: 1.5rem">
        {changed ? <Notice tone="info" role="status" title="Moved. A new invitation is in your mailbox" /> : null}
        <Facts booking={booking} />
        {isBooked ? <Changes {...props} /> : <ButtonLink label="Book another time" variant="primary" href="/demo" />}
      </div>
    </section>
  )
}

const Facts = ({ booking: { meetingUrl, message, email, reference } }: { booking: DemoBookingDetail }) => (
  <section class="card" aria-label="Your demo">
    <div class="body">
      <dl class="facts">
        <dt>Where</dt>
        <dd>
          {meetingUrl ? (
            <a class="link wrap-anywhere" href={meetingUrl} safe>
              {meetingUrl}
            </a>
          ) : (
            'We’ll send you the link by email.'
          )}
        </dd>
        <dt>Invitation</dt>
        <dd class="wrap-anywhere" safe>
          {email}
        </dd>
        {message ? (
          <>
            <dt>You asked for</dt>
            <dd class="wrap-anywhere" safe>
              {message}
            </dd>
          </>
        ) : null}
        <dt>Reference</dt>
        <dd>
          <code safe>{reference}</code>
        </dd>
      </dl>
    </div>
  </section>
)

const Changes = ({ token, week, refused }: BookingProps) => (
  <>
    {week ? (
      <details open={refused !== undefined}>
        <summary>Move it to another time</summary>
        <form class="stack" method="post" action={`/api/demo-bookings/${token}?_method=PUT`}>
          <SlotRefusal refused={refused} zone={week.slots.timeZone} />
          <SlotChoice week={week} path={`/demo/bookings/${token}`} refused={refused} />
          <div class="actions">
            <Button label="Move" type="submit" variant="primary" />
          </div>
        </form>
      </details>
    ) : null}
    <details>
      <summary>Cancel the demo</summary>
      <form class="stack" method="post" action={`/api/demo-bookings/${token}?_method=DELETE`}>
        <p>The time becomes free for someone else. This can’t be undone.</p>
        <div class="actions">
          <Button label="Cancel demo" type="submit" variant="danger" />
        </div>
      </form>
    </details>
  </>
)
