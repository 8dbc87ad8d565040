import { operation } from '#lib/operation.ts'
import { EmbeddingRequest } from '../providers/openai/embeddings.ts'
import { ImageEditRequest, ImageRequest } from '../providers/openai/images.ts'
import { TranscriptionRequest } from '../providers/openai/transcriptions.ts'
import { complete, CompletionRequest } from './completions.ts'
import { embed } from './embeddings.ts'
import { editImages, generateImages } from './images.ts'
import { aiRoute, alsoV1, audioBody, fileBody, streams } from './route.ts'
import { ResponseRequest } from '../providers/openai/response-types.ts'
import { respond } from './responses.ts'
import { transcribe } from './transcriptions.ts'

export const createCompletion = operation({
  ...aiRoute,
  ...streams,
  ...alsoV1('completions'),
  summary: 'Create a completion',
  input: CompletionRequest,
  run: async (call) => complete(call, call.input),
})

export const createEmbeddings = operation({
  ...aiRoute,
  ...alsoV1('embeddings'),
  summary: 'Create embeddings',
  input: EmbeddingRequest,
  run: async (call) => embed(call, call.input),
})

export const createImages = operation({
  ...aiRoute,
  ...alsoV1('images/generations'),
  summary: 'Create images',
  input: ImageRequest,
  run: async (call) => generateImages(call, call.input),
})

export const editImage = operation({
  ...aiRoute,
  ...alsoV1('images/edits'),
  summary: 'Create an edited image',
  body: fileBody,
  input: ImageEditRequest,
  run: async (call) => editImages(call, call.input),
})

const transcriptions = alsoV1('audio/transcriptions')

export const createTranscription = operation({
  ...aiRoute,
  ...transcriptions,
  aliases: [...transcriptions.aliases, '/api/ai/transcriptions', '/api/ai/v1/transcriptions'],
  streamsOnRequest: 'text/plain',
  summary: 'Create a transcription',
  body: audioBody,
  input: TranscriptionRequest,
  run: async (call) => transcribe(call, call.input),
})

export const createResponse = operation({
  ...aiRoute,
  ...streams,
  ...alsoV1('responses'),
  summary: 'Create a response',
  input: ResponseRequest,
  run: async (call) => respond(call, call.input),
})
