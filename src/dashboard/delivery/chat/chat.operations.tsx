import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import { auditedTransaction } from '#lib/audit.ts'
import type { Call } from '#lib/call.ts'
import { conflict, invalid, notFound, type Problem } from '#lib/errors.ts'
import { operation } from '#lib/operation.ts'
import { reply } from '#lib/reply.ts'
import { Chat } from '#views/dashboard/notifications/chat.tsx'
import { channelsOf } from '../kinds.ts'
import { ChatTest, ChatWebhook, ChatWebhookEdit } from './contract.ts'
import type { ChatRow } from './row.ts'
import { sendToChat } from './send.ts'
import * as chat from './webhook.ts'

const next = '/settings/notifications'

async function describe(call: Call<unknown, Actor>, row: ChatRow | null) {
  const serviceId = await call.identity.serviceId('platform-dashboard-api')
  return {
    webhook: row && {
      format: row.format,
      hint: row.hint,
      enabled: row.enabled,
      failingSince: row.failingSince,
      problem: row.problem,
      lastDeliveredAt: row.lastDeliveredAt,
    },
    kinds: call.notificationKinds.map((kind) => {
      const chosen = row?.choices[kind.name]
      const { chat: enabled } = channelsOf(kind, chosen === undefined ? {} : { chat: chosen })
      return { kind: kind.name, group: kind.group, title: kind.title, enabled }
    }),
    can: { update: call.actor.permissions.has(`${serviceId}.settings:write`) },
  }
}

export const getChatWebhook = operation({
  route: 'GET /api/chat-webhook',
  summary: 'Get the chat channel of the organization',
  permission: 'settings:read',
  machine: true,
  input: z.object({}),
  output: ChatWebhook,
  run: async (call) =>
    describe(call, await chat.findChat(call.db, chat.wholeOrganization(call.actor, 'settings:read'))),
  view: (result) => <Chat chat={result} />,
})

export const updateChatWebhook = operation({
  route: 'PUT /api/chat-webhook',
  summary: 'Connect or update the chat channel',
  permission: 'settings:write',
  machine: true,
  input: ChatWebhookEdit,
  output: ChatWebhook,
  problems: { chat_connected: 409 },
  transaction: false, // The response asks identity.
  example: { url: 'https://hooks.slack.com/services/T000/B000/XXXX' },
  run: async (call) => {
    const organizationId = chat.wholeOrganization(call.actor, 'settings:write')
    const saved = await auditedTransaction(call, (db) => chat.saveChat({ ...call, db }, organizationId, call.input))
    const toast = call.input.url === undefined ? undefined : 'Connected'
    return reply(200, await describe(call, saved), { next, ...(toast && { toast }) })
  },
  view: (result) => <Chat chat={result} />,
})

export const deleteChatWebhook = operation({
  route: 'DELETE /api/chat-webhook',
  summary: 'Delete the chat channel of the organization',
  permission: 'settings:write',
  machine: true,
  input: z.object({}),
  output: ChatWebhook,
  transaction: false,
  run: async (call) => {
    const organizationId = chat.wholeOrganization(call.actor, 'settings:write')
    await auditedTransaction(call, (db) => chat.deleteChat({ ...call, db }, organizationId))
    return reply(200, await describe(call, null), { next, toast: 'Disconnected' })
  },
  view: (result) => <Chat chat={result} />,
})

export const testChatWebhook = operation({
  route: 'POST /api/chat-webhook/test',
  summary: 'Send a test message to the chat',
  permission: 'settings:write',
  limit: 'writes',
  input: ChatTest,
  output: z.null(),
  transaction: false,
  problems: { chat_test_failed: 409, not_found: 404 },
  run: async (call) => {
    const organizationId = chat.wholeOrganization(call.actor, 'settings:write')
    const outcome = await sendToChat(call, await urlToTest(call, organizationId), [testItem(call)], call.now())
    if (outcome.state !== 'sent') throw testFailed(call.input, outcome.problem)
    return reply(204, null, { next, toast: 'Test sent' })
  },
})

function testFailed({ url }: z.output<typeof ChatTest>, problem: string): Problem {
  const message = `The test wasn’t delivered. ${problem}`
  return url === undefined ? conflict('chat_test_failed', message) : invalid([{ path: 'url', message }])
}

async function urlToTest(call: Call<z.output<typeof ChatTest>, Actor>, organizationId: string): Promise<string> {
  if (call.input.url !== undefined) return chat.checkUrl(call, call.input.url).href
  const row = await chat.findChat(call.db, organizationId)
  if (!row) throw notFound('chat webhook')
  return chat.openUrl(call, row)
}

const testItem = ({ request, now }: Call) => ({
  title: 'Test from Atrium',
  reason: 'Notifications of your organization are posted here.',
  href: new URL('/actions', request.url).href,
  at: now(),
})
