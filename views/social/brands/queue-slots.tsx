import type { Brand } from '#social/types'
import { Button } from '#views/ui/button.tsx'
import { Notice } from '#views/ui/feedback.tsx'
import { Form } from '#views/ui/form.tsx'
import { Icon } from '#views/ui/icon.tsx'
import { SettingsSection } from '#views/ui/settings.tsx'
import { describeClockChange } from './clock-changes.ts'

/** From Monday. */
const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

export const QueueSlots = ({ brand }: { brand: Brand }) => (
  <SettingsSection
    id="queue-slots"
    title="Queue slots"
    text={`Times of a week, for posts that take the next free slot. They are local times in ${brand.timeZone}: 08:30 stays 08:30 when clocks change.`}
  >
    <div class="card">
      {brand.queueSlots.length > 0 ? (
        <ul class="list" aria-label="Queue slots">
          {groupDays(brand.queueSlots).map((group) => (
            <SlotRow brand={brand} {...group} />
          ))}
        </ul>
      ) : (
        <p class="body muted">No slots yet.</p>
      )}
      <ClockChanges brand={brand} />
      {brand.can.update ? <AddSlot brand={brand} /> : null}
    </div>
  </SettingsSection>
)

/** Slots of the next year that aren’t at their time. */
export const ClockChanges = ({ brand: { slotClockChanges, timeZone } }: { brand: Brand }) =>
  slotClockChanges.length === 0 ? (
    <></>
  ) : (
    <div class="body">
      <Notice>
        <ul class="small">
          {slotClockChanges.map((change) => (
            <li safe>{describeClockChange(change, timeZone)}</li>
          ))}
        </ul>
      </Notice>
    </div>
  )

interface DayGroup {
  /** Following each other. */
  days: number[]
  /** What they all have. */
  times: string[]
}

/** Days with the same times that follow each other. */
export function groupDays(slots: Brand['queueSlots']): DayGroup[] {
  const groups: DayGroup[] = []
  for (const day of dayNames.keys().map((at) => at + 1)) {
    const times = slots.filter((slot) => slot.day === day).map(({ time }) => time)
    if (times.length === 0) continue
    const last = groups.at(-1)
    if (last?.days.at(-1) === day - 1 && last.times.join() === times.join()) last.days.push(day)
    else groups.push({ days: [day], times })
  }
  return groups
}

const SlotRow = ({ brand, days, times }: DayGroup & { brand: Brand }) => {
  const name = nameOfDays(days)
  return (
    <li>
      <span class="grow" safe>
        {name}
      </span>
      <span class="row" data-wrap>
        {times.map((time) => (
          <SlotChip brand={brand} days={days} time={time} name={name} />
        ))}
      </span>
    </li>
  )
}

interface SlotChipProps {
  brand: Brand
  days: number[]
  time: string
  /** Of the days. */
  name: string
}

const SlotChip = ({ brand, days, time, name }: SlotChipProps) =>
  brand.can.update ? (
    <Form class="chip" hx-delete={`/api/brands/${brand.id}/queue-slots`} {...inSection}>
      <input type="hidden" name="days" value={days.join(',')} />
      <input type="hidden" name="time" value={time} />
      <time safe>{time}</time>
      <Button label={`Remove ${name} ${time}`} icon="x" variant="ghost" size="sm" type="submit" iconOnly />
    </Form>
  ) : (
    <time class="chip" safe>
      {time}
    </time>
  )

export const nameOfDays = (days: number[]): string => {
  const [first = '', last = ''] = [days.at(0), days.at(-1)].map((day) => dayNames[(day ?? 1) - 1])
  return first === last ? first : `${first} to ${last}`
}

const inSection = { 'hx-target': '#queue-slots', 'hx-swap': 'outerMorph' } as const

const AddSlot = ({ brand }: { brand: Brand }) => (
  <Form class="stack body" style="--gap: 1rem" hx-post={`/api/brands/${brand.id}/queue-slots`} {...inSection}>
    <fieldset class="field">
      <legend>Days</legend>
      <div class="row" data-wrap>
        {dayNames.map((name, at) => (
          <label class="chip">
            <input type="checkbox" name="days[]" value={String(at + 1)} id={at === 0 ? 'slot-days' : undefined} />
            <span safe>{name}</span>
          </label>
        ))}
      </div>
      <p class="error" id="slot-days-error">
        <Icon name="circle-alert" />
        <span />
      </p>
    </fieldset>
    <div class="row" data-wrap style="align-items: end">
      <div class="field">
        <label for="slot-time">Time</label>
        <input class="input" type="time" id="slot-time" name="time" required aria-describedby="slot-time-error" />
        <p class="error" id="slot-time-error">
          <Icon name="circle-alert" />
          <span />
        </p>
      </div>
      <Button label="Add" type="submit" size="sm" />
    </div>
  </Form>
)
