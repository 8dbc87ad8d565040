import { Icon, type IconName } from './icon.tsx'

interface Look {
  label: string
  icon?: IconName
  variant?: 'primary' | 'danger' | 'quiet-danger' | 'ghost'
  size?: 'sm' | 'lg'
  /** Shows the icon alone; the label stays for screen readers. */
  iconOnly?: boolean
  block?: boolean
}

type ButtonProps = Look & Omit<JSX.HtmlButtonTag, 'children'>
type ButtonLinkProps = Look & { href: string } & Omit<JSX.HtmlAnchorTag, 'children'>

export const Button = ({ label, icon, variant, size, iconOnly, block, ...attributes }: ButtonProps) => (
  <button type="button" class="button" {...look({ label, variant, size, iconOnly, block })} {...attributes}>
    <Face label={label} icon={icon} iconOnly={iconOnly} />
  </button>
)

export const ButtonLink = ({ label, icon, variant, size, iconOnly, block, ...attributes }: ButtonLinkProps) => (
  <a class="button" {...look({ label, variant, size, iconOnly, block })} {...attributes}>
    <Face label={label} icon={icon} iconOnly={iconOnly} />
  </a>
)

const look = ({ label, variant, size, iconOnly, block }: Look) => ({
  'data-variant': variant,
  'data-size': size,
  'data-icon': iconOnly,
  'data-block': block,
  'aria-label': iconOnly ? label : undefined,
})

const Face = ({ label, icon, iconOnly }: Look) => (
  <>
    {icon ? <Icon name={icon} /> : null}
    {iconOnly ? null : <span safe>{label}</span>}
  </>
)
