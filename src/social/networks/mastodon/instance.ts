import { z } from 'zod'
import { invalid, Problem } from '#lib/errors.ts'
import { OutboundError } from '#lib/outbound.ts'
import { checkedForm } from '../form.ts'
import type { ConnectCall, Limits, Metadata } from '../network.ts'
import { ServerAddress } from '../server-address.ts'

const Form = z.object({
  instance: z.string('Enter the server.').transform(asAddress).pipe(ServerAddress),
})

/** `mastodon.social`, its address, or an account there such as `@ada@mastodon.social`. */
function asAddress(text: string): string {
  const bare = text.trim()
  if (bare.includes('://')) return bare
  return `https://${bare.slice(bare.lastIndexOf('@') + 1)}`
}

/** The origin of the instance that a form names. Throws 422. */
export const instanceIn = (form: unknown): string => checkedForm(Form, form).instance

/** A limit that an instance reports, kept within sensible bounds: anyone can run an instance. */
const limit = (least: number, most: number) =>
  z
    .int()
    .min(least)
    .transform((told) => Math.min(told, most))

const Statuses = z.object({
  max_characters: limit(1, 1_000_000),
  max_media_attachments: limit(0, 100),
  characters_reserved_per_url: limit(1, 1000),
})

const asLimits = (statuses: z.output<typeof Statuses>): Limits => ({
  characters: statuses.max_characters,
  media: statuses.max_media_attachments,
  urlCharacters: statuses.characters_reserved_per_url,
})

/** What an instance says of itself (GET /api/v2/instance). */
const Instance = z
  .object({ domain: z.string(), configuration: z.object({ statuses: Statuses }) })
  .transform(({ configuration }) => asLimits(configuration.statuses))

/** What Mastodon took before instances told their limits. */
const usual = { max_characters: 500, max_media_attachments: 4, characters_reserved_per_url: 23 }

/** The same before Mastodon 4, and of most other servers with this API (GET /api/v1/instance). */
const OlderInstance = z
  .object({
    uri: z.string().min(1),
    version: z.string().min(1),
    max_toot_chars: limit(1, 1_000_000).optional().catch(undefined),
    configuration: z.object({ statuses: z.unknown() }).optional().catch(undefined),
  })
  .transform(({ configuration, max_toot_chars: characters = usual.max_characters }) => {
    const told = Statuses.safeParse(configuration?.statuses)
    return asLimits(told.success ? told.data : { ...usual, max_characters: characters })
  })

/** An instance's limits. Throws 422 when it isn't one, 502 when it doesn't answer. */
export async function limitsAt(origin: string, call: ConnectCall): Promise<Limits> {
  return (await toldAt(origin, '/api/v2/instance', Instance, call)) ?? (await olderLimitsAt(origin, call))
}

async function olderLimitsAt(origin: string, call: ConnectCall): Promise<Limits> {
  const limits = await toldAt(origin, '/api/v1/instance', OlderInstance, call)
  if (limits) return limits
  throw invalid([{ path: 'instance', message: `${new URL(origin).host} isn’t a Mastodon server.` }])
}

/** The limits in one document of an instance; null where it has no such document. Throws 502 while it fails. */
async function toldAt(
  origin: string,
  path: string,
  document: z.ZodType<Limits>,
  { outside, signal }: ConnectCall,
): Promise<Limits | null> {
  const response = await reached(origin, () => outside.fetch(new URL(path, origin), { signal }))
  const { status } = response
  if ((status >= 500 && status !== 501) || status === 429) throw unwell(origin, status)
  const told = document.safeParse(response.ok ? await response.json().catch(() => null) : null)
  return told.success ? told.data : null
}

/** What an instance answers to a step of connecting. Throws 422 for an inner address, 502 when there is no answer. */
export async function reached(origin: string, ask: () => Promise<Response>): Promise<Response> {
  try {
    return await ask()
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

export const unwell = (origin: string, status: number): Problem =>
  new Problem(502, 'provider_error', `${new URL(origin).host} responded with ${status}. Try again in a moment.`)

const Kept = z.object({
  origin: z.string(),
  accountId: z.string(),
  limits: z.object({ characters: z.int(), media: z.int(), urlCharacters: z.int() }),
})

/** What is kept of an account. */
export const keptOf = (metadata: Metadata): z.output<typeof Kept> => Kept.parse(metadata)
