import type { NotificationKindChoice } from '#dashboard/types'
import { preferencesPlace, preferencesRoute } from './places.ts'

const channels = [
  ['inApp', 'In app'],
  ['email', 'Email'],
  ['push', 'Push'],
] as const

interface MatrixProps {
  groups: [string, NotificationKindChoice[]][]
}

export const Matrix = ({ groups }: MatrixProps) => (
  <table class="table matrix">
    <caption class="visually-hidden">What you hear about, and how</caption>
    <thead>
      <tr>
        <th scope="col">
          <span class="visually-hidden">Notification</span>
        </th>
        {channels.map(([, label]) => (
          <th scope="col">{label}</th>
        ))}
      </tr>
    </thead>
    <tbody>
      {groups.map(([group, kinds]) => (
        <>
          <tr data-group>
            <th colspan={channels.length + 1} scope="colgroup" safe>
              {group}
            </th>
          </tr>
          {kinds.map((kind) => (
            <Row kind={kind} />
          ))}
        </>
      ))}
    </tbody>
  </table>
)

const Row = ({ kind }: { kind: NotificationKindChoice }) => (
  <tr id={`kind-${kind.kind.replaceAll('.', '-')}`}>
    <th scope="row">
      <span safe>{kind.title}</span>
      {kind.detail ? <small safe>{kind.detail}</small> : null}
      {kind.locked.includes('inApp') ? <small>Always in the app</small> : null}
    </th>
    {channels.map(([channel, label]) => (
      <td>
        <Cell kind={kind} channel={channel} label={label} />
      </td>
    ))}
  </tr>
)

interface CellProps {
  kind: NotificationKindChoice
  channel: (typeof channels)[number][0]
  label: string
}

/** An unchecked box sends only its kind and channel, which turns it off. */
const Cell = ({ kind: { kind, title, channels: chosen, locked }, channel, label }: CellProps) => (
  <label class="check">
    <input
      type="checkbox"
      id={`${kind.replaceAll('.', '-')}-${channel}`}
      name="choices[0].enabled"
      value="true"
      checked={chosen[channel]}
      disabled={locked.includes(channel)}
      aria-label={`${label}: ${title}`}
      hx-put={preferencesRoute}
      hx-trigger="change"
      hx-vals={JSON.stringify({ 'choices[0].kind': kind, 'choices[0].channel': channel })}
      hx-target={`#${preferencesPlace}`}
      hx-swap="outerMorph"
    />
    <span safe>{label}</span>
  </label>
)
