import { fitSchema } from './fit-schema.ts'
import { countTokens, padToTokens, textOfTokens, truncateToTokens } from './tokens.ts'

export interface Tool {
  name: string
  /** JSON Schema of its arguments; undefined for a tool that takes text. */
  schema?: unknown
  takesText?: boolean
}

export interface Turn {
  /** The text of the last message. */
  said: string
  /** Whether the last message is the result of a tool. */
  isToolResult: boolean
  tools: readonly Tool[]
  /** `any` requires a call; a name requires that tool. */
  choice: 'auto' | 'none' | 'any' | { name: string }
  parallel: boolean
  format: 'text' | 'json' | { schema: unknown }
  stop: readonly string[]
  maxTokens: number
  /** Output tokens that the behavior demands. */
  tokens?: number
}

interface ToolCall {
  name: string
  takesText: boolean
  /** JSON, or plain text. */
  input: string
}

export interface Reply {
  text: string | null
  calls: ToolCall[]
  tokens: number
  finish: 'stop' | 'stop_sequence' | 'length' | 'tools'
  stopSequence: string | null
}

/** The same reply for the same turn, each time. */
export function composeReply(turn: Turn): Reply {
  const tools = chooseTools(turn)
  return tools.length > 0 ? callTools(tools, turn) : writeText(turn)
}

const minWordLength = 4

/** With `auto`, the tools that the last message mentions: one of the words of their name is in it. */
function chooseTools({ tools, choice, said, isToolResult, parallel }: Turn): Tool[] {
  if (choice === 'none' || tools.length === 0) return []
  if (typeof choice === 'object') return tools.filter(({ name }) => name === choice.name).slice(0, 1)
  const text = said.toLowerCase()
  const mentioned = isToolResult ? [] : tools.filter(({ name }) => wordsOf(name).some((word) => text.includes(word)))
  const chosen = mentioned.length === 0 && choice === 'any' ? tools.slice(0, 1) : mentioned
  return parallel ? chosen : chosen.slice(0, 1)
}

const wordsOf = (name: string): string[] => {
  const all = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  return [name.toLowerCase(), ...all.filter((word) => word.length >= minWordLength)]
}

function callTools(tools: readonly Tool[], { said, maxTokens, tokens = 0 }: Turn): Reply {
  const calls: ToolCall[] = []
  let used = 0
  for (const { name, schema, takesText = false } of tools) {
    const input = takesText ? said : JSON.stringify(fitSchema(schema ?? {}))
    const isLast = calls.length === tools.length - 1
    const padded = isLast && !takesText ? padToTokens(input, tokens - used - countTokens(name)) : input
    const kept = truncateToTokens(padded, Math.max(0, maxTokens - used - countTokens(name)))
    calls.push({ name, takesText, input: kept })
    used = Math.min(maxTokens, used + countTokens(name) + countTokens(kept))
    if (kept.length < padded.length) return { text: null, calls, tokens: used, finish: 'length', stopSequence: null }
  }
  return { text: null, calls, tokens: used, finish: 'tools', stopSequence: null }
}

const maxEcho = 200

function writeText(turn: Turn): Reply {
  const { stop, maxTokens, format } = turn
  const full = format === 'text' ? proseOf(turn) : jsonOf(turn)
  const cut = stop
    .filter((one) => one !== '' && full.includes(one))
    .toSorted((a, b) => full.indexOf(a) - full.indexOf(b))[0]
  const stopped = cut === undefined ? full : full.slice(0, full.indexOf(cut))
  const text = truncateToTokens(stopped, maxTokens)
  const common = { text, calls: [], tokens: countTokens(text) }
  if (text.length < stopped.length) return { ...common, finish: 'length', stopSequence: null }
  return { ...common, finish: cut === undefined ? 'stop' : 'stop_sequence', stopSequence: cut ?? null }
}

function proseOf({ said, isToolResult, tokens }: Turn): string {
  if (tokens !== undefined) return textOfTokens(tokens)
  const echo = said.trim().slice(0, maxEcho)
  if (echo === '') return 'You said nothing.'
  return isToolResult ? `The tool returned: ${echo}` : `You said: ${echo}`
}

function jsonOf({ format, said, tokens = 0 }: Turn): string {
  const value = typeof format === 'object' ? fitSchema(format.schema) : { reply: said.trim().slice(0, maxEcho) }
  return padToTokens(JSON.stringify(value), tokens)
}
