import type { Brand, PostFilterOptions, Queue } from '#social/types'
import type { Place } from '../posts/post-text.ts'
import type { QueuePlace } from './queue-days.ts'

export interface QueuePageProps {
  place: QueuePlace
  at: Place
  queue: Queue
  options: PostFilterOptions
  /** Null for readers who can’t see its settings. */
  brand: Brand | null
}
