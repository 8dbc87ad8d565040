import type { Actor } from './actor.ts'
import { authorize, narrowActor, refuseTestKey, serviceIdOf } from './authorize.ts'
import type { Call } from './call.ts'
import type { Context } from './context.ts'
import { notFound } from './errors.ts'
import type { Events } from './events.ts'
import type { Credential } from './http/dependencies.ts'
import { Id } from './ids.ts'
import { openChannel } from './live/channel.ts'
import { createLiveHub, type LiveHub, type LiveLimits } from './live/hub.ts'
import { redeemLiveToken } from './live/tokens.ts'
import { logFault } from './log/fault.ts'
import type { Log } from './log.ts'
import type { Connection, Peer } from './socket.ts'
import type { Topic } from './topic.ts'

declare module './call.ts' {
  interface Provided {
    readonly live: Live
  }
}

export interface Live {
  open(peer: Peer, call: Call): Connection
  recheck: LiveHub['recheck']
  close(): void
}

interface Options {
  contexts: readonly Pick<Context, 'slug' | 'registered' | 'topics' | 'refusesTestKeys' | 'takesLimitedRoles'>[]
  events: Events
  log: Log
  authenticate(credential: Credential): Promise<Actor>
  serviceId(slug: string): Promise<string>
  limits?: Partial<LiveLimits>
}

const hasId = ({ single }: Topic, id: string): boolean => (single ? id === 'all' : Id.safeParse(id).success)

export function createLive({ contexts, events, log, authenticate, serviceId, limits }: Options): Live {
  const declared = contexts.flatMap((context) => (context.topics ?? []).map((topic) => ({ context, topic })))
  const byName = new Map(declared.map((one) => [one.topic.name, one]))
  const hub = createLiveHub({ events, topics: declared.map(({ topic }) => topic), limits })

  const authorizeTopic = async (call: Call, actor: Actor, name: string) => {
    const [kind = '', id = ''] = name.split(':', 2)
    const found = byName.get(kind)
    if (!found || name !== `${kind}:${id}` || !hasId(found.topic, id)) throw notFound('topic')
    const { context, topic } = found
    const service = await serviceIdOf(context, serviceId)
    authorize(actor, topic.permission, service)
    await refuseTestKey(actor, context, call)
    const reader = narrowActor(actor, topic.permission, service, context)
    await topic.authorize({ ...call, actor: reader, input: id })
  }

  return {
    open: (peer, call) =>
      openChannel(peer, {
        hub,
        redeem: (token) => redeemLiveToken(call, token),
        authenticate,
        authorizeTopic: (actor, name) => authorizeTopic(call, actor, name),
        reportError: (error) => logFault(log, 'live channel', error, { request: call.request.id }),
      }),
    recheck: hub.recheck,
    close: hub.close,
  }
}
