import { z } from 'zod'
import { textOfTokens } from '../generate/tokens.ts'
import { json, type Accepted, type Answer } from '../wire.ts'
import { check, requireModel } from './check.ts'
import { toFields } from './form.ts'
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
  language: z
    .string()
    .regex(/^[a-z]{2,3}$/)
    .optional(),
  prompt: z.string().optional(),
  response_format: z.enum(['json', 'text', 'srt', 'verbose_json', 'vtt']).optional(),
  // Ignored, as by whisper-1.
  stream: z.boolean().nullish(),
  temperature: z.number().min(0).max(1).optional(),
  timestamp_granularities: z.array(z.enum(['word', 'segment'])).optional(),
})
type TranscriptionInput = z.output<typeof TranscriptionInput>

const bytesPerSecond = 16_000

export function acceptTranscription(given: unknown): Accepted {
  const input = check(TranscriptionInput, given instanceof FormData ? toFields(given) : given)
  const { response_format: format = 'json', timestamp_granularities: granularities } = input
  const model = requireModel(input.model, 'audio', 'audio/transcriptions')
  if (granularities && format !== 'verbose_json')
    throw invalidRequest("'timestamp_granularities' is only supported with 'response_format' set to 'verbose_json'.", {
      param: 'timestamp_granularities',
    })
  return {
    model: model.id,
    answer: ({ tokens }) => {
      const text =
        tokens === undefined ? `Transcript of ${input.file.name}, ${input.file.size} bytes.` : textOfTokens(tokens)
      return formatTranscript(input, text)
    },
  }
}

const secondsOf = ({ file }: TranscriptionInput): number => Math.max(1, Math.ceil(file.size / bytesPerSecond))

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
      return json({ text, usage: { type: 'duration', seconds } })
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
