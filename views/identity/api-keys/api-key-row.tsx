import type { WatchedApiKey } from '#identity/types'
import { Badge } from '#views/ui/badge.tsx'
import { Button } from '#views/ui/button.tsx'
import { MenuItem, RowMenu } from '#views/ui/menu.tsx'
import { Time } from '#views/ui/time.tsx'
import { hasEnded, stateOf, type KeyState } from './api-key-state.ts'
import {
  ReduceDialog,
  reduceDialog,
  RevokeDialog,
  revokeDialog,
  RotateDialog,
  rotateDialog,
} from './api-key-actions.tsx'

interface ApiKeyRowProps {
  apiKey: WatchedApiKey
  /** The name of its service. */
  service: string
  /** Who answers for it. */
  maker?: { name: string; isHere: boolean }
  /** The agent that works by it. */
  agent?: string
  /** The names of what it is bound to. */
  bound: string[]
  now: Date
}

/** One key: what it is called, what it may, when it was used, when it ends. */
export const ApiKeyRow = ({ apiKey, service, maker, agent, bound, now }: ApiKeyRowProps) => {
  const state = stateOf(apiKey, apiKey.agentId !== null || (maker?.isHere ?? false), now)
  return (
    <tr data-ended={hasEnded(state)}>
      <td data-at="title">
        <span class="wrap-anywhere" safe>
          {apiKey.name}
        </span>
        {apiKey.mode === 'test' ? (
          <>
            {' '}
            <Badge label="Test" />
          </>
        ) : null}
        <small class="muted">
          <span class="mono" safe>{`…${apiKey.lastFour}`}</span>
          <span safe>{` ${service}${maker ? `, ${maker.name}` : ''}`}</span>
        </small>
      </td>
      <td data-at="sub">
        <span class="small" safe>
          {apiKey.scopes.join(', ')}
        </span>
        {agent ? <small class="muted wrap-anywhere" safe>{`As ${agent}`}</small> : null}
        {apiKey.suggestion && state !== 'stopped' ? <Unused apiKey={apiKey} suggestion={apiKey.suggestion} /> : null}
        {bound.length > 0 ? <small class="muted wrap-anywhere" safe>{`Only ${bound.join(', ')}`}</small> : null}
      </td>
      <td data-at="time">
        {apiKey.lastUsedAt ? (
          <Time at={apiKey.lastUsedAt} zone="UTC" form="day" />
        ) : (
          <span class="muted">Never used</span>
        )}
      </td>
      <td data-at="end">
        <End apiKey={apiKey} state={state} />
      </td>
      <td data-at="menu" class="end">
        {hasEnded(state) ? null : <Acts apiKey={apiKey} state={state} />}
      </td>
    </tr>
  )
}

interface UnusedProps {
  apiKey: WatchedApiKey
  suggestion: NonNullable<WatchedApiKey['suggestion']>
}

/** What the key could do without, and the act that takes it away. */
const Unused = ({ apiKey, suggestion: { removable, unusedForDays, act } }: UnusedProps) => (
  <>
    <small class="muted" safe>
      {`Not used for ${unusedForDays} days: ${act === 'revoke' ? 'all of it' : removable.join(', ')}`}
    </small>
    {act === 'rotate' ? (
      <>
        <Button label="Reduce scopes" size="sm" commandfor={reduceDialog(apiKey)} command="show-modal" />
        <ReduceDialog apiKey={apiKey} removable={removable} />
      </>
    ) : null}
  </>
)

const End = ({ apiKey, state }: { apiKey: WatchedApiKey; state: KeyState }) => {
  if (state === 'revoked') return <Badge label="Revoked" />
  if (state === 'expired') return <Badge label="Expired" />
  if (state === 'stopped') return <Badge label="Disabled: owner left" tone="warning" />
  const at = apiKey.overlapEndsAt ?? apiKey.expiresAt
  if (!at) return <span class="muted">Never expires</span>
  return (
    <>
      {state === 'replaced' ? <Badge label="Replaced" tone="info" /> : null}
      {state === 'ending' ? <Badge label="Expires soon" tone="warning" /> : null} <Time at={at} zone="UTC" form="day" />
    </>
  )
}

const Acts = ({ apiKey, state }: { apiKey: WatchedApiKey; state: KeyState }) => {
  const menu = `key-${apiKey.id}`
  return (
    <>
      <RowMenu id={menu} label={`More about ${apiKey.name}`}>
        {state === 'replaced' ? null : (
          <MenuItem label="Rotate" icon="rotate-cw" commandfor={rotateDialog(apiKey)} command="show-modal" />
        )}
        <MenuItem label="Revoke" icon="trash-2" danger commandfor={revokeDialog(apiKey)} command="show-modal" />
      </RowMenu>
      {state === 'replaced' ? null : <RotateDialog apiKey={apiKey} />}
      <RevokeDialog apiKey={apiKey} />
    </>
  )
}
