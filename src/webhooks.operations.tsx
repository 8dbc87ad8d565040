import { z } from 'zod'
import { auditedStep } from '#lib/audit.ts'
import { Id } from '#lib/ids.ts'
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
import { paging } from '#lib/paginate.ts'
import { reply } from '#lib/reply.ts'
import { WebhookSecret } from '#views/shell/webhook-secret.tsx'
import { requireReading } from './webhook-permissions.ts'

const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() })

const permission = 'role:admin'
const place = '/settings/webhooks'
const placeOf = (id: string): string => `${place}/${id}`

/** The operations of outgoing webhooks, for these events. */
export const webhookOperationsOf = (events: readonly OfferedEvent[]) => ({
  listWebhookEvents: operation({
    route: 'GET /api/webhook-events',
    summary: 'The events that can be sent to webhooks',
    permission,
    input: z.object({}),
    output: listOf(WebhookEventType),
    run: async () => ({ items: [...events], nextCursor: null }),
  }),

  listWebhooks: operation({
    route: 'GET /api/webhooks',
    summary: 'The organization’s webhooks: addresses that are told of events',
    permission,
    input: z.object(paging),
    output: listOf(WebhookEndpoint),
    run: ({ db, actor, input }) => endpoints.listEndpoints(db, actor, input),
  }),

  createWebhook: operation({
    route: 'POST /api/webhooks',
    summary: 'Have events sent to an address; its signing secret is shown this once',
    permission,
    input: WebhookDraft,
    output: NewWebhookEndpoint,
    creates: true,
    secrets: ['secret'],
    example: { name: 'Web shop', url: 'https://shop.example.com/webhooks', events: ['post.published'] },
    transaction: false, // Identity is asked first.
    problems: { too_many_webhooks: 409, whole_organization_needed: 403 },
    run: async (call) => {
      await requireReading(call, events, call.input.events)
      return auditedStep(call, (db) => endpoints.createEndpoint({ ...call, db }, call.input))
    },
    view: ({ id, secret }) => <WebhookSecret secret={secret} done={placeOf(id)} />,
  }),

  getWebhook: operation({
    route: 'GET /api/webhooks/:id',
    summary: 'One webhook, without its secret',
    permission,
    input: z.object({ id: Id }),
    output: WebhookEndpoint,
    run: ({ db, actor, input }) => endpoints.findEndpoint(db, actor, input.id),
  }),

  updateWebhook: operation({
    route: 'PATCH /api/webhooks/:id',
    summary: 'Change a webhook, pause it, or enable it again',
    permission,
    input: WebhookChange,
    output: WebhookEndpoint,
    example: { state: 'paused' },
    transaction: false,
    problems: { whole_organization_needed: 403 },
    run: async (call) => {
      const before = await endpoints.findEndpoint(call.db, call.actor, call.input.id)
      const isMoved = call.input.url !== undefined && call.input.url !== before.url
      const waiting = isMoved ? await waitingTypes(call.db, before.id) : []
      await requireReading(call, events, [...(call.input.events ?? before.events), ...waiting])
      const saved = await auditedStep(call, (db) => endpoints.updateEndpoint({ ...call, db }, call.input))
      return reply(200, saved, { next: placeOf(saved.id), toast: 'Saved' })
    },
  }),

  deleteWebhook: operation({
    route: 'DELETE /api/webhooks/:id',
    summary: 'Delete a webhook with the log of its deliveries',
    permission,
    input: z.object({ id: Id }),
    output: z.null(),
    run: async (call) => {
      const { name } = await endpoints.deleteEndpoint(call, call.input.id)
      return reply(204, null, { next: place, toast: `${name} was deleted` })
    },
  }),

  rotateWebhookSecret: operation({
    route: 'POST /api/webhooks/:id/rotate-secret',
    summary: 'Replace the signing secret, with an overlap of up to 7 days in which both sign',
    permission,
    input: SecretRotation,
    output: NewWebhookEndpoint,
    creates: true,
    secrets: ['secret'],
    example: { overlapHours: 24 },
    run: (call) => endpoints.rotateSecret(call, call.input.id, call.input.overlapHours),
    view: ({ id, secret }) => <WebhookSecret secret={secret} done={placeOf(id)} />,
  }),

  testWebhook: operation({
    route: 'POST /api/webhooks/:id/test',
    summary: 'Send a webhook the event webhook.test',
    permission,
    input: z.object({ id: Id }),
    output: WebhookDelivery,
    creates: true,
    problems: { webhook_not_enabled: 409 },
    run: async (call) => {
      const delivery = await sendTest(call, call.input.id)
      return reply(201, delivery, { next: placeOf(call.input.id), toast: 'The test event is on its way' })
    },
  }),

  listWebhookDeliveries: operation({
    route: 'GET /api/webhooks/:id/deliveries',
    summary: 'What was sent to a webhook in the last 30 days, newest first',
    permission,
    input: z.object({ id: Id, state: WebhookDelivery.shape.state.optional(), ...paging }),
    output: listOf(WebhookDelivery),
    run: ({ db, actor, input }) => listDeliveries(db, actor, input),
  }),

  getWebhookDelivery: operation({
    route: 'GET /api/webhooks/:id/deliveries/:deliveryId',
    summary: 'One delivery: what was sent, and what the address answered',
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
    summary: 'Send a delivery again, as the same message',
    permission,
    input: z.object({ id: Id, deliveryId: Id }),
    output: WebhookDelivery,
    problems: { webhook_not_enabled: 409, whole_organization_needed: 403 },
    run: async (call) => {
      const { type } = await findDelivery(call.db, call.actor, call.input)
      await requireReading(call, events, [type])
      const delivery = await replayDelivery(call, call.input)
      return reply(200, delivery, { next: placeOf(call.input.id), toast: 'It is sent again' })
    },
  }),
})
