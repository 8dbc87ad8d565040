import { Problem } from '#lib/errors.ts'
import type { ChatMessage } from '../openai/chat-types.ts'
import { textIn } from './types.ts'

type Block = Record<string, unknown>

/** The parts of a chat message as blocks. @throws {Problem} 400 for a kind that has no equivalent */
export function partsOf(content: ChatMessage['content']): Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return (content ?? []).map((part) => {
    if (part.type === 'text') return { type: 'text', text: textIn(part, 'text') }
    if (part.type === 'image_url') return { type: 'image', source: sourceOf(textIn(Object(part['image_url']), 'url')) }
    if (part.type === 'file') return documentOf(Object(part['file']))
    throw unsupported(part.type)
  })
}

function sourceOf(url: string): Block {
  const [, mediaType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? []
  if (mediaType !== undefined && data !== undefined) return { type: 'base64', media_type: mediaType, data }
  return { type: 'url', url }
}

function documentOf(file: object): Block {
  const data = textIn(file, 'file_data')
  if (data === '') throw unsupported('file')
  return { type: 'document', source: sourceOf(data) }
}

const unsupported = (type: string) =>
  new Problem(400, 'unsupported_parameter', `messages: Anthropic’s models don’t take content of the type ${type}.`)
