import type { CalendarPost } from '#social/types'

type Addressed = Pick<CalendarPost, 'provider' | 'account'>

/** Whether two posts go to the same account, or to the same place in it. */
export const isSameAccount = (one: Addressed, other: Addressed): boolean =>
  one.provider === other.provider && one.account?.id === other.account?.id && one.account?.name === other.account?.name
