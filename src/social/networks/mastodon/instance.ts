import { z } from 'zod'
import { invalid, Problem } from '#lib/errors.ts'
import { OutboundError } from '#lib/outbound.ts'
import { parseForm } from '../form.ts'
import type { ConnectCall, Limits, Metadata } from '../network.ts'
import { ServerAddress } from '#lib/outbound/server-address.ts'

const Form = z.object({
  instance: z.string('Enter the server.').transform(toUrl).pipe(ServerAddress),
})

/** Accepts `mastodon.social`, its URL, or an account there such as `@ada@mastodon.social`. */
function toUrl(text: string): string {
  const bare = text.trim()
  if (bare.includes('://')) return bare
  return `https://${bare.slice(bare.lastIndexOf('@') + 1)}`
}

/** @throws {Problem} 422 */
export const parseInstance = (form: unknown): string => parseForm(Form, form).instance

/** A limit that an instance reports, within sensible bounds, since anyone can run an instance. */
const limit = (min: number, max: number) =>
  z
    .int()
    .min(min)
    .transform((reported) => Math.min(reported, max))

const Statuses = z.object({
  max_characters: limit(1, 1_000_000),
  max_media_attachments: limit(0, 100),
  /** 0 on Akkoma and Pleroma, where a URL counts its own characters. */
  characters_reserved_per_url: limit(0, 1000).default(0),
})

interface Description {
  limits: Limits
  /** Pixelfed has neither posts without files nor scopes of parts. */
  isPixelfed: boolean
}

const describe = (statuses: z.output<typeof Statuses>, version: string | undefined): Description => {
  const { max_characters: characters, max_media_attachments: media, characters_reserved_per_url: url } = statuses
  const isPixelfed = /\bPixelfed\b/i.test(version ?? '')
  const limits = { characters, media, ...(url > 0 && { urlCharacters: url }), ...(isPixelfed && { needsMedia: true }) }
  return { limits, isPixelfed }
}

/** GET /api/v2/instance */
const Instance = z
  .object({
    domain: z.string(),
    version: z.string().optional().catch(undefined),
    configuration: z.object({ statuses: Statuses }),
  })
  .transform(({ configuration, version }) => describe(configuration.statuses, version))

/** Limits of Mastodon before instances reported them. */
const defaultLimits = { max_characters: 500, max_media_attachments: 4, characters_reserved_per_url: 23 }

/** GET /api/v1/instance, before Mastodon 4 and of most other servers with this API. */
const OlderInstance = z
  .object({
    uri: z.string().min(1),
    version: z.string().min(1),
    max_toot_chars: limit(1, 1_000_000).optional().catch(undefined),
    configuration: z.object({ statuses: z.unknown() }).optional().catch(undefined),
  })
  .transform(({ configuration, version, max_toot_chars: characters = defaultLimits.max_characters }) => {
    const statuses = Statuses.safeParse(configuration?.statuses)
    return describe(statuses.success ? statuses.data : { ...defaultLimits, max_characters: characters }, version)
  })

/** @throws {Problem} 422 when it isn't an instance, 502 when it doesn't respond */
export async function describeInstance(origin: string, call: ConnectCall): Promise<Description> {
  return (await readDescription(origin, '/api/v2/instance', Instance, call)) ?? (await describeOlder(origin, call))
}

async function describeOlder(origin: string, call: ConnectCall): Promise<Description> {
  const description = await readDescription(origin, '/api/v1/instance', OlderInstance, call)
  if (description) return description
  throw invalid([{ path: 'instance', message: `${new URL(origin).host} isn’t a Mastodon server.` }])
}

/** Null when it has no such document. @throws {Problem} 502 while it fails */
async function readDescription<Answer>(
  origin: string,
  path: string,
  document: z.ZodType<Answer>,
  { outside, signal }: ConnectCall,
): Promise<Answer | null> {
  const response = await requestInstance(origin, () => outside.fetch(new URL(path, origin), { signal }))
  const { status } = response
  if ((status >= 500 && status !== 501) || status === 429) throw instanceFailed(origin, status)
  const found = document.safeParse(response.ok ? await response.json().catch(() => null) : null)
  return found.success ? found.data : null
}

/** RFC 8414, from Mastodon 4.3 on. Null where the server doesn’t say. */
export async function listSupportedScopes(origin: string, call: ConnectCall): Promise<string[] | null> {
  const metadata = await readDescription(origin, '/.well-known/oauth-authorization-server', ServerMetadata, call).catch(
    () => null,
  )
  return metadata?.scopes_supported ?? null
}

const ServerMetadata = z.object({ scopes_supported: z.array(z.string().max(200)).max(500).optional() })

/** @throws {Problem} 422 for a private address, 502 when there is no response */
export async function requestInstance(origin: string, send: () => Promise<Response>): Promise<Response> {
  try {
    return await send()
  } catch (cause) {
    const { host } = new URL(origin)
    if (cause instanceof OutboundError && cause.outcome === 'refused_address')
      throw invalid([{ path: 'instance', message: `${host} isn’t on the public internet.` }])
    throw new Problem(
      502,
      'provider_unreachable',
      `${host} couldn’t be reached. Check the spelling, or try again in a moment.`,
      { cause },
    )
  }
}

export const instanceFailed = (origin: string, status: number): Problem =>
  new Problem(502, 'provider_error', `${new URL(origin).host} responded with ${status}. Try again in a moment.`)

const InstanceMetadata = z.object({
  origin: z.string(),
  accountId: z.string(),
  limits: z
    .object({
      characters: z.int(),
      media: z.int(),
      urlCharacters: z.int().optional(),
      needsMedia: z.boolean().optional(),
    })
    .transform(({ urlCharacters, needsMedia, ...limits }) => ({
      ...limits,
      ...(urlCharacters !== undefined && { urlCharacters }),
      ...(needsMedia !== undefined && { needsMedia }),
    })),
})

export const parseMetadata = (metadata: Metadata): z.output<typeof InstanceMetadata> => InstanceMetadata.parse(metadata)
