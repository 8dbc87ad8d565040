import type { DemoBookingDetail } from '#dashboard/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { timeText } from '#views/ui/time.tsx'
import { SlotChoice, SlotRefusal, type SlotWeek } from './demo.tsx'
import { Refusal, SiteInput, type Refusable } from './fields.tsx'

export interface BookingProps extends Refusable {
  token: string
  booking: DemoBookingDetail
  /** Undefined for a canceled one. */
  week?: SlotWeek
  changed?: boolean
  /** Whether the invitation was just sent again. */
  isSent?: boolean
}

export const Booking = (props: BookingProps) => {
  const { booking, changed, isSent } = props
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
        {isSent ? <Notice tone="info" role="status" title={`Invitation sent to ${booking.email}`} /> : null}
        {isBooked ? <Refused {...props} /> : null}
        <Facts token={props.token} booking={booking} />
        {isBooked ? <Changes {...props} /> : <ButtonLink label="Book another time" variant="primary" href="/demo" />}
      </div>
    </section>
  )
}

/** Whether the form for the address was refused, and not the one for the time. */
const isOfAddress = ({ refused }: Refusable): boolean => refused?.given['email'] !== undefined

const Refused = (props: BookingProps) =>
  props.booking.invitationRefused ? (
    <>
      <Notice
        tone="danger"
        role="alert"
        title={`The invitation to ${props.booking.email} couldn’t be delivered`}
        text="Your time is safe. Correct the address, and we’ll send it again."
      />
      <AddressForm {...props} />
    </>
  ) : (
    <></>
  )

const AddressForm = ({ token, booking, refused }: BookingProps) => {
  const own = isOfAddress({ refused }) ? refused : undefined
  return (
    <form class="stack" method="post" action={`/api/demo-bookings/${token}/email?_method=PUT`}>
      <Refusal refused={own} />
      <SiteInput
        label="Email"
        name="email"
        type="email"
        autocomplete="email"
        required
        maxlength={254}
        value={booking.email}
        refused={own}
      />
      <div class="actions">
        <Button label="Send again" type="submit" variant="primary" />
      </div>
    </form>
  )
}

const Facts = ({
  token,
  booking: { meetingUrl, message, email, reference, state },
}: Pick<BookingProps, 'token' | 'booking'>) => (
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
    {state === 'booked' ? (
      <footer>
        <ButtonLink
          label="Add to calendar"
          icon="calendar-clock"
          href={`/api/demo-bookings/${token}/calendar`}
          download="atrium-demo.ics"
        />
      </footer>
    ) : null}
  </section>
)

const Changes = (props: BookingProps) => {
  const { token, week, booking } = props
  const refused = isOfAddress(props) ? undefined : props.refused
  return (
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
      {booking.invitationRefused ? null : (
        <details open={isOfAddress(props)}>
          <summary>Correct the email address</summary>
          <AddressForm {...props} />
        </details>
      )}
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
}
