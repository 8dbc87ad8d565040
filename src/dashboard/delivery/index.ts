import type { Module } from '#lib/module.ts'
import { chatWebhooks, pushKeys, pushSubscriptions } from '../schema.ts'
import { announceNotifications } from './announce/announce.job.ts'
import * as chat from './chat/chat.operations.tsx'
import { postToChat } from './chat/post.job.ts'
import * as contract from './contract.ts'
import { sendEmail } from './email/email.job.ts'
import * as unsubscribing from './email/unsubscribe.operations.tsx'
import * as unsubscribePages from './email/unsubscribe.pages.tsx'
import * as preferences from './preferences/preferences.operations.tsx'
import * as pages from './preferences/preferences.pages.tsx'
import { sendPush } from './push/push.job.ts'
import { deleteEndedSubscriptions } from './push/ended.ts'
import * as push from './push/push.operations.tsx'
import { sendDue } from './send.ts'

export const deliveryModule: Module = {
  operations: [preferences, push, chat, unsubscribing],
  pages: [pages, unsubscribePages],
  contracts: [contract],
  jobs: [announceNotifications, sendEmail, sendPush, postToChat, sendDue, deleteEndedSubscriptions],
  schedules: [
    { cron: '20 * * * * *', job: sendDue },
    { cron: '40 */10 * * * *', job: deleteEndedSubscriptions },
  ],
  sealed: [pushKeys.sealedPrivateKey, pushSubscriptions.sealedSubscription, chatWebhooks.sealedUrl],
}
