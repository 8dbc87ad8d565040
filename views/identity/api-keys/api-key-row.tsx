import type { ApiKeyDetail } from '#identity/types'
import { Badge } from '#views/ui/marks.tsx'
import { Button } from '#views/ui/button.tsx'
import { MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import {
  ReduceDialog,
  reduceDialog,
  RevokeDialog,
  revokeDialog,
  RotateDialog,
  rotateDialog,
} from './api-key-actions.tsx'

interface OfKey {
  apiKey: ApiKeyDetail
}

export const ApiKeyRow = ({ apiKey }: OfKey) => {
  const { serviceName, createdByName, agentName, bindings, status, suggestion } = apiKey
  const bound = bindings.map(({ kind, name }) => name ?? `Deleted ${kind}`)
  return (
    <tr id={`key-${apiKey.id}`} data-ended={status === 'revoked' || status === 'expired'}>
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
          <span safe>{` ${serviceName}${createdByName ? `, ${createdByName}` : ''}`}</span>
        </small>
      </td>
      <td data-at="sub">
        <span class="small" safe>
          {apiKey.scopes.join(', ')}
        </span>
        {agentName ? <small class="muted wrap-anywhere" safe>{`As ${agentName}`}</small> : null}
        {suggestion && status !== 'disabled' ? <UnusedScopes apiKey={apiKey} suggestion={suggestion} /> : null}
        {bound.length > 0 ? <small class="muted wrap-anywhere" safe>{`Only ${bound.join(', ')}`}</small> : null}
      </td>
      <td data-at="time">
        {apiKey.lastUsedAt ? <Time at={apiKey.lastUsedAt} form="day" /> : <span class="muted">Never used</span>}
      </td>
      <td data-at="end">
        <Expiry apiKey={apiKey} />
      </td>
      <td data-at="menu" class="end">
        <Actions apiKey={apiKey} />
      </td>
    </tr>
  )
}

interface UnusedScopesProps extends OfKey {
  suggestion: NonNullable<ApiKeyDetail['suggestion']>
}

const UnusedScopes = ({ apiKey, suggestion: { removable, unusedForDays, act } }: UnusedScopesProps) => (
  <>
    <small class="muted" safe>
      {`Not used for ${unusedForDays} days: ${act === 'revoke' ? 'all scopes' : removable.join(', ')}`}
    </small>
    {act === 'rotate' && apiKey.can.rotate ? (
      <>
        <Button label="Reduce scopes" size="sm" commandfor={reduceDialog(apiKey)} command="show-modal" />
        <ReduceDialog apiKey={apiKey} removable={removable} />
      </>
    ) : null}
  </>
)

const Expiry = ({ apiKey: { status, overlapEndsAt, expiresAt } }: OfKey) => {
  if (status === 'revoked') return <Badge label="Revoked" />
  if (status === 'expired') return <Badge label="Expired" />
  if (status === 'disabled') return <Badge label="Disabled: owner left" tone="warning" />
  const at = overlapEndsAt ?? expiresAt
  if (!at) return <span class="muted">Never expires</span>
  return (
    <>
      {status === 'replaced' ? <Badge label="Replaced" tone="info" /> : null}
      {status === 'expiring' ? <Badge label="Expires soon" tone="warning" /> : null} <Time at={at} form="day" />
    </>
  )
}

const Actions = ({ apiKey }: OfKey) => {
  const { rotate, revoke } = apiKey.can
  if (!rotate && !revoke) return <></>
  return (
    <>
      <RowMenu id={`key-menu-${apiKey.id}`} label={`More about ${apiKey.name}`}>
        {rotate ? (
          <MenuItem label="Rotate" icon="rotate-cw" commandfor={rotateDialog(apiKey)} command="show-modal" />
        ) : null}
        {revoke ? (
          <MenuItem label="Revoke" icon="trash-2" danger commandfor={revokeDialog(apiKey)} command="show-modal" />
        ) : null}
      </RowMenu>
      {rotate ? <RotateDialog apiKey={apiKey} /> : null}
      {revoke ? <RevokeDialog apiKey={apiKey} /> : null}
    </>
  )
}
