/** Of tokens that a picture can be at most, at any provider (GPT-4o mini in high detail). */
const imageTokens = 50_000
/** Of the template that a provider puts around each message, and around tools. */
const perMessage = 16
const perRequest = 64
const forTools = 1_024

export interface InputSize {
  /** Null when nothing in the request bounds it. */
  tokens: number | null
  hasImages: boolean
  hasAudio: boolean
}

/** An upper bound of the input’s tokens: a token of text has at least one byte. */
export function sizeOf(messages: readonly unknown[], others: readonly unknown[]): InputSize {
  const found = { bytes: 0, images: 0, hasAudio: false, isOpen: false }
  for (const part of [...messages, ...others]) measure(part, found)
  const templates = perRequest + perMessage * messages.length + (others.some(Boolean) ? forTools : 0)
  const tokens = found.bytes + found.images * imageTokens + templates
  return { tokens: found.isOpen ? null : tokens, hasImages: found.images > 0, hasAudio: found.hasAudio }
}

interface Found {
  bytes: number
  images: number
  hasAudio: boolean
  isOpen: boolean
}

function measure(value: unknown, found: Found): void {
  if (typeof value === 'string') found.bytes += Buffer.byteLength(value)
  else if (typeof value === 'number' || typeof value === 'boolean') found.bytes += 24
  else if (Array.isArray(value)) for (const each of value) measure(each, found)
  else if (typeof value === 'object' && value !== null) measureObject(value, found)
}

function measureObject(value: object, found: Found): void {
  const type = 'type' in value ? value.type : undefined
  if (type === 'image_url' || type === 'image' || type === 'input_image') found.images += 1
  else if (type === 'file' || type === 'input_file' || type === 'document') found.isOpen = true
  else {
    if (type === 'input_audio') found.hasAudio = true
    for (const [name, inner] of Object.entries(value)) {
      found.bytes += name.length + 4
      measure(inner, found)
    }
  }
}
