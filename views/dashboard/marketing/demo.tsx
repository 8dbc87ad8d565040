import type { DemoSlot, DemoSlotList } from '#dashboard/types'
import { Button, ButtonLink } from '#views/ui/button.tsx'
import { Empty, Notice } from '#views/ui/feedback.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { timeText } from '#views/ui/time.tsx'
import { enteredIn, FieldError, Refusal, SiteInput, SiteText, Trap, type Refusable } from './fields.tsx'

export interface SlotWeek {
  slots: DemoSlotList
  /** All zones, for the choice. */
  zones: readonly string[]
  /** The first day, and those of the weeks before and after as far as they can be booked. */
  from: string
  previous: string | null
  next: string | null
}

interface DemoProps extends Refusable {
  week: SlotWeek
  isRepeat?: boolean
}

export const Demo = ({ week, isRepeat, refused }: DemoProps) => (
  <section class="counter" style="--aside: 19rem">
    <header>
      <h1>See it with your own posts</h1>
      <p class="lead">A video call with someone who runs this server. No slides. We set up your brand together.</p>
    </header>
    {week.slots.offered ? <Booking week={week} isRepeat={isRepeat} refused={refused} /> : <NotOffered />}
    <aside>
      <section class="stack" style="--gap: .75rem">
        <h2>What we’ll cover</h2>
        <ul class="ticks">
          {covered.map((text) => (
            <li>
              <Icon name="check" />
              <span safe>{text}</span>
            </li>
          ))}
        </ul>
      </section>
      <p class="small muted">
        You’ll get a calendar invitation by email with a link to move or cancel it. A time is only yours once you’ve
        booked it.
      </p>
    </aside>
  </section>
)

const covered = [
  'Your brand, connected to a network of your choice',
  'A post written, scheduled, and published',
  'A budget, and what happens when it runs out',
  'Your questions, including the uncomfortable ones',
]

const NotOffered = () => (
  <Empty icon="calendar" title="No times are offered right now" text="Write to us, and we’ll find one by email.">
    <ButtonLink label="Contact us" variant="primary" href="/contact" />
  </Empty>
)

const Booking = ({ week, isRepeat, refused }: DemoProps) => (
  <div class="stack" style="--gap: 1.5rem">
    {isRepeat ? (
      <Notice
        tone="info"
        role="status"
        title="You have this time already"
        text="The invitation with the link to move or cancel it is in your mailbox."
      />
    ) : null}
    <ZoneForm week={week} action="/demo" />
    <form class="stack" style="--gap: 2rem" method="post" action="/api/demo-bookings">
      <SlotRefusal refused={refused} zone={week.slots.timeZone} />
      <input type="hidden" name="timeZone" value={week.slots.timeZone} />
      <SlotChoice week={week} path="/demo" refused={refused} />
      <div class="fields">
        <SiteInput label="Name" name="name" autocomplete="name" required maxlength={100} refused={refused} />
        <SiteInput
          label="Email"
          name="email"
          type="email"
          autocomplete="email"
          required
          maxlength={254}
          refused={refused}
        />
      </div>
      <SiteText
        label="What would you like to see?"
        note="optional"
        name="message"
        rows="3"
        maxlength={2000}
        refused={refused}
      />
      <Trap />
      <div class="actions">
        <Button label="Book this time" type="submit" variant="primary" size="lg" />
        <small safe>{`Times in ${week.slots.timeZone}.`}</small>
      </div>
    </form>
  </div>
)

/** Its script chooses the browser's zone at the first visit. */
const ZoneForm = ({ week, action }: { week: SlotWeek; action: string }) => (
  <visitor-zone>
    <form class="inline-form" method="get" action={action}>
      <input type="hidden" name="week" value={week.from} />
      <div class="field">
        <label for="zone">Your time zone</label>
        <select class="input" id="zone" name="timeZone">
          {[...new Set([week.slots.timeZone, ...week.zones])].map((zone) => (
            <option value={zone} selected={zone === week.slots.timeZone} safe>
              {zone}
            </option>
          ))}
        </select>
      </div>
      <Button label="Show times" type="submit" />
    </form>
  </visitor-zone>
)

export const SlotRefusal = ({ refused, zone }: Refusable & { zone: string }) =>
  refused?.problem.code === 'slot_taken' ? (
    <Notice tone="warning" role="alert" title="Someone just booked this time">
      <p safe>{nextWords(refused, zone)}</p>
    </Notice>
  ) : (
    <Refusal refused={refused} title="Not booked" />
  )

function nextWords(refused: NonNullable<Refusable['refused']>, zone: string): string {
  const times = nextSlotsOf(refused).map((at) => timeText(at, zone, 'moment'))
  return times.length > 0
    ? `Nothing is booked yet. The next free times: ${times.join(', ')}.`
    : 'Nothing is booked, and no other time is free.'
}

/** The next free times that the problem names. */
function nextSlotsOf({ problem }: NonNullable<Refusable['refused']>): string[] {
  const { nextSlots } = problem
  if (!Array.isArray(nextSlots)) return []
  return nextSlots.flatMap((slot: unknown) => {
    const at = typeof slot === 'object' && slot !== null ? Reflect.get(slot, 'startsAt') : undefined
    return typeof at === 'string' ? [at] : []
  })
}

interface SlotChoiceProps extends Refusable {
  week: SlotWeek
  path: string
}

export const SlotChoice = ({ week, path, refused }: SlotChoiceProps) => {
  const { slots, from, previous, next } = week
  const days = Map.groupBy(slots.items, ({ localTime }) => localTime.slice(0, 10))
  const wanted = (refused && nextSlotsOf(refused)[0]) ?? enteredIn(refused, 'startsAt')
  const to = (day: string | null) => day && `${path}?${new URLSearchParams({ week: day, timeZone: slots.timeZone })}`
  return (
    <fieldset class="field" id="startsAt">
      <legend class="visually-hidden">Time</legend>
      <div class="row slots-bar" data-wrap>
        <b safe>{`Week of ${timeText(`${from}T12:00:00Z`, 'UTC', 'day')}`}</b>
        <span class="push row" style="--gap: 2px">
          <WeekLink label="Previous week" icon="chevron-left" href={to(previous)} />
          <WeekLink label="Next week" icon="chevron-right" href={to(next)} />
        </span>
      </div>
      {days.size > 0 ? (
        <div class="slots">
          {[...days].map(([day, items]) => (
            <section>
              <h2 safe>{timeText(`${day}T12:00:00Z`, 'UTC', 'day')}</h2>
              {items.some(({ available }) => available) ? null : <p>Fully booked</p>}
              {items.map((slot) => (
                <Choice slot={slot} chosen={new Date(slot.startsAt).getTime() === Date.parse(wanted)} />
              ))}
            </section>
          ))}
        </div>
      ) : (
        <p class="muted">No times in this week. Try the next one.</p>
      )}
      <FieldError name="startsAt" refused={refused} />
    </fieldset>
  )
}

const Choice = ({ slot: { startsAt, localTime, available }, chosen }: { slot: DemoSlot; chosen: boolean }) => (
  <label class="button">
    <input
      type="radio"
      name="startsAt"
      value={new Date(startsAt).toISOString()}
      disabled={!available}
      checked={available && chosen}
      required
    />
    <span safe>{localTime.slice(11)}</span>
    {available ? null : <span class="visually-hidden"> taken</span>}
  </label>
)

const WeekLink = ({ href, ...look }: { label: string; icon: 'chevron-left' | 'chevron-right'; href: string | null }) =>
  href ? (
    <ButtonLink {...look} iconOnly variant="ghost" size="sm" href={href} />
  ) : (
    <Button {...look} iconOnly variant="ghost" size="sm" disabled />
  )
