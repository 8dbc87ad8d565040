import { z } from 'zod'
import type { Call } from '#lib/call.ts'
import { auditedTransaction } from '#lib/audit.ts'
import { Id } from '#lib/ids.ts'
import { expectedVersions } from '#lib/request/if-match.ts'
import { operation } from '#lib/operation.ts'
import {
  NewWebhookEndpoint,
  SecretRotation,
  WebhookChange,
  WebhookDraft,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookEventType,
} from '#lib/outgoing-webhooks/contract.ts'
import {
  describeEndpoint,
  describeEndpoints,
  factsOfNewEndpoint,
  waitingTypes,
} from '#lib/outgoing-webhooks/deliveries.ts'
import * as endpoints from '#lib/outgoing-webhooks/endpoints.ts'
import type { OfferedEvent } from '#lib/outgoing-webhooks/event.ts'
import { listOf, paging } from '#lib/paginate.ts'
import { reply, type Reply, type ReplyOptions } from '#lib/reply.ts'
import { EventChoices } from '#views/platform/webhooks/webhook-fields.tsx'
import { WebhookSecret } from '#views/platform/webhooks/webhook-secret.tsx'
import { WebhookSettings } from '#views/platform/webhooks/webhook-settings.tsx'
import { WebhookList } from '#views/platform/webhooks/webhooks.tsx'
import { listEvents, createReadingCheck, requireReading } from '#lib/outgoing-webhooks/permissions.ts'

const permission = 'role:admin'
const place = '/settings/webhooks'
const placeOf = (id: string): string => `${place}/${id}`

/** A webhook with its version as ETag, for `If-Match`. */
const versioned = <Endpoint extends { version: number }>(
  endpoint: Endpoint,
  options: ReplyOptions = {},
): Reply<Endpoint> => reply(200, endpoint, { ...options, headers: { ETag: `"${endpoint.version}"` } })

const showsSecret = {
  output: NewWebhookEndpoint,
  creates: true,
  secrets: ['secret'],
  view: ({ id, secret }: z.output<typeof NewWebhookEndpoint>) => <WebhookSecret secret={secret} done={placeOf(id)} />,
} as const

/** Leaves out types that only an earlier release offered: a webhook can still be subscribed to them. */
const offeredAmong = (types: readonly string[], offered: readonly OfferedEvent[]): string[] =>
  types.filter((type) => offered.some((event) => event.type === type))

export type WebhookOperations = ReturnType<typeof webhookOperationsOf>

export function webhookOperationsOf(events: readonly OfferedEvent[]) {
  const listWebhookEvents = operation({
    route: 'GET /api/webhook-events',
    summary: 'List webhook event types',
    permission,
    input: z.object({}),
    output: listOf(WebhookEventType),
    run: async (call) => ({ items: await listEvents(call, events), nextCursor: null }),
    view: ({ items }) => <EventChoices events={items} />,
  })
  /** A webhook with the dialogs that change it, one of which offers the events. */
  const showSettings = async (webhook: z.output<typeof WebhookEndpoint>, { ask }: Pick<Call, 'ask'>) => (
    <WebhookSettings webhook={webhook} events={(await ask(listWebhookEvents, {})).items} />
  )
  return {
    listWebhookEvents,

    listWebhooks: operation({
      route: 'GET /api/webhooks',
      summary: 'List webhooks',
      permission,
      input: z.object(paging),
      output: WebhookEndpointList,
      run: async (call) => {
        const { items, nextCursor } = await endpoints.listEndpoints(call.db, call.actor, call.input)
        return { items: await describeEndpoints(call, items), nextCursor }
      },
      view: ({ items }) => <WebhookList webhooks={items} />,
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
        const created = await auditedTransaction(call, (db) => endpoints.createEndpoint({ ...call, db }, call.input))
        return { ...created, ...factsOfNewEndpoint }
      },
    }),

    getWebhook: operation({
      route: 'GET /api/webhooks/:id',
      summary: 'Get a webhook',
      permission,
      input: z.object({ id: Id }),
      output: WebhookEndpoint,
      run: async (call) =>
        versioned(await describeEndpoint(call, await endpoints.findEndpoint(call.db, call.actor, call.input.id))),
      view: showSettings,
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
        const requireReadable = isWidening ? await createReadingCheck(call, events) : () => {}
        const { earlier, saved } = await auditedTransaction(call, async (db) => {
          const before = await endpoints.lockEndpoint({ ...call, db }, input.id)
          const isMoved = input.url !== undefined && input.url !== before.url
          const isEnabled = input.state === 'enabled' && before.state !== 'enabled'
          const waiting = isMoved ? await waitingTypes(db, before.id) : []
          const kept = input.events || !(isMoved || isEnabled) ? [] : before.events
          if (input.events || isMoved || isEnabled)
            requireReadable([...(input.events ?? []), ...offeredAmong([...kept, ...waiting], events)])
          return { earlier: before, saved: await endpoints.updateEndpoint({ ...call, db }, call.input, expected) }
        })
        return versioned(await describeEndpoint(call, saved), {
          next: placeOf(saved.id),
          // The title of the page is its name.
          leavesPage: earlier.name !== saved.name,
          toast: 'Saved',
        })
      },
      view: showSettings,
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
        return reply(204, null, { next: place, toast: `${name} deleted` })
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
      run: async (call) =>
        describeEndpoint(call, await endpoints.rotateSecret(call, call.input.id, call.input.overlapHours)),
    }),
  }
}
