import { z } from 'zod'
import { countTokens, splitIntoPieces, textOfTokens } from '../generate/tokens.ts'
import { json, type Accepted, type Answer } from '../wire.ts'
import { check, requireModel } from './check.ts'
import { sseNamed } from './common.ts'
import { toFields } from './form.ts'
import { logprobsOf } from './logprobs.ts'
import { invalidRequest } from './wire.ts'

const endings = ['flac', 'mp3', 'mp4', 'mpeg', 'mpga', 'm4a', 'ogg', 'wav', 'webm']
const AudioFile = z
  .instanceof(File)
  .refine(({ size }) => size > 0, 'Audio file is empty.')
  .refine(
    ({ name }) => endings.includes(name.split('.').at(-1)?.toLowerCase() ?? ''),
    `Invalid file format. Supported formats: ${endings.join(', ')}`,
  )

const TranscriptionInput = z.strictObject({
  file: AudioFile,
  model: z.string(),
  chunking_strategy: z.literal('auto').nullish(),
  include: z.array(z.literal('logprobs')).optional(),
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/)
    .optional(),
  prompt: z.string().optional(),
  response_format: z.enum(['json', 'text', 'srt', 'verbose_json', 'vtt']).optional(),
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(1).optional(),
  timestamp_granularities: z.array(z.enum(['word', 'segment'])).optional(),
})
type TranscriptionInput = z.output<typeof TranscriptionInput>

const bytesPerSecond = 16_000
const tokensPerSecond = 10

export function acceptTranscription(given: unknown): Accepted {
  const input = check(TranscriptionInput, given instanceof FormData ? toFields(given) : given)
  const { response_format: format = 'json', timestamp_granularities: granularities } = input
  const model = requireModel(input.model, 'audio', 'audio/transcriptions')
  if (granularities && format !== 'verbose_json')
    throw invalidRequest("'timestamp_granularities' is only supported with 'response_format' set to 'verbose_json'.", {
      param: 'timestamp_granularities',
    })
  if (input.stream && format !== 'json' && format !== 'text')
    throw invalidRequest("'stream' is only supported with 'response_format' set to 'json' or 'text'.", {
      param: 'stream',
    })
  return {
    model: model.id,
    answer: ({ tokens }) => {
      const text =
        tokens === undefined ? `Transcript of ${input.file.name}, ${input.file.size} bytes.` : textOfTokens(tokens)
      return input.stream ? streamOf(input, text) : formatTranscript(input, text)
    },
  }
}

const secondsOf = ({ file }: TranscriptionInput): number => Math.max(1, Math.ceil(file.size / bytesPerSecond))

function usageOf(input: TranscriptionInput, text: string) {
  const audio = secondsOf(input) * tokensPerSecond
  const prompt = countTokens(input.prompt ?? '')
  const output = countTokens(text)
  return {
    type: 'tokens',
    input_tokens: audio + prompt,
    input_token_details: { audio_tokens: audio, text_tokens: prompt },
    output_tokens: output,
    total_tokens: audio + prompt + output,
  }
}

const logprobs = ({ include }: TranscriptionInput, text: string) =>
  include ? { logprobs: logprobsOf(text, 0).map(({ token, logprob, bytes }) => ({ token, logprob, bytes })) } : {}

const plain = (body: string): Answer => ({ contentType: 'text/plain; charset=utf-8', body })

function formatTranscript(input: TranscriptionInput, text: string): Answer {
  const seconds = secondsOf(input)
  const end = new Date(seconds * 1000).toISOString().slice(11, 23)
  switch (input.response_format) {
    case 'text':
      return plain(`${text}\n`)
    case 'srt':
      return plain(`1\n00:00:00,000 --> ${end.replace('.', ',')}\n${text}\n\n`)
    case 'vtt':
      return plain(`WEBVTT\n\n00:00:00.000 --> ${end}\n${text}\n\n`)
    case 'verbose_json':
      return json(describe(input, text, seconds))
    default:
      return json({ text, ...logprobs(input, text), usage: usageOf(input, text) })
  }
}

function describe(
  { language, temperature = 0, timestamp_granularities: by = ['segment'] }: TranscriptionInput,
  text: string,
  seconds: number,
) {
  const words = text.split(/\s+/).filter(Boolean)
  const segment = {
    id: 0,
    seek: 0,
    start: 0,
    end: seconds,
    text,
    tokens: [],
    temperature,
    avg_logprob: -0.1,
    compression_ratio: 1,
    no_speech_prob: 0.01,
  }
  const timed = words.map((word, at) => ({
    word,
    start: (seconds * at) / words.length,
    end: (seconds * (at + 1)) / words.length,
  }))
  return {
    task: 'transcribe',
    language: language ?? 'english',
    duration: seconds,
    text,
    ...(by.includes('segment') && { segments: [segment] }),
    ...(by.includes('word') && { words: timed }),
    usage: { type: 'duration', seconds },
  }
}

const streamOf = (input: TranscriptionInput, text: string): Answer => ({
  events: [
    ...splitIntoPieces(text).map((delta) => sseNamed({ type: 'transcript.text.delta', delta })),
    sseNamed({ type: 'transcript.text.done', text, ...logprobs(input, text), usage: usageOf(input, text) }),
  ],
})
