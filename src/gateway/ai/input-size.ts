import { unsupportedParameter } from './problems.ts'

/** Of tokens that a picture can be at most, at any provider (GPT-4o mini in high detail). */
const imageTokens = 50_000
/** Of the template that a provider puts around each message, and around tools. */
const perMessage = 16
const perRequest = 64
const forTools = 1_024
const maxDepth = 200

export interface InputSize {
  /** Null when nothing in the request bounds it. */
  tokens: number | null
  hasImages: boolean
  hasAudio: boolean
}

/**
 * An upper bound of the input’s tokens: a token of text has at least one byte. `others` are fields that reach the
 * provider unchanged, which can read them as input. @throws {Problem} 400 when it is nested too deeply
 */
export function sizeOf(messages: readonly unknown[], tools: readonly unknown[], others: object): InputSize {
  const found = { bytes: 0, images: 0, hasAudio: false, isOpen: false }
  for (const message of messages) measure(message, found, 'message', 0)
  for (const each of [...tools, ...Object.values(others).filter(isText)]) measure(each, found, 'other', 0)
  const templates = perRequest + perMessage * messages.length + (tools.some(Boolean) ? forTools : 0)
  const tokens = found.bytes + found.images * imageTokens + templates
  return { tokens: found.isOpen ? null : tokens, hasImages: found.images > 0, hasAudio: found.hasAudio }
}

const isText = (value: unknown): boolean => typeof value === 'string' || typeof value === 'object'

interface Found {
  bytes: number
  images: number
  hasAudio: boolean
  isOpen: boolean
}

/** Only parts of a message can be pictures and files: elsewhere, as in a tool’s schema, the same fields are text. */
type Place = 'message' | 'part' | 'other'

function measure(value: unknown, found: Found, place: Place, depth: number): void {
  if (depth > maxDepth) throw unsupportedParameter('messages', `nested more than ${maxDepth} levels deep.`)
  if (typeof value === 'string') found.bytes += Buffer.byteLength(value)
  else if (typeof value === 'number' || typeof value === 'boolean') found.bytes += 24
  else if (Array.isArray(value)) for (const each of value) measure(each, found, place, depth + 1)
  else if (typeof value === 'object' && value !== null) measureObject(value, found, place, depth)
}

const pictures = new Set(['image_url', 'image', 'input_image'])
/** Parts that are no longer than their fields. Others, such as files and videos, have only the context as a bound. */
const texts = new Set(
  'text refusal input_audio tool_use tool_result thinking redacted_thinking search_result tool_reference'.split(' '),
)

function measureObject(value: object, found: Found, place: Place, depth: number): void {
  const type = place === 'part' && 'type' in value ? String(value.type) : null
  if (type !== null && pictures.has(type)) {
    found.images += 1
    return
  }
  if (type !== null && !texts.has(type)) found.isOpen = true
  if (type === 'input_audio') found.hasAudio = true
  for (const [name, inner] of Object.entries(value)) {
    found.bytes += name.length + 4
    measure(inner, found, name === 'content' && place !== 'other' ? 'part' : 'other', depth + 1)
  }
}
