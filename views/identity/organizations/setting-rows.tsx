import type { Children } from '@kitajs/html'
import { Button } from '#views/ui/button.tsx'
import { Icon, type IconName } from '#views/ui/icon.tsx'
import type { StatusLook } from '#views/ui/marks.tsx'
import { Setting } from '#views/ui/settings.tsx'

export const statuses = {
  on: { state: 'published', icon: 'circle-check', word: 'On' },
  off: { state: 'draft', icon: 'circle-dashed', word: 'Off' },
} as const satisfies Record<string, StatusLook>

interface SettingRowProps {
  icon?: IconName
  name: string
  text?: string
  status?: StatusLook
  badge?: Children
  id?: string
  children?: Children
}

export const SettingRow = ({ text, children, ...row }: SettingRowProps) => (
  <Setting {...row} detail={text ? <span safe>{text}</span> : undefined}>
    {children}
  </Setting>
)

interface RowFieldProps {
  label: string
  name: string
  hint?: string
}

export const RowField = ({ label, name, hint, ...attributes }: RowFieldProps & JSX.HtmlInputTag) => (
  <li>
    <span class="grow">
      <label for={name} safe>
        {label}
      </label>
      {hint ? (
        <small id={`${name}-hint`} safe>
          {hint}
        </small>
      ) : null}
    </span>
    <input
      class="input"
      id={name}
      name={name}
      aria-describedby={hint ? `${name}-hint ${name}-error` : `${name}-error`}
      {...attributes}
    />
    <p class="error" id={`${name}-error`}>
      <Icon name="circle-alert" />
      <span />
    </p>
  </li>
)

interface CopyRowProps {
  label: string
  text: string
}

export const CopyRow = ({ label, text }: CopyRowProps) => (
  <li>
    <span class="grow">
      <span safe>{label}</span>
      <small>
        <code class="wrap-anywhere" safe>
          {text}
        </code>
      </small>
    </span>
    <copy-text>
      <output hidden safe>
        {text}
      </output>
      <Button label={`Copy ${label}`} icon="copy" iconOnly variant="ghost" size="sm" data-copy />
      <span class="visually-hidden" role="status" />
    </copy-text>
  </li>
)

interface UsageProps {
  icon: IconName
  name: string
  used: number
  /** Null for unlimited. */
  limit: number | null
}

export const UsageRow = ({ icon, name, used, limit }: UsageProps) => (
  <SettingRow icon={icon} name={name} text={limit === null ? `${used} used` : `${used} of ${limit} used`}>
    {limit === null ? null : (
      <span
        class="meter"
        data-state={used > limit ? 'over' : undefined}
        style={`--value: ${Math.min(100, limit === 0 ? 100 : Math.round((used / limit) * 100))}%`}
        role="img"
        aria-label={`${used} of ${limit}`}
      />
    )}
  </SettingRow>
)
