import { z } from 'zod'
import { invalid, Problem } from '#lib/errors.ts'
import { OutboundError } from '#lib/outbound.ts'
import { words } from '#lib/words.ts'
import { checkedForm } from '../form.ts'
import type { ConnectCall, Limits, Metadata } from '../network.ts'
import { ServerAddress } from '../server-address.ts'

const Form = z.object({
  instance: z.string('Name the instance.').transform(asAddress).pipe(ServerAddress),
})

/** `mastodon.social`, its address, or an account there such as `@ada@mastodon.social`. */
function asAddress(text: string): string {
  const bare = text.trim()
  if (bare.includes('://')) return bare
  return `https://${bare.slice(bare.lastIndexOf('@') + 1)}`
}

/** The origin of the instance that a form names. Throws 422. */
export const instanceIn = (form: unknown): string => checkedForm(Form, form).instance

/** A limit as an instance tells it, as far as it matters here: anybody may run one, and texts are counted by it. */
const limit = (least: number, most: number) =>
  z
    .int()
    .min(least)
    .transform((told) => Math.min(told, most))

/** What an instance says of itself (GET /api/v2/instance). */
const Instance = z.object({
  domain: words(253),
  configuration: z.object({
    statuses: z.object({
      max_characters: limit(1, 1_000_000),
      max_media_attachments: limit(0, 100),
      characters_reserved_per_url: limit(1, 1000),
    }),
  }),
})

/** An instance's name and limits. Throws 422 when it isn't one, 502 when it doesn't answer. */
export async function describe(
  origin: string,
  { outside, signal }: ConnectCall,
): Promise<{ domain: string; limits: Limits }> {
  const response = await reached(origin, () => outside.fetch(new URL('/api/v2/instance', origin), { signal }))
  const told = Instance.safeParse(response.ok ? await response.json().catch(() => null) : null)
  if (!told.success) {
    if (response.status >= 500 || response.status === 429) throw unwell(origin, response.status)
    throw invalid([{ path: 'instance', message: `${new URL(origin).host} is no Mastodon instance.` }])
  }
  const { domain, configuration } = told.data
  const { max_characters: characters, max_media_attachments: media, ...rest } = configuration.statuses
  return { domain, limits: { characters, media, urlCharacters: rest.characters_reserved_per_url } }
}

/** What an instance answers to a step of connecting. Throws 422 for an inner address, 502 when there is no answer. */
export async function reached(origin: string, ask: () => Promise<Response>): Promise<Response> {
  try {
    return await ask()
  } catch (cause) {
    const { host } = new URL(origin)
    if (cause instanceof OutboundError && cause.outcome === 'refused_address')
      throw invalid([{ path: 'instance', message: `${host} is not on the public internet.` }])
    throw new Problem(
      502,
      'provider_unreachable',
      `${host} could not be reached. Check its spelling, or try again in a moment.`,
      { cause },
    )
  }
}

export const unwell = (origin: string, status: number): Problem =>
  new Problem(502, 'provider_error', `${new URL(origin).host} answered ${status}. Try again in a moment.`)

const Kept = z.object({
  origin: z.string(),
  accountId: z.string(),
  limits: z.object({ characters: z.int(), media: z.int(), urlCharacters: z.int() }),
})

/** What is kept of an account. */
export const keptOf = (metadata: Metadata): z.output<typeof Kept> => Kept.parse(metadata)
