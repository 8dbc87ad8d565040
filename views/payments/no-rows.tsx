import type { Children } from '@kitajs/html'
import { ButtonLink } from '#views/ui/button.tsx'
import { Empty } from '#views/ui/feedback.tsx'
import type { StatusLook } from '#views/ui/marks.tsx'

interface NoRowsProps {
  /** The plural, such as `orders`. */
  noun: string
  isNarrowed: boolean
  /** The URL of the list with only its status, and of all of it. */
  clear: string
  all: string
  status?: StatusLook | undefined
  /** Of a list that never had any. */
  children: Children
}

/** What a list without rows says, and how to see more. */
export const NoRows = ({ noun, isNarrowed, clear, all, status, children }: NoRowsProps) => {
  if (isNarrowed)
    return (
      <Empty icon="search" title={`No matching ${noun}`} text="Try fewer filters.">
        <ButtonLink label="Clear filters" href={clear} />
      </Empty>
    )
  if (status)
    return (
      <Empty
        icon={status.icon}
        title={`No ${noun} with the status ${status.word.toLowerCase()}`}
        text="They appear here as soon as there are some."
        small
      >
        <ButtonLink label={`Show all ${noun}`} href={all} />
      </Empty>
    )
  return <>{children}</>
}
