type Fields = Record<string, unknown>
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isNone = (value: unknown): boolean => value === undefined || value === null
const isCount = (value: unknown, max = Infinity): boolean =>
  isNone(value) || (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= max)

/** Messages of text for a named model, and no field with rules of its own: ChatRequest takes that as it is. */
export function isPlainChat(given: unknown): boolean {
  if (!isObject(given)) return false
  const { model, messages, stream, stream_options: options, tools, metadata, n } = given
  return (
    typeof model === 'string' &&
    /^[!-~]{1,241}$/.test(model) &&
    Array.isArray(messages) &&
    messages.length > 0 &&
    messages.every(isPlainMessage) &&
    (isNone(stream) || typeof stream === 'boolean') &&
    [options, tools, metadata].every(isNone) &&
    isCount(given['max_tokens']) &&
    isCount(given['max_completion_tokens']) &&
    isCount(n, 128)
  )
}

const isPlainMessage = (message: unknown): boolean =>
  isObject(message) && typeof message['role'] === 'string' && typeof message['content'] === 'string'
