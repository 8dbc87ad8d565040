import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { Id } from '#lib/ids.ts'
import { operation } from '#lib/operation.ts'
import { isTarget, parameterOfPage } from '#lib/page.ts'
import { reply } from '#lib/reply.ts'
import { csvFile } from '#lib/response/csv-file.ts'
import { Endpoints } from '#views/payments/webhooks/endpoints.tsx'
import { EventDetails } from '#views/payments/webhooks/event.tsx'
import { EventList } from '#views/payments/webhooks/list.tsx'
import {
  EndpointRegistration,
  EndpointSecret,
  LostEvents,
  ProviderEndpoint,
  ProviderEndpoints,
  ProviderEventFilter,
  ReceivedProviderEvent,
  ReceivedProviderEventDetails,
  ReceivedProviderEventList,
  ReplayedEvents,
} from '../contract/webhooks.ts'
import { providerProblems } from '../provider-problems.ts'
import { addEndpoints, endpointsOf, listEndpoints, setSecret } from './endpoints.ts'
import { getEvent, listEventRows, listEvents, replayEvent, replayFailed } from './events.ts'
import { findLostEvents } from './find-lost.ts'

export const listProviderEvents = operation({
  route: 'GET /api/pay/webhooks',
  summary: 'List events of the payment provider',
  permission: 'payments:read',
  input: ProviderEventFilter,
  output: ReceivedProviderEventList,
  run: listEvents,
  view: (list, { input, actor }) => <EventList list={list} query={input} organizationId={actor.organization?.id} />,
})

export const exportProviderEvents = operation({
  route: 'GET /api/pay/webhooks/export',
  summary: 'Export events of the payment provider as CSV',
  permission: 'payments:read',
  input: ProviderEventFilter.omit({ limit: true, cursor: true }),
  output: z.null(),
  streams: 'text/csv',
  run: async (call) =>
    csvFile('events', ReceivedProviderEvent, (page) => listEventRows(call, { ...call.input, ...page })),
})

export const getProviderEvent = operation({
  route: 'GET /api/pay/webhooks/:id',
  summary: 'Get an event of the payment provider',
  permission: 'payments:read',
  input: z.object({ id: Id }),
  output: ReceivedProviderEventDetails,
  run: (call) => getEvent(call, call.input.id),
  view: (event, { actor }) => <EventDetails event={event} organizationId={actor.organization?.id} />,
})

type PageCall = Pick<Call<unknown, Actor>, 'ask' | 'request' | 'actor'>

/** With the filters of the page that sent the request. */
async function viewEvents({ ask, request, actor }: PageCall): Promise<string> {
  const shown = (name: string) => parameterOfPage({ request }, name)
  const names = ['state', 'type', 'q', 'from', 'to', 'timeZone']
  const given = ProviderEventFilter.safeParse(Object.fromEntries(names.map((name) => [name, shown(name)])))
  const query = given.data ?? ProviderEventFilter.parse({})
  const list = await ask(listProviderEvents, query)
  return <EventList list={list} query={query} organizationId={actor.organization?.id} />
}

export const replayProviderEvent = operation({
  route: 'POST /api/pay/webhooks/:id/replay',
  summary: 'Replay an event of the payment provider',
  permission: 'settings:write',
  input: z.object({ id: Id }),
  output: ReceivedProviderEvent,
  problems: { webhook_waiting: 409 },
  run: async (call) => reply(200, await replayEvent(call, call.input.id), { toast: 'Event replayed' }),
  view: async ({ id }, call) =>
    isTarget(call, 'provider-event') ? (
      <EventDetails event={await call.ask(getProviderEvent, { id })} organizationId={call.actor.organization?.id} />
    ) : (
      viewEvents(call)
    ),
})

export const replayFailedProviderEvents = operation({
  route: 'POST /api/pay/webhooks/replay-failed',
  summary: 'Replay failed events of the payment provider',
  permission: 'settings:write',
  input: z.object({}),
  output: ReplayedEvents,
  run: async (call) => reply(200, await replayFailed(call), { toast: 'Failed events replayed' }),
  view: (_, call) => viewEvents(call),
})

/** Longer than a search takes. */
const searchMs = 120_000

export const findLostProviderEvents = operation({
  route: 'POST /api/pay/webhooks/find-lost',
  summary: 'Find lost events of the payment provider',
  permission: 'settings:write',
  input: z.object({}),
  output: LostEvents,
  transaction: false,
  timeout: searchMs,
  limit: 'checks',
  problems: { ...providerProblems, platform_account: 403 },
  run: async (call) => {
    let found = 0
    for (const endpoint of await endpointsOf(call)) found += await findLostEvents(call, endpoint)
    return reply(200, { found }, { toast: found === 0 ? 'No event was lost' : `${found} lost events found` })
  },
  view: (_, call) => viewEvents(call),
})

export const listProviderEndpoints = operation({
  route: 'GET /api/pay/webhook-endpoints',
  summary: 'List webhook endpoints of the payment provider',
  permission: 'settings:read',
  input: z.object({}),
  output: ProviderEndpoints,
  run: listEndpoints,
  view: (endpoints) => <Endpoints endpoints={endpoints} />,
})

export const registerProviderEndpoints = operation({
  route: 'POST /api/pay/webhook-endpoints',
  summary: 'Register webhook endpoints at the payment provider',
  permission: 'settings:write',
  input: EndpointRegistration,
  output: ProviderEndpoints,
  transaction: false,
  timeout: searchMs,
  limit: 'checks',
  problems: { ...providerProblems, platform_account: 403, webhook_endpoint_unavailable: 503 },
  run: async (call) => reply(200, await addEndpoints(call), { toast: 'Webhook endpoints registered' }),
  view: async (_, { ask }) => <Endpoints endpoints={await ask(listProviderEndpoints, {})} />,
})

export const setProviderEndpointSecret = operation({
  route: 'PUT /api/pay/webhook-endpoints/:id/secret',
  summary: 'Set the signing secret of an endpoint',
  permission: 'settings:write',
  input: EndpointSecret,
  output: ProviderEndpoint,
  run: async (call) => reply(200, await setSecret(call), { toast: 'Secret saved' }),
  view: async (_, { ask }) => <Endpoints endpoints={await ask(listProviderEndpoints, {})} />,
})
