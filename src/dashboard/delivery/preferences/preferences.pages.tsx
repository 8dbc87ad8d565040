import { z } from 'zod'
import { nullIfHidden } from '#lib/errors.ts'
import { page } from '#lib/page.ts'
import { NotificationsPage, type NotificationsProps } from '#views/dashboard/notifications/notifications-page.tsx'
import { getChatWebhook } from '../chat/chat.operations.tsx'
import { listPushSubscriptions } from '../push/push.operations.tsx'
import { getNotificationPreferences } from './preferences.operations.tsx'

export const notificationSettingsPage = page({
  path: '/settings/notifications',
  permission: 'signed-in',
  frame: 'settings',
  icon: 'bell',
  rank: 1,
  screen: 'notifications',
  title: 'Notifications',
  summary: 'What you hear about by email, push and chat, and when.',
  keywords: 'email push chat slack discord quiet hours preferences',
  query: z.object({}),
  load: async ({ ask }): Promise<NotificationsProps> => {
    const [preferences, browsers, chat] = await Promise.all([
      ask(getNotificationPreferences, {}),
      ask(listPushSubscriptions, {}),
      ask(getChatWebhook, {}).catch(nullIfHidden),
    ])
    return { preferences, browsers, chat }
  },
  view: (props) => <NotificationsPage {...props} />,
})
