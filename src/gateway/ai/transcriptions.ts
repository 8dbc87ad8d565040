import { stream, type Reply, type Stream } from '#lib/reply.ts'
import { isTextFormat, openAiTranscriptions, TranscriptionRequest } from '../providers/openai/transcriptions.ts'
import { textIn } from '../providers/anthropic/types.ts'
import { maxAudioMs } from './audio/bound.ts'
import { withoutQuery } from './chat.ts'
import { deliver } from './deliver.ts'
import { dryRunReply } from './dry-run.ts'
import { requireOpenAi } from './embeddings.ts'
import { noFrames } from './encoder.ts'
import { exchange } from './exchange.ts'
import { unsupportedParameter } from './problems.ts'
import type { AiCall, Inquiry } from './types.ts'

const tokensPerMs = 0.01

export async function transcribe(
  call: AiCall,
  given: TranscriptionRequest,
): Promise<Reply<Record<string, unknown>> | Stream> {
  const request = withoutQuery(call, given, TranscriptionRequest.shape)
  if (request.stream === true || request.stream === 'true')
    throw unsupportedParameter('stream', 'transcriptions are not streamed.')
  const audioMs = await maxAudioMs(request.file)
  const tokens = Math.ceil(audioMs * tokensPerMs)
  const inquiry: Inquiry<never> = {
    requested: request.model,
    kinds: ['transcription'],
    bound: {
      inputTokens: 1_024 + Buffer.byteLength(request.prompt ?? ''),
      hasImages: false,
      hasAudio: false,
      maxOutput: 0,
      choices: 1,
      fixed: { inputTokens: tokens, inputAudioTokens: tokens, outputTokens: tokens, audioMs },
    },
    streams: false,
    adapt: (candidate) => openAiTranscriptions(request, requireOpenAi(candidate).model),
  }
  const dry = await dryRunReply(call, inquiry)
  if (dry) return dry
  const replied = await deliver(await exchange(call, inquiry), noFrames)
  if (!('data' in replied) || !isTextFormat(request.response_format)) return replied
  const text = new Blob([textIn(replied.data, 'text')])
  return stream(text, 'text/plain; charset=utf-8', { headers: replied.options.headers ?? {} })
}
