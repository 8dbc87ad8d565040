import { z } from 'zod'
import type { TokenUsage } from '../../models/price.ts'
import type { Adapter, Answer } from '../adapter.ts'
import { formOf } from '../form-body.ts'
import { noParts } from '../map-adapter.ts'
import { RequestedModel } from './chat-types.ts'
import { fileField } from './file-field.ts'

export const TranscriptionRequest = z.looseObject({
  model: RequestedModel.default('transcription'),
  file: fileField('audio.wav', 'audio/wav'),
  prompt: z.string().optional(),
  response_format: z.enum(['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json']).optional(),
  stream: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
})
export type TranscriptionRequest = z.output<typeof TranscriptionRequest>

export const isTextFormat = (format: string | undefined): boolean =>
  format === 'text' || format === 'srt' || format === 'vtt'

export const openAiTranscriptions = (request: TranscriptionRequest, model: string): Adapter<never> => ({
  path: '/audio/transcriptions',
  ...(isTextFormat(request.response_format) && { isText: true }),
  body: () => formOf({ ...request, model }),
  read: readTranscription,
  parts: noParts,
})

const count = z.number().min(0).nullish()
const Transcription = z.looseObject({
  text: z.string().default(''),
  duration: z.coerce.number().min(0).nullish(),
  usage: z
    .looseObject({
      seconds: count,
      input_tokens: count,
      output_tokens: count,
      input_token_details: z.looseObject({ audio_tokens: count }).nullish(),
    })
    .nullish(),
})

function readTranscription(json: unknown): Answer {
  const body = Transcription.parse(typeof json === 'string' ? { text: json } : json)
  return { body, usage: usageOf(body), outputBytes: Buffer.byteLength(body.text) }
}

/** Some models are billed by tokens, others by the duration. */
function usageOf({ usage, duration }: z.output<typeof Transcription>): TokenUsage | null {
  const seconds = usage?.seconds ?? duration ?? null
  if (usage?.input_tokens !== undefined && usage.input_tokens !== null)
    return {
      inputTokens: usage.input_tokens,
      inputAudioTokens: usage.input_token_details?.audio_tokens ?? 0,
      outputTokens: usage.output_tokens ?? 0,
    }
  return seconds === null ? null : { inputTokens: 0, outputTokens: 0, audioMs: Math.ceil(seconds * 1000) }
}
