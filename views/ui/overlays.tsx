import type { Children } from '@kitajs/html'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

interface DialogProps {
  id: string
  title: string
  /** `.body` and `footer`, or a form with both. */
  children: Children
}

/**
 * Opened by a button with `commandfor={id} command="show-modal"`. A refresh of the page leaves an open dialog as it
 * is.
 */
export const Dialog = ({ id, title, children }: DialogProps) => (
  <dialog class="dialog" id={id} aria-labelledby={`${id}-title`} closedby="any">
    <header>
      <h2 id={`${id}-title`} safe>
        {title}
      </h2>
      <Button label="Close" icon="x" iconOnly variant="ghost" commandfor={id} command="close" />
    </header>
    {children}
  </dialog>
)

interface DialogButtonsProps {
  dialog: string
  submit: string
  danger?: boolean
  /** For a form without fields. */
  focusCancel?: boolean
}

/** Cancel leaves everything as it is. */
export const DialogButtons = ({ dialog, submit, danger, focusCancel }: DialogButtonsProps) => (
  <footer>
    <Button label="Cancel" variant="ghost" commandfor={dialog} command="close" autofocus={focusCancel} />
    <Button label={submit} variant={danger ? 'danger' : 'primary'} type="submit" />
  </footer>
)

interface RowMenuProps {
  id: string
  label?: string
}

/** With `from`, the URL of its items, they are loaded when it opens: most menus of a long list never do. */
export const RowMenu = ({
  id,
  label = 'More actions',
  ...items
}: RowMenuProps & ({ from: string } | { children: Children })) => (
  <>
    <Button label={label} icon="ellipsis" iconOnly variant="ghost" popovertarget={id} />
    {'from' in items ? (
      <div class="popover menu" id={id} popover hx-get={items.from} hx-trigger="open" />
    ) : (
      <Menu id={id}>{items.children}</Menu>
    )}
  </>
)

/** Opened by a button whose `popovertarget` is its id. */
export const Menu = ({ id, children }: { id: string; children: Children }) => (
  <div class="popover menu" id={id} popover>
    {children}
  </div>
)

type MenuItemProps = { label: string; icon?: IconName; danger?: boolean; chosen?: boolean } & Omit<
  JSX.HtmlButtonTag,
  'children'
>

/** `chosen` where it is one of several choices. */
export const MenuItem = ({ label, icon, danger, chosen, ...attributes }: MenuItemProps) => (
  <button type="button" data-danger={danger} aria-current={chosen ? 'true' : undefined} {...attributes}>
    {icon ? <Icon name={icon} /> : null}
    <span safe>{label}</span>
    {chosen ? <Icon name="check" /> : null}
  </button>
)

type MenuLinkProps = { label: string; icon?: IconName; href: string } & Omit<JSX.HtmlAnchorTag, 'children'>

export const MenuLink = ({ label, icon, ...attributes }: MenuLinkProps) => (
  <a {...attributes}>
    {icon ? <Icon name={icon} /> : null}
    <span safe>{label}</span>
  </a>
)
