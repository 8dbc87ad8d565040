import { z } from 'zod'
import type { Config } from '#config'
import type { GatewayRequests } from './requests.ts'

const caller = 'platform-socialize'

/** How long the gateway can take for a fallback after a model that didn't respond, and a moment more. */
export const imagesTimeoutMsOf = ({ AI_RESPONSE_MS }: Pick<Config, 'AI_RESPONSE_MS'>): number =>
  2 * AI_RESPONSE_MS + 5_000

/** Who pays for images, and what their usage is attributed to (GTW-16). */
interface Payer {
  organizationId: string
  applicationId: string
  userId: string | null
}

interface ImageOrder {
  prompt: string
  size: string
  /** The organization's, when not set. */
  model?: string
  count: number
}

export interface GeneratedImages {
  /** Base64, or the URL at which the provider offers the file for a while. */
  images: ({ base64: string } | { url: string })[]
  /** `provider/model`; null when the gateway doesn't name it. */
  model: string | null
  costNanoUsd: number | null
}

interface ImageChoice {
  /** The chain that serves requests without a model, the first one first. */
  chain: string[]
  /** All that a request can name. */
  models: string[]
}

const Limit = z.object({
  family: z.string().nullable(),
  period: z.string(),
  mode: z.string(),
  limitNanoUsd: z.number().nullable(),
  spentNanoUsd: z.number().nullable(),
  reservedNanoUsd: z.number().nullable(),
  remainingNanoUsd: z.number().nullable(),
  resetsAt: z.string().nullable(),
})
export type ImageLimit = z.output<typeof Limit>

const DryRun = z.object({ limits: z.array(Limit) })
const Preferences = z.object({
  routes: z.array(z.object({ useCase: z.string(), models: z.array(z.string()) })),
  imageModels: z.array(z.string()),
})
const Images = z.object({
  data: z.array(z.object({ b64_json: z.string().nullish(), url: z.string().nullish() })),
})

export interface ImagesClient {
  /**
   * One call, never repeated: a rate limit is the caller's to wait for (SOC-39). @throws {Problem} as the gateway,
   * among them 402 `budget_exceeded`, 429 `provider_limited` with `Retry-After`, and `provider_refused`
   */
  generate(payer: Payer, order: ImageOrder): Promise<GeneratedImages>
  /** The budgets that a request without a model counts against. @throws {Problem} as `generate` before the provider call */
  check(payer: Payer): Promise<ImageLimit[]>
  listModels(organizationId: string): Promise<ImageChoice>
}

/** Of the request itself; others mean that the gateway can't be used. */
const passesOn = [400, 403, 415]
const path = '/api/ai/images/generations'

export function createImagesClient({ exchange, request }: GatewayRequests, timeoutMs: number): ImagesClient {
  return {
    generate: async (payer, order) => {
      const sent = bodyOf(order)
      const { answer, headers } = await exchange({ ...post(payer), path, sent, answer: Images, timeoutMs })
      const cost = headers.get('x-atrium-cost-nano-usd')
      const [provider, model] = [headers.get('x-atrium-provider'), headers.get('x-atrium-model')]
      return {
        images: answer.data.flatMap(fileOf),
        model: provider === null || model === null ? null : `${provider}/${model}`,
        costNanoUsd: cost === null ? null : Number(cost),
      }
    },
    check: async (payer) => {
      const sent = bodyOf({ prompt: 'Image', size: '1024x1024', count: 1 })
      const { limits } = await request({ ...post(payer), path: `${path}?dryRun=true`, sent, answer: DryRun })
      return limits
    },
    listModels: async (organizationId) => {
      const { routes, imageModels } = await request({
        caller,
        method: 'GET',
        path: `/api/organizations/${organizationId}/model-preferences`,
        answer: Preferences,
      })
      const chain = routes.find(({ useCase }) => useCase === 'image')?.models ?? []
      return { chain, models: imageModels }
    },
  }
}

function fileOf({ b64_json: base64, url }: z.output<typeof Images>['data'][number]): GeneratedImages['images'] {
  if (base64) return [{ base64 }]
  return url ? [{ url }] : []
}

const post = ({ organizationId, applicationId, userId }: Payer) => ({
  caller,
  method: 'POST' as const,
  organizationId,
  passesOn,
  headers: { 'X-Application-Id': applicationId, ...(userId !== null && { 'X-Delegated-User-Id': userId }) },
})

const bodyOf = ({ prompt, size, model, count }: ImageOrder) => ({
  prompt,
  size,
  n: count,
  ...(model !== undefined && { model }),
})
