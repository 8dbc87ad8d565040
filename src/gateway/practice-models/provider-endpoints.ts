import { acceptCount, acceptMessage } from './anthropic/messages.ts'
import * as anthropicModels from './anthropic/models.ts'
import { anthropicWire } from './anthropic/wire.ts'
import { acceptChat } from './openai/chat.ts'
import { acceptCompletion } from './openai/completions.ts'
import { acceptEmbeddings } from './openai/embeddings.ts'
import { acceptImageEdit, acceptImageGeneration } from './openai/images.ts'
import * as openaiModels from './openai/models.ts'
import { acceptResponse } from './openai/responses.ts'
import { acceptTranscription } from './openai/transcriptions.ts'
import { openaiWire } from './openai/wire.ts'
import type { ProviderEndpoint, Wire } from './wire.ts'

const openai = (): Wire => openaiWire
const anthropic = (): Wire => anthropicWire

const isAnthropic = (headers: Headers): boolean => headers.has('anthropic-version')
/** Both providers list their models at the same path. */
const byVersion = (headers: Headers): Wire => (isAnthropic(headers) ? anthropicWire : openaiWire)

export const providerEndpoints: readonly ProviderEndpoint[] = [
  { method: 'POST', path: '/chat/completions', wireOf: openai, reads: 'json', accept: acceptChat },
  { method: 'POST', path: '/responses', wireOf: openai, reads: 'json', accept: acceptResponse },
  { method: 'POST', path: '/completions', wireOf: openai, reads: 'json', accept: acceptCompletion },
  { method: 'POST', path: '/embeddings', wireOf: openai, reads: 'json', accept: acceptEmbeddings },
  { method: 'POST', path: '/images/generations', wireOf: openai, reads: 'json', accept: acceptImageGeneration },
  { method: 'POST', path: '/images/edits', wireOf: openai, reads: 'form', accept: acceptImageEdit },
  { method: 'POST', path: '/audio/transcriptions', wireOf: openai, reads: 'form', accept: acceptTranscription },
  { method: 'POST', path: '/messages', wireOf: anthropic, reads: 'json', accept: acceptMessage },
  { method: 'POST', path: '/messages/count_tokens', wireOf: anthropic, reads: 'json', accept: acceptCount },
  {
    method: 'GET',
    path: '/models',
    wireOf: byVersion,
    accept: (_, context, headers) =>
      isAnthropic(headers) ? anthropicModels.acceptModelList(context) : openaiModels.acceptModelList(),
  },
  {
    method: 'GET',
    path: '/models/:id',
    wireOf: byVersion,
    accept: (_, context, headers) =>
      isAnthropic(headers) ? anthropicModels.acceptModel(context) : openaiModels.acceptModel(context),
  },
]
