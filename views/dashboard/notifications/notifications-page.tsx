import type { ChatWebhook, NotificationPreferences, PushSubscriptionList } from '#dashboard/types'
import { Browsers } from './browsers.tsx'
import { Chat } from './chat.tsx'
import { ChatDialog } from './chat-dialog.tsx'
import { PreferencesView } from './preferences.tsx'

export interface NotificationsProps {
  preferences: NotificationPreferences
  browsers: PushSubscriptionList
  /** Null for people who can’t see the settings of the organization. */
  chat: ChatWebhook | null
}

export const NotificationsPage = ({ preferences, browsers, chat }: NotificationsProps) => (
  <>
    <div class="page settings">
      <PreferencesView preferences={preferences} />
      <Browsers list={browsers} />
      {chat ? <Chat chat={chat} /> : null}
    </div>
    {chat?.can.update ? <ChatDialog /> : null}
  </>
)
