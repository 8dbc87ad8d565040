import type { Children } from '@kitajs/html'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

interface MenuProps {
  id: string
  /** What the button with the three dots says to a screen reader. */
  label?: string
  children: Children
}

/** A row's further acts behind three dots. */
export const RowMenu = ({ id, label = 'More actions', children }: MenuProps) => (
  <>
    <Button label={label} icon="ellipsis" iconOnly variant="ghost" popovertarget={id} />
    <Menu id={id}>{children}</Menu>
  </>
)

/** A popover of acts and links, opened by a button whose `popovertarget` is its id. */
export const Menu = ({ id, children }: { id: string; children: Children }) => (
  <div class="popover menu" id={id} popover>
    {children}
  </div>
)

type MenuItemProps = { label: string; icon?: IconName; danger?: boolean; chosen?: boolean } & Omit<
  JSX.HtmlButtonTag,
  'children'
>

/** An act of a menu; `chosen` where it is one of several choices. */
export const MenuItem = ({ label, icon, danger, chosen, ...attributes }: MenuItemProps) => (
  <button type="button" data-danger={danger} aria-current={chosen ? 'true' : undefined} {...attributes}>
    {icon ? <Icon name={icon} /> : null}
    <span safe>{label}</span>
    {chosen ? <Icon name="check" /> : null}
  </button>
)

type MenuLinkProps = { label: string; icon?: IconName; href: string } & Omit<JSX.HtmlAnchorTag, 'children'>

/** A way out of a menu to another page. */
export const MenuLink = ({ label, icon, ...attributes }: MenuLinkProps) => (
  <a {...attributes}>
    {icon ? <Icon name={icon} /> : null}
    <span safe>{label}</span>
  </a>
)
