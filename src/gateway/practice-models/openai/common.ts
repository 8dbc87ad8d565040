import { z } from 'zod'

export const JsonObject = z.record(z.string(), z.unknown())
export const Metadata = z.record(z.string().max(64), z.string().max(512)).nullish()
const Breakpoint = z.strictObject({ mode: z.literal('explicit'), ttl: z.enum(['30m', '12h']).optional() }).optional()
export const breakpoint = { prompt_cache_breakpoint: Breakpoint }
export const ReasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish()
export const ServiceTier = z.enum(['auto', 'default', 'flex', 'scale', 'priority', 'fast']).nullish()
export const Verbosity = z.enum(['low', 'medium', 'high']).nullish()
const Mode = z.strictObject({ mode: z.enum(['score', 'block']) }).nullish()
export const Moderation = z
  .strictObject({ model: z.string(), policy: z.strictObject({ input: Mode, output: Mode }).nullish() })
  .nullish()
export const CacheRetention = z.enum(['in_memory', '24h']).nullish()
export const Temperature = z.number().min(0).max(2).nullish()
export const TopP = z.number().min(0).max(1).nullish()
export const Penalty = z.number().min(-2).max(2).nullish()
export const Seed = z.int().nullish()
export const LogitBias = z.record(z.string(), z.number().min(-100).max(100)).nullish()
export const Stop = z.union([z.string(), z.array(z.string()).min(1).max(4)]).nullish()
export const StreamOptions = z
  .strictObject({ include_usage: z.boolean().optional(), include_obfuscation: z.boolean().optional() })
  .nullish()
export const ToolName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/)
export const CustomFormat = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('text') }),
    z.strictObject({ type: z.literal('grammar'), definition: z.string(), syntax: z.enum(['lark', 'regex']) }),
  ])
  .optional()

export const ImageUrl = z
  .string()
  .refine(
    (url) => /^https?:\/\/\S+$/i.test(url) || /^data:image\/(png|jpe?g|gif|webp);base64,[A-Za-z0-9+/]+=*$/.test(url),
    "Invalid image URL. Expected an 'http' or 'https' URL, or a base64-encoded data URL with a supported image type ('image/jpeg', 'image/png', 'image/gif', 'image/webp').",
  )

export const listOf = (stop: string | readonly string[] | null | undefined): readonly string[] =>
  typeof stop === 'string' ? [stop] : (stop ?? [])

/** Seconds. */
export const unix = (at: Date): number => Math.floor(at.getTime() / 1000)

const minCachedTokens = 1024

/** With a `prompt_cache_key` the beginning of a long prompt counts as cached, in steps of 128 tokens. */
export const cachedTokensOf = (promptTokens: number, cacheKey: string | null | undefined): number =>
  cacheKey && promptTokens >= minCachedTokens ? Math.floor((promptTokens - 1) / 128) * 128 : 0

export const sse = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`
export interface WireEvent {
  type: string
  [field: string]: unknown
}

export const sseNamed = (data: WireEvent): string => `event: ${data.type}\n${sse(data)}`
export const sseDone = 'data: [DONE]\n\n'
