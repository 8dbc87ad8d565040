import { serviceIdOf } from '#lib/authorize.ts'
import { invalid, Problem } from '#lib/errors.ts'
import type { Reply, Stream } from '#lib/reply.ts'
import { getPreferences } from '../models/preferences.ts'
import { ImageEditRequest, ImageRequest, openAiImageEdits, openAiImages } from '../providers/openai/images.ts'
import { attributionOf } from './attribution.ts'
import { withoutQuery } from './chat.ts'
import { deliver } from './deliver.ts'
import { dryRunReply } from './dry-run.ts'
import { requireOpenAi } from './embeddings.ts'
import { noFrames } from './encoder.ts'
import { exchange } from './exchange.ts'
import { unsupportedParameter } from './problems.ts'
import type { AiCall, Inquiry } from './types.ts'

/** Of tokens, at most: a picture in the largest size and highest quality. */
const tokensPerPicture = 16_384

type Replied = Promise<Reply<Record<string, unknown>> | Stream>

export async function generateImages(call: AiCall, given: ImageRequest): Replied {
  const request = withoutQuery(call, given, ImageRequest.shape)
  return run(call, request, 0, (model) => openAiImages(request, model))
}

export async function editImages(call: AiCall, given: ImageEditRequest): Replied {
  const request = withoutQuery(call, given, ImageEditRequest.shape)
  const pictures = [request.image, request.mask ?? []].flat().length
  return run(call, request, pictures, (model) => openAiImageEdits(request, model))
}

async function run(
  call: AiCall,
  request: ImageRequest | ImageEditRequest,
  pictures: number,
  adapt: (model: string) => ReturnType<typeof openAiImages>,
): Replied {
  if (request.stream === true || request.stream === 'true')
    throw unsupportedParameter('stream', 'images are not streamed.')
  const quantity = request.n ?? 1
  const output = quantity * tokensPerPicture
  const given = pictures * tokensPerPicture
  const inquiry: Inquiry<never> = {
    requested: await requestedModel(call, request.model),
    kinds: ['image'],
    bound: {
      inputTokens: Buffer.byteLength(request.prompt) + 64,
      hasImages: pictures > 0,
      hasAudio: false,
      maxOutput: 0,
      choices: 1,
      fixed: { inputTokens: given, inputImageTokens: given, outputTokens: output, outputImageTokens: output },
    },
    streams: false,
    unit: { name: 'image', quantity },
    adapt: (candidate) => adapt(requireOpenAi(candidate).model),
  }
  return (await dryRunReply(call, inquiry)) ?? deliver(await exchange(call, inquiry), noFrames)
}

/**
 * The stored setting, unless this one request names another model (GTW-14). @throws {Problem} 403 without
 * `images:override`, 422 outside the catalog
 */
async function requestedModel(call: AiCall, named: string | undefined): Promise<string> {
  if (named === undefined || named === 'image') return 'image'
  const { organizationId } = await attributionOf(call)
  const { routes, imageModels } = await getPreferences(call, organizationId)
  const isNamed = (ref: string) => ref === named || ref.slice(ref.indexOf('/') + 1) === named
  const stored = routes.find(({ useCase }) => useCase === 'image')?.models.find(isNamed)
  if (stored !== undefined) return stored
  await requireOverride(call)
  const found = imageModels.find(isNamed)
  if (found !== undefined) return found
  throw invalid([{ path: 'model', message: 'Must be one of the image models that the organization can use.' }])
}

async function requireOverride({ actor, identity }: AiCall): Promise<void> {
  if (actor.tokenType === 'service') return
  const serviceId = await serviceIdOf({ slug: 'platform-gateway' }, identity.serviceId)
  if (actor.permissions.has(`${serviceId}.images:override`)) return
  throw new Problem(
    403,
    'permission_missing',
    'You need the permission “images:override” to use another image model than the organization’s. Leave model out.',
    { members: { permission: 'images:override' } },
  )
}
