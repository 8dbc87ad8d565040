import type { Children } from '@kitajs/html'
import { Icon, type IconName } from './icon.tsx'
import { StatusMark, type StatusLook } from './marks.tsx'

type SettingsSectionProps = {
  /** Of the section; its heading is at `<id>-title`. */
  id: string
  title: string
  text?: string
  /** Below the text. */
  actions?: Children
  children: Children
} & Omit<JSX.HtmlTag, 'children' | 'title'>

/** A part of a page of settings (`.page.settings`): what it is about next to its rows, which are mostly a `.card`. */
export const SettingsSection = ({ id, title, text, actions, children, ...attributes }: SettingsSectionProps) => (
  <section class="section" id={id} aria-labelledby={`${id}-title`} {...attributes}>
    <header>
      <h2 id={`${id}-title`} class="wrap-anywhere" safe>
        {title}
      </h2>
      {text ? <p safe>{text}</p> : null}
      {hasContent(actions) ? <div class="actions">{actions}</div> : null}
    </header>
    {children}
  </section>
)

/** A call, since the scan for unescaped text doesn't recognize the type of markup after a check for undefined. */
const hasContent = (markup: Children): boolean => Boolean(markup)

interface SettingProps {
  id?: string
  icon?: IconName
  name: string
  /** The control that the name labels. */
  for?: string
  /** How it stands. */
  status?: StatusLook
  badge?: Children
  /** The second line. */
  detail?: Children
  /** One action, or a control. */
  children?: Children
}

/** A row: its name, its status and one action. */
export const Setting = ({ id, children, ...named }: SettingProps) => (
  <li id={id}>
    <SettingName {...named} />
    {children}
  </li>
)

/** What a row, or the summary of one that opens in place, begins with. */
export const SettingName = ({ icon, name, for: control, status, badge, detail }: SettingProps) => (
  <>
    {icon ? <Icon name={icon} /> : null}
    <span class="grow">
      <span class="row" data-wrap>
        {control ? (
          <label for={control} safe>
            {name}
          </label>
        ) : (
          <span class="wrap-anywhere" safe>
            {name}
          </span>
        )}
        {status ? <StatusMark {...status} /> : null}
        {badge}
      </span>
      {hasContent(detail) ? <small class="wrap-anywhere">{detail}</small> : null}
    </span>
  </>
)
