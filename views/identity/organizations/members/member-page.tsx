import { MemberAccess, type MemberAccessProps } from './member-access.tsx'
import { MemberHeader, type MemberHeaderProps } from './member-header.tsx'
import { OverrideDialog } from './override-dialog.tsx'

export type MemberPageProps = MemberAccessProps & MemberHeaderProps

export const MemberPage = (props: MemberPageProps) => (
  <>
    <MemberHeader {...props} />
    <MemberAccess {...props} />
    {props.inspection.can.override ? <OverrideDialog name={props.member.name} inspection={props.inspection} /> : null}
  </>
)
