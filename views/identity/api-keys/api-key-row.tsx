import type { ApiKeyDetail } from '#identity/types'
import { Icon } from '#views/ui/icon.tsx'
import { Avatar, Badge, StatusMark, type StatusLook } from '#views/ui/marks.tsx'
import { MenuItem, RowMenu } from '#views/ui/overlays.tsx'
import { Time } from '#views/ui/time.tsx'
import { RevokeDialog, revokeDialog, RotateDialog, rotateDialog } from './api-key-actions.tsx'

interface OfKey {
  apiKey: ApiKeyDetail
}

export const ApiKeyRow = ({ apiKey }: OfKey) => (
  <tr id={`key-${apiKey.id}`} data-ended={hasEnded(apiKey)}>
    <td data-at="title">
      <a class="row-link wrap-anywhere" href={`/settings/keys/${apiKey.id}`} safe>
        {apiKey.name}
      </a>
      {apiKey.mode === 'test' ? (
        <>
          {' '}
          <Badge label="Test" tone="info" />
        </>
      ) : null}
      <small class="mono" safe>{`…${apiKey.lastFour}`}</small>
    </td>
    <td data-at="sub">
      <span class="wrap-anywhere" safe>
        {`${apiKey.serviceName}, ${reachOf(apiKey)}`}
      </span>
      <Attention apiKey={apiKey} />
      <small class="narrow-only">
        <LastUse apiKey={apiKey} />
      </small>
    </td>
    <td>
      <LastUse apiKey={apiKey} />
    </td>
    <td>
      <ActsAs apiKey={apiKey} />
    </td>
    <td data-at="time">
      <Expiry apiKey={apiKey} />
    </td>
    <td data-at="menu" class="end">
      <Actions apiKey={apiKey} />
    </td>
  </tr>
)

export const hasEnded = ({ status }: ApiKeyDetail): boolean => status === 'revoked' || status === 'expired'

export const needsAttention = ({ status, suggestion }: ApiKeyDetail): boolean =>
  ['expiring', 'disabled', 'replaced'].includes(status) || (status === 'active' && suggestion !== null)

/** `Acme Coffee only`. */
export function reachOf({ bindings }: ApiKeyDetail): string {
  if (bindings.length === 0) return 'all brands'
  return `${bindings.map(({ kind, name }) => name ?? `deleted ${kind}`).join(', ')} only`
}

export const ActsAs = ({ apiKey: { agentId, agentName, createdBy, createdByName } }: OfKey) => (
  <span class="row">
    {agentId ? (
      <span class="avatar" data-size="sm">
        <Icon name="bot" />
      </span>
    ) : (
      <Avatar name={createdByName ?? '?'} seed={createdBy} size="sm" />
    )}
    <span class="truncate" safe>
      {agentName ?? createdByName ?? 'A former member'}
    </span>
  </span>
)

const Attention = ({ apiKey }: OfKey) => {
  const look = attentionOf(apiKey)
  return look ? (
    <small>
      <StatusMark {...look} />
    </small>
  ) : (
    <></>
  )
}

function attentionOf({ status, suggestion, scopes, createdByName }: ApiKeyDetail): StatusLook | null {
  if (status === 'disabled')
    return { state: 'failed', icon: 'circle-alert', word: `Stopped: ${createdByName ?? 'its owner'} left` }
  if (status === 'replaced') return { state: 'waiting', icon: 'hourglass', word: 'Being replaced' }
  if (!suggestion || status === 'revoked' || status === 'expired') return null
  const unused = `${suggestion.removable.length} of ${scopes.length} scopes unused`
  return { state: 'waiting', icon: 'triangle-alert', word: unused }
}

const LastUse = ({ apiKey: { lastUsedAt } }: OfKey) =>
  lastUsedAt ? <Time at={lastUsedAt} form="shortDay" /> : <span class="muted">Never used</span>

export const Expiry = ({ apiKey: { status, overlapEndsAt, expiresAt } }: OfKey) => {
  if (status === 'revoked') return <StatusMark state="draft" icon="circle-slash" word="Revoked" />
  if (status === 'expired') return <StatusMark state="draft" icon="timer-off" word="Expired" />
  const at = overlapEndsAt ?? expiresAt
  if (!at) return <span class="muted">Never</span>
  if (status !== 'expiring') return <Time at={at} form="shortDay" />
  return (
    <span class="status" data-state="waiting">
      <Icon name="alarm-clock" />
      <Time at={at} form="shortDay" />
    </span>
  )
}

export const keyMenu = ({ id }: ApiKeyDetail): string => `key-menu-${id}`
const keyDialogs = ({ id }: ApiKeyDetail): string => `key-dialogs-${id}`

const Actions = ({ apiKey }: OfKey) =>
  apiKey.can.rotate || apiKey.can.revoke ? (
    <>
      <RowMenu id={keyMenu(apiKey)} label={`More about ${apiKey.name}`} from={`/api/api-keys/${apiKey.id}`} />
      <div id={keyDialogs(apiKey)} />
    </>
  ) : (
    <></>
  )

/** The menu of a row, and its dialogs next to it. */
export const KeyMenu = ({ apiKey }: OfKey) => {
  const { rotate, revoke } = apiKey.can
  return (
    <>
      {rotate ? (
        <MenuItem label="Rotate" icon="rotate-cw" commandfor={rotateDialog(apiKey)} command="show-modal" />
      ) : null}
      {revoke ? (
        <MenuItem label="Revoke" icon="trash-2" danger commandfor={revokeDialog(apiKey)} command="show-modal" />
      ) : null}
      <hx-partial hx-target={`#${keyDialogs(apiKey)}`} hx-swap="innerHTML">
        {rotate ? <RotateDialog apiKey={apiKey} /> : null}
        {revoke ? <RevokeDialog apiKey={apiKey} /> : null}
      </hx-partial>
    </>
  )
}
