import { Refusal, type Call } from '../wire/call.ts'
import { newIds } from '../wire/numbers.ts'
import { startWire, type Shape, type Wire } from '../wire/wire.ts'
import {
  Edit,
  Execute,
  ExecuteQuery,
  invalid,
  invalidForm,
  invalidToken,
  MessageQuery,
  threadMissing,
  threadUnwanted,
  unknownChannel,
  unknownMessage,
  unknownWebhook,
} from './format.ts'
import { attach, checkContent, readBody, shown, type Message, type Webhook } from './messages.ts'

const path = '/api/webhooks/:id/:token'
type Route =
  `api ${'GET' | 'POST'} ${typeof path}` | `api ${'GET' | 'PATCH' | 'DELETE'} ${typeof path}/messages/:message`

/** Discord's webhooks on loopback, as https://discord.com/developers/docs/resources/webhook describes them. */
export interface DiscordCounterpart extends Wire<'api', Route> {
  /** Creates a webhook of a channel, as its settings do. */
  webhook(options?: { name?: string; isForum?: boolean }): Webhook & { url: string }
  /** Creates a thread of its channel. Returns the thread's id. */
  thread(webhook: Webhook): string
  /** The messages of a channel or thread that its readers see, oldest first. */
  messages(channel: string): Message[]
  /** Deletes the webhook: its URL is unknown from then on. */
  remove(webhook: Webhook): void
  /** Replaces its token: the URL with the old one is refused from then on. */
  renew(webhook: Webhook): string
}

interface Options {
  /** Requests per webhook and window. */
  rate?: { limit: number; windowMs: number }
}

/** Starts it on a free port. */
export function startDiscord({ rate = { limit: 30, windowMs: 1000 } }: Options = {}): DiscordCounterpart {
  const webhooks = new Map<string, Webhook>()
  const messages: Message[] = []
  const windows = new Map<string, { start: number; used: number }>()

  const known = (call: Call): Webhook => {
    if (!call.headers.get('user-agent')) throw new Refusal(new Response('error code: 1010', { status: 403 }))
    const webhook = webhooks.get(call.param('id'))
    if (!webhook) throw new Refusal(unknownWebhook())
    if (webhook.token !== call.param('token')) throw new Refusal(invalidToken())
    return webhook
  }
  const windowOf = (id: string) => {
    const found = windows.get(id)
    if (found && wire.clock.now() < found.start + rate.windowMs) return found
    const opened = { start: wire.clock.now(), used: 0 }
    windows.set(id, opened)
    return opened
  }
  const rateHeaders = (id: string): Record<string, string> => {
    const { start, used } = windowOf(id)
    const end = start + rate.windowMs
    return {
      'X-RateLimit-Limit': String(rate.limit),
      'X-RateLimit-Remaining': String(Math.max(0, rate.limit - used)),
      'X-RateLimit-Reset': (end / 1000).toFixed(3),
      'X-RateLimit-Reset-After': (Math.max(0, end - wire.clock.now()) / 1000).toFixed(3),
      'X-RateLimit-Bucket': 'bd1e1ee1d1',
    }
  }
  /** Counts the request. @throws when the window is used up. */
  const count = ({ id }: Webhook) => {
    const window = windowOf(id)
    window.used += 1
    if (window.used <= rate.limit) return
    const { status, body, headers } = throttled((window.start + rate.windowMs - wire.clock.now()) / 1000)
    throw new Refusal(Response.json(body, { status, headers }))
  }
  const channelOf = (webhook: Webhook, thread: string | undefined) => {
    if (thread !== undefined && !webhook.threads.has(thread)) throw new Refusal(unknownChannel())
    return thread ?? webhook.channel
  }
  const ownMessage = (call: Call, webhook: Webhook): Message => {
    const { thread_id } = call.search(MessageQuery)
    const channel = channelOf(webhook, thread_id)
    const found = messages.find((each) => each.id === call.param('message') && each.webhook === webhook.id)
    if (found?.channel !== channel) throw new Refusal(unknownMessage())
    return found
  }

  const execute = async (call: Call): Promise<Response> => {
    const webhook = known(call)
    count(webhook)
    const { wait, thread_id } = call.search(ExecuteQuery)
    const { body, files } = await readBody(call, Execute)
    if (webhook.isForum && thread_id === undefined && body.thread_name === undefined) return threadMissing()
    if (body.thread_name !== undefined && (!webhook.isForum || thread_id !== undefined)) return threadUnwanted()
    if (/discord|clyde/i.test(body.username ?? ''))
      return invalidForm('username', 'USERNAME_INVALID_CONTAINS', 'Username cannot contain "discord"')
    const attachments = attach(body, files, nextId)
    checkContent(body, attachments.length)
    const id = nextId()
    if (body.thread_name !== undefined) webhook.threads.add(id)
    const message: Message = {
      id,
      channel: body.thread_name === undefined ? channelOf(webhook, thread_id) : id,
      webhook: webhook.id,
      username: body.username ?? webhook.name,
      avatar: body.avatar_url ?? null,
      content: body.content ?? '',
      embeds: body.embeds ?? [],
      attachments,
      flags: body.flags ?? 0,
      createdAt: new Date(wire.clock.now()).toISOString(),
      editedAt: null,
    }
    messages.push(message)
    return wait === 'true' ? Response.json(shown(message, webhook)) : new Response(null, { status: 204 })
  }

  const edit = async (call: Call): Promise<Response> => {
    const webhook = known(call)
    count(webhook)
    const message = ownMessage(call, webhook)
    const { body, files } = await readBody(call, Edit)
    const attachments = attach(body, files, nextId, message.attachments)
    const changed = {
      content: body.content === undefined ? message.content : (body.content ?? ''),
      embeds: body.embeds === undefined ? message.embeds : (body.embeds ?? []),
    }
    checkContent(changed, attachments.length)
    Object.assign(message, changed, { attachments, editedAt: new Date(wire.clock.now()).toISOString() })
    return Response.json(shown(message, webhook))
  }

  const wire: Wire<'api', Route> = startWire<'api', Route>({
    hosts: ['api'],
    routes: {
      [`api GET ${path}` as const]: (call: Call) => {
        const { id, token, name, guild, channel } = known(call)
        const url = `${wire.urls.api}/api/webhooks/${id}/${token}`
        const rest = { type: 1, avatar: null, application_id: null, guild_id: guild, channel_id: channel }
        return Response.json({ id, token, name, ...rest, url })
      },
      [`api POST ${path}` as const]: execute,
      [`api GET ${path}/messages/:message` as const]: (call: Call) => {
        const webhook = known(call)
        return Response.json(shown(ownMessage(call, webhook), webhook))
      },
      [`api PATCH ${path}/messages/:message` as const]: edit,
      [`api DELETE ${path}/messages/:message` as const]: (call: Call) => {
        const webhook = known(call)
        count(webhook)
        messages.splice(messages.indexOf(ownMessage(call, webhook)), 1)
        return new Response(null, { status: 204 })
      },
    },
    shapes,
    notFound: () => Response.json({ message: '404: Not Found', code: 0 }, { status: 404 }),
    invalid,
    unversioned: (requested) => requested.replace(/^\/api\/v10\//, '/api/'),
    headers: (call) => rateHeaders(call.param('id')),
  })
  const nextId = newIds(wire.clock)

  return {
    ...wire,
    webhook: ({ name = 'Updates', isForum = false } = {}) => {
      const token = newToken()
      const webhook = { id: nextId(), token, name, guild: nextId(), channel: nextId(), isForum }
      const made = {
        ...webhook,
        threads: new Set<string>(),
        url: `${wire.urls.api}/api/webhooks/${webhook.id}/${token}`,
      }
      webhooks.set(made.id, made)
      return made
    },
    thread: ({ id }) => {
      const thread = nextId()
      webhooks.get(id)?.threads.add(thread)
      return thread
    },
    messages: (channel) => messages.filter((message) => message.channel === channel),
    remove: ({ id }) => webhooks.delete(id),
    renew: ({ id }) => {
      const token = newToken()
      const webhook = webhooks.get(id)
      if (webhook) webhook.token = token
      return `${wire.urls.api}/api/webhooks/${id}/${token}`
    },
  }
}

/** 68 characters, as the tokens of webhooks have. */
const newToken = () => crypto.getRandomValues(new Uint8Array(51)).toBase64({ alphabet: 'base64url' })

const throttled = (seconds: number): Shape & { headers: Record<string, string> } => ({
  status: 429,
  body: { message: 'You are being rate limited.', retry_after: Number(seconds.toFixed(3)), global: false },
  headers: {
    'Retry-After': String(Math.ceil(seconds)),
    'X-RateLimit-Limit': '5',
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset-After': seconds.toFixed(3),
    'X-RateLimit-Bucket': 'bd1e1ee1d1',
    'X-RateLimit-Scope': 'shared',
  },
})

const shapes = {
  unauthorized: () => ({ status: 401, body: { message: '401: Unauthorized', code: 0 } }),
  forbidden: () => ({ status: 403, body: { message: 'Missing Permissions', code: 50_013 } }),
  rate_limited: () => throttled(0.64),
  server_error: () => ({ status: 503, body: { message: '503: Service Unavailable', code: 0 } }),
  // A webhook has no session: its token is replaced, or the webhook deleted.
  expired_token: () => ({ status: 401, body: { message: 'Invalid Webhook Token', code: 50_027 } }),
  revoked_token: () => ({ status: 404, body: { message: 'Unknown Webhook', code: 10_015 } }),
  media_refused: () => ({ status: 413, body: { message: 'Request entity too large', code: 40_005 } }),
}
