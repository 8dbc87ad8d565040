import type { QueueTime } from '#social/types'

export interface ShortenedDay {
  times: QueueTime[]
  /** Posts that aren't shown. */
  hidden: number
}

/** Of one day; the agenda shows the others. */
const maxPosts = 40

/** The first posts of a day. Free slots are all shown. */
export function shorten(times: readonly QueueTime[]): ShortenedDay {
  let left = maxPosts
  let hidden = 0
  const shown = times.flatMap((time) => {
    const posts = time.posts.slice(0, left)
    left -= posts.length
    hidden += time.posts.length - posts.length
    return posts.length > 0 || time.posts.length === 0 ? [{ ...time, posts }] : []
  })
  return { times: shown, hidden }
}
