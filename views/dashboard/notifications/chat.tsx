import type { ChatKindChoice, ChatWebhook } from '#dashboard/types'
import { Button } from '#views/ui/button.tsx'
import { Setting, SettingsSection } from '#views/ui/settings.tsx'
import { Time } from '#views/ui/time.tsx'
import { chatDialog, chatPlace, chatRoute } from './places.ts'
import { Switch } from './switch.tsx'

interface ChatProps {
  chat: ChatWebhook
}

export const Chat = ({ chat }: ChatProps) => (
  <SettingsSection
    id={chatPlace}
    title="Chat"
    text="The organization’s channel in Slack, Mattermost or Discord. Everyone in the channel sees what is posted there."
  >
    <div class="card">
      <ul class="list" aria-label="Chat">
        {chat.webhook ? <Connected webhook={chat.webhook} canUpdate={chat.can.update} /> : <NotConnected chat={chat} />}
      </ul>
      {chat.webhook ? <Kinds chat={chat} /> : null}
    </div>
  </SettingsSection>
)

const NotConnected = ({ chat: { can } }: ChatProps) => (
  <Setting
    icon="webhook"
    name="Chat"
    detail={can.update ? 'Not connected' : 'Not connected. An admin of your organization can connect a channel.'}
  >
    {can.update ? <ConnectButton label="Connect" /> : null}
  </Setting>
)

const ConnectButton = ({ label }: { label: string }) => (
  <Button label={label} size="sm" commandfor={chatDialog} command="show-modal" />
)

interface ConnectedProps {
  webhook: NonNullable<ChatWebhook['webhook']>
  canUpdate: boolean
}

const names = { slack: 'Slack-compatible', discord: 'Discord' }

const Connected = ({ webhook, canUpdate }: ConnectedProps) => {
  const { hint, format, enabled, failingSince, problem, lastDeliveredAt } = webhook
  return (
    <>
      <Setting
        icon="webhook"
        name={names[format]}
        status={failingSince ? { state: 'failed', icon: 'circle-alert', word: 'Not delivered' } : undefined}
        detail={
          <>
            <span safe>{hint}</span>
            {problem ? (
              <>
                <br />
                <span safe>{problem}</span>
              </>
            ) : null}
            {lastDeliveredAt ? (
              <>
                <br />
                Last delivered <Time at={lastDeliveredAt} form="moment" />
              </>
            ) : null}
          </>
        }
      >
        <Switch
          label="Chat"
          id="channel-chat"
          checked={enabled}
          disabled={!canUpdate}
          put={chatRoute}
          values={{ enabled: String(!enabled) }}
          target={`#${chatPlace}`}
        />
      </Setting>
      {canUpdate ? (
        <li>
          <span class="actions" data-wrap>
            <Button label="Send a test" size="sm" hx-post={`${chatRoute}/test`} hx-swap="none" />
            <ConnectButton label={failingSince ? 'Reconnect' : 'Change URL'} />
            <Button
              label="Disconnect"
              size="sm"
              variant="quiet-danger"
              hx-delete={chatRoute}
              hx-target={`#${chatPlace}`}
              hx-swap="outerMorph"
              hx-confirm="Disconnect the chat? You need its webhook URL to connect it again."
            />
          </span>
        </li>
      ) : null}
    </>
  )
}

/** An unchecked box sends only its kind, which turns it off. */
const Kinds = ({ chat: { kinds, can } }: ChatProps) => (
  <fieldset class="field chat-kinds" disabled={!can.update}>
    <legend>What is posted</legend>
    <div class="scopes">
      {kinds.map((kind) => (
        <Kind kind={kind} />
      ))}
    </div>
  </fieldset>
)

const Kind = ({ kind: { kind, title, group, enabled } }: { kind: ChatKindChoice }) => (
  <label class="check">
    <input
      type="checkbox"
      id={`chat-${kind.replaceAll('.', '-')}`}
      name="choices[0].enabled"
      value="true"
      checked={enabled}
      hx-put={chatRoute}
      hx-trigger="change"
      hx-vals={JSON.stringify({ 'choices[0].kind': kind })}
      hx-target={`#${chatPlace}`}
      hx-swap="outerMorph"
    />
    <span>
      <span safe>{title}</span>
      <small safe>{group}</small>
    </span>
  </label>
)
