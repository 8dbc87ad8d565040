import { z } from 'zod'
import { auditedTransaction } from '#lib/audit.ts'
import { Id } from '#lib/ids.ts'
import { expectedVersions } from '#lib/if-match.ts'
import { operation } from '#lib/operation.ts'
import {
  NewWebhookEndpoint,
  SecretRotation,
  WebhookChange,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDraft,
  WebhookEndpoint,
  WebhookEventType,
} from '#lib/outgoing-webhooks/contract.ts'
import {
  findDelivery,
  listDeliveries,
  replayDelivery,
  sendTest,
  waitingTypes,
} from '#lib/outgoing-webhooks/deliveries.ts'
import * as endpoints from '#lib/outgoing-webhooks/endpoints.ts'
import type { OfferedEvent } from '#lib/outgoing-webhooks/event.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { reply, type Reply, type ReplyOptions } from '#lib/reply.ts'
import { WebhookSecret } from '#views/platform/webhooks/webhook-secret.tsx'
import { readingCheck, requireReading } from './webhook-permissions.ts'

const permission = 'role:admin'
const place = '/settings/webhooks'
const placeOf = (id: string): string => `${place}/${id}`

/** A webhook with its version as ETag, for `If-Match`. */
const versioned = <Endpoint extends { version: number }>(
  endpoint: Endpoint,
  options: ReplyOptions = {},
): Reply<Endpoint> => reply(200, endpoint, { ...options, headers: { ETag: `"${endpoint.version}"` } })

/** The common parts of operations that return a new signing secret. */
const showsSecret = {
  output: NewWebhookEndpoint,
  creates: true,
  secrets: ['secret'],
  view: ({ id, secret }: z.output<typeof NewWebhookEndpoint>) => <WebhookSecret secret={secret} done={placeOf(id)} />,
} as const

/** Leaves out types that only an earlier release offered: a webhook can still be subscribed to them. */
const offeredAmong = (types: readonly string[], offered: readonly OfferedEvent[]): string[] =>
  types.filter((type) => offered.some((event) => event.type === type))

/** Builds the operations of outgoing webhooks. `events` are those that a webhook can subscribe to. */
export const webhookOperationsOf = (events: readonly OfferedEvent[]) => ({
  listWebhookEvents: operation({
    route: 'GET /api/webhook-events',
    summary: 'List webhook event types',
    permission,
    input: z.object({}),
    output: listOf(WebhookEventType),
    run: async () => ({ items: [...events], nextCursor: null }),
  }),

  listWebhooks: operation({
    route: 'GET /api/webhooks',
    summary: 'List webhooks',
    permission,
    input: z.object(paging),
    output: listOf(WebhookEndpoint),
    run: ({ db, actor, input }) => endpoints.listEndpoints(db, actor, input),
  }),

  createWebhook: operation({
    route: 'POST /api/webhooks',
    summary: 'Create a webhook',
    permission,
    input: WebhookDraft,
    ...showsSecret,
    example: {
      name: 'Web shop',
      url: 'https://shop.example.com/webhooks',
      events: events.slice(0, 1).map(({ type }) => type),
    },
    transaction: false, // Permissions are checked with identity before the transaction opens.
    problems: { too_many_webhooks: 409, whole_organization_needed: 403 },
    run: async (call) => {
      await requireReading(call, events, call.input.events)
      return auditedTransaction(call, (db) => endpoints.createEndpoint({ ...call, db }, call.input))
    },
  }),

  getWebhook: operation({
    route: 'GET /api/webhooks/:id',
    summary: 'Get a webhook',
    permission,
    input: z.object({ id: Id }),
    output: WebhookEndpoint,
    run: async ({ db, actor, input }) => versioned(await endpoints.findEndpoint(db, actor, input.id)),
  }),

  updateWebhook: operation({
    route: 'PATCH /api/webhooks/:id',
    summary: 'Update, pause or enable a webhook',
    permission,
    ifMatch: true,
    input: WebhookChange,
    output: WebhookEndpoint,
    example: { state: 'paused' },
    transaction: false,
    problems: { whole_organization_needed: 403, version_conflict: 409 },
    run: async (call) => {
      const expected = expectedVersions(call.request.headers)
      const { input } = call
      const isWidening = input.events !== undefined || input.url !== undefined || input.state === 'enabled'
      // Pausing and renaming need no permission to read the events.
      const requireReadable = isWidening ? await readingCheck(call, events) : () => {}
      const saved = await auditedTransaction(call, async (db) => {
        const before = await endpoints.lockEndpoint({ ...call, db }, input.id)
        const isMoved = input.url !== undefined && input.url !== before.url
        const isEnabled = input.state === 'enabled' && before.state !== 'enabled'
        const waiting = isMoved ? await waitingTypes(db, before.id) : []
        const kept = input.events || !(isMoved || isEnabled) ? [] : before.events
        if (input.events || isMoved || isEnabled)
          requireReadable([...(input.events ?? []), ...offeredAmong([...kept, ...waiting], events)])
        return endpoints.updateEndpoint({ ...call, db }, call.input, expected)
      })
      return versioned(saved, { next: placeOf(saved.id), toast: 'Saved' })
    },
  }),

  deleteWebhook: operation({
    route: 'DELETE /api/webhooks/:id',
    summary: 'Delete a webhook and its delivery log',
    permission,
    input: z.object({ id: Id }),
    output: z.null(),
    transaction: false, // Its deliveries are deleted in batches.
    run: async (call) => {
      const { name } = await endpoints.deleteEndpoint(call, call.input.id)
      return reply(204, null, { next: place, toast: `${name} was deleted` })
    },
  }),

  rotateWebhookSecret: operation({
    route: 'POST /api/webhooks/:id/rotate-secret',
    summary: 'Rotate a webhook’s signing secret',
    permission,
    input: SecretRotation,
    ...showsSecret,
    example: { overlapHours: 24 },
    problems: { secret_overlap: 409 },
    run: (call) => endpoints.rotateSecret(call, call.input.id, call.input.overlapHours),
  }),

  testWebhook: operation({
    route: 'POST /api/webhooks/:id/test',
    summary: 'Send a test event to a webhook',
    permission,
    input: z.object({ id: Id }),
    output: WebhookDelivery,
    creates: true,
    problems: { webhook_not_enabled: 409, test_waiting: 409 },
    run: async (call) => {
      const delivery = await sendTest(call, call.input.id)
      return reply(201, delivery, { next: placeOf(call.input.id), toast: 'Test event sent' })
    },
  }),

  listWebhookDeliveries: operation({
    route: 'GET /api/webhooks/:id/deliveries',
    summary: 'List webhook deliveries',
    permission,
    input: z.object({ id: Id, state: WebhookDelivery.shape.state.optional(), ...paging }),
    output: listOf(WebhookDelivery),
    run: ({ db, actor, input }) => listDeliveries(db, actor, input),
  }),

  getWebhookDelivery: operation({
    route: 'GET /api/webhooks/:id/deliveries/:deliveryId',
    summary: 'Get a webhook delivery',
    permission,
    input: z.object({ id: Id, deliveryId: Id }),
    output: WebhookDeliveryDetail,
    problems: { whole_organization_needed: 403 },
    run: async (call) => {
      const delivery = await findDelivery(call.db, call.actor, call.input)
      await requireReading(call, events, [delivery.type])
      return delivery
    },
  }),

  replayWebhookDelivery: operation({
    route: 'POST /api/webhooks/:id/deliveries/:deliveryId/replay',
    summary: 'Replay a webhook delivery',
    permission,
    input: z.object({ id: Id, deliveryId: Id }),
    output: WebhookDelivery,
    problems: { webhook_not_enabled: 409, whole_organization_needed: 403 },
    run: async (call) => {
      const { type } = await findDelivery(call.db, call.actor, call.input)
      await requireReading(call, events, [type])
      const delivery = await replayDelivery(call, call.input)
      return reply(200, delivery, {
        next: `${placeOf(call.input.id)}?delivery=${call.input.deliveryId}`,
        toast: 'Event resent',
      })
    },
  }),
})
