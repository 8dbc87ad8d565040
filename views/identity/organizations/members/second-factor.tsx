import type { Member } from '#identity/types'
import { StatusMark } from '#views/ui/marks.tsx'

export const isAgent = ({ principalType }: Member): boolean => principalType === 'agent'

export const SecondFactor = ({ member }: { member: Member }) => {
  if (isAgent(member)) return <span class="muted">Not needed</span>
  if (member.secondFactor === null) return <></>
  return member.secondFactor ? (
    <StatusMark state="published" icon="shield-check" word="On" />
  ) : (
    <StatusMark state="waiting" icon="triangle-alert" word="None" />
  )
}
