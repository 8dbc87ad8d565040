import { countTokens, tokensPerImage } from '../generate/tokens.ts'
import type { Turn } from '../generate/reply.ts'
import type { Block, MessageInput, Prompt } from './messages-input.ts'
import { invalidRequest } from './wire.ts'

const blocksOf = ({ content }: MessageInput): readonly Block[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

/** @throws {ProviderError} 400 for messages in an order that the provider refuses */
export function checkMessages({ messages, tools = [], tool_choice: choice }: Prompt): void {
  const talk = messages.filter(({ role }) => role !== 'system')
  if (talk[0]?.role !== 'user') throw invalidRequest('messages: first message must use the "user" role')
  for (const [at, message] of messages.entries()) {
    const isLast = at === messages.length - 1
    if (message.content.length === 0 && !(isLast && message.role === 'assistant'))
      throw invalidRequest(
        `messages.${at}: all messages must have non-empty content except for the optional final assistant message`,
      )
    const text = message.role === 'assistant' && isLast ? textOfBlocks(blocksOf(message)) : ''
    if (/\s$/.test(text)) throw invalidRequest('messages: final assistant content cannot end with trailing whitespace')
  }
  requireToolResults(talk)
  if (choice && tools.length === 0) throw invalidRequest('tool_choice: can only be specified when tools are provided')
  if (choice?.type === 'tool' && !tools.some(({ name }) => name === choice.name))
    throw invalidRequest(`tool_choice: Tool '${choice.name}' not found in provided tools`)
  const names = tools.map(({ name }) => name)
  if (new Set(names).size < names.length) throw invalidRequest('tools: Tool names must be unique.')
}

function requireToolResults(messages: readonly MessageInput[]): void {
  for (const [at, message] of messages.entries()) {
    const results = blocksOf(message).flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
    const before = messages[at - 1]
    const uses = before ? blocksOf(before).flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])) : []
    const stray = results.find((id) => !uses.includes(id))
    if (stray)
      throw invalidRequest(
        `messages.${at}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${stray}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
      )
    const open = uses.filter((id) => !results.includes(id))
    if (open.length > 0)
      throw invalidRequest(
        `messages.${at - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
      )
  }
  const last = messages.at(-1)
  if (last && blocksOf(last).some(({ type }) => type === 'tool_use'))
    throw invalidRequest(
      `messages.${messages.length - 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
    )
}

type Inner = Exclude<Extract<Block, { type: 'tool_result' }>['content'], string | undefined>[number]

function textOf(block: Block | Inner): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'tool_use':
      return block.name + JSON.stringify(block.input)
    case 'tool_result':
      return typeof block.content === 'string' ? block.content : textOfBlocks(block.content ?? [])
    case 'document':
      return block.source.type === 'text' ? block.source.data : ''
    case 'thinking':
      return block.thinking
    default:
      return ''
  }
}

const textOfBlocks = (blocks: readonly (Block | Inner)[]): string => blocks.map(textOf).join('')

const imagesIn = (blocks: readonly (Block | Inner)[]): number =>
  blocks.reduce((sum, block) => {
    if (block.type === 'image') return sum + 1
    const inner = block.type === 'tool_result' && Array.isArray(block.content) ? block.content : []
    return sum + imagesIn(inner)
  }, 0)

interface Measured {
  tokens: number
  /** Of them, up to the last block with `cache_control`. */
  cached: { tokens: number; ttl: '5m' | '1h' } | null
}

const minCachedTokens = 1024

/** Tools, system prompt and messages, in the order in which the provider caches them. */
export function measure({ tools, system, messages, cache_control: automatic }: Prompt): Measured {
  let text = tools ? JSON.stringify(tools) : ''
  let images = 0
  let marked: Measured['cached'] = null
  const total = () => countTokens(text) + images * tokensPerImage
  const mark = (control: Prompt['cache_control']) => {
    if (control) marked = { tokens: total(), ttl: control.ttl ?? '5m' }
  }
  mark(tools?.findLast((tool) => tool.cache_control)?.cache_control)
  const systemBlocks = typeof system === 'string' ? [{ type: 'text' as const, text: system }] : (system ?? [])
  for (const block of [...systemBlocks, ...messages.flatMap(blocksOf)]) {
    text += textOf(block)
    images += imagesIn([block])
    mark('cache_control' in block ? block.cache_control : null)
  }
  mark(automatic)
  return { tokens: Math.max(1, total()), cached: longEnough(marked) }
}

const longEnough = (cached: Measured['cached']): Measured['cached'] =>
  cached && cached.tokens >= minCachedTokens ? cached : null

export function turnOf(prompt: Prompt): Omit<Turn, 'maxTokens' | 'tokens' | 'stop'> {
  const { messages, tools = [], tool_choice: choice, output_config: output } = prompt
  const last = messages.at(-1)
  const blocks = last ? blocksOf(last) : []
  return {
    said: textOfBlocks(blocks),
    isToolResult: blocks.some(({ type }) => type === 'tool_result'),
    tools: tools.map(({ name, input_schema: schema }) => ({ name, schema })),
    choice: choice?.type === 'tool' ? { name: choice.name } : (choice?.type ?? 'auto'),
    parallel: !(choice && choice.type !== 'none' && choice.disable_parallel_tool_use),
    format: output?.format ? { schema: output.format.schema } : 'text',
  }
}
