import type { FreeSlot } from '#social/types'
import { Icon } from '#views/ui/icon.tsx'
import { timeText } from '#views/ui/time.tsx'
import { newPostHref } from './calendar-days.ts'

interface FreeSlotProps {
  slot: FreeSlot
  place: Parameters<typeof newPostHref>[0]
  zone: string
  /** Of the week: where it is. */
  style?: string
  /** Of the queue: posts are moved to it. */
  to?: string
  isNext?: boolean
}

/** A queue slot without a post: it leads to a new post at its time. */
export const FreeSlotLink = ({ slot, place, zone, style, to, isNext }: FreeSlotProps) => (
  <a
    class="event"
    data-slot
    data-next={isNext}
    data-to={to}
    href={newPostHref(place, slot.localTime)}
    style={style}
    draggable="false"
  >
    <Icon name="plus" />
    <time datetime={slot.at} safe>
      {timeText(slot.at, zone, 'time')}
    </time>
    <span>{isNext ? 'Next free slot' : 'Free slot'}</span>
  </a>
)
