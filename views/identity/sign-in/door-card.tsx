import type { Children } from '@kitajs/html'
import { Icon, type IconName } from '#views/ui/icon.tsx'

interface DoorCardProps {
  title: string
  lead?: JSX.Element
  /** In place of the product's mark: for pages about something else than signing in. */
  icon?: IconName
  /** In place of the mark. */
  mark?: JSX.Element
  children?: Children
}

export const DoorCard = ({ title, lead, icon, mark, children }: DoorCardProps) => (
  <div class="card">
    <header>
      {mark ? (
        <>{mark}</>
      ) : (
        <span class="app-mark" data-size="lg" data-tone={icon && 'plain'}>
          <Icon name={icon ?? 'layout-grid'} />
        </span>
      )}
      <h1 safe>{title}</h1>
      {lead ? <p class="muted wrap-anywhere">{lead}</p> : null}
    </header>
    {children}
  </div>
)

export const Or = () => <p class="or">or</p>

/** Buttons below one another. */
export const Choices = ({ children }: { children: Children }) => (
  <div class="stack" style="--gap: var(--space-2)">
    {children}
  </div>
)

interface PromisesProps {
  label: string
  items: { text: string; included: boolean }[]
}

export const Promises = ({ label, items }: PromisesProps) => (
  <ul class="promises" aria-label={label}>
    {items.map(({ text, included }) => (
      <li data-no={!included}>
        <Icon name={included ? 'check' : 'x'} />
        <span>
          {included ? null : <span class="visually-hidden">Not included: </span>}
          <span safe>{text}</span>
        </span>
      </li>
    ))}
  </ul>
)
