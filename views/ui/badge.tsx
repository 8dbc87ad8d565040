import { Icon, type IconName } from './icon.tsx'

interface BadgeProps {
  label: string | number
  tone?: 'accent' | 'success' | 'warning' | 'danger' | 'info'
  icon?: IconName
  /** A number beside a name. */
  count?: boolean
}

/** A word or number that marks something; never a state inside a table. */
export const Badge = ({ label, tone, icon, count }: BadgeProps) => (
  <span class="badge" data-tone={tone} data-count={count}>
    {icon ? <Icon name={icon} /> : null}
    <span safe>{label}</span>
  </span>
)
